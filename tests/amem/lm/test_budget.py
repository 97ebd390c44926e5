from __future__ import annotations

import threading

import pytest

from amem.lm.budget import Budget, Prices
from amem.lm.types import FailureKind, Message, ModelFailure, Reply, Request, Usage
from tests.support import scripted_model

PRICES = Prices(1_000.0, 2_000.0, 500.0)


def ask(text: str) -> Request:
    return Request((Message("user", text),), "answer")


def test_cached_tokens_have_their_own_price():
    assert PRICES.usd(Usage(1_000, 100, 400)) == pytest.approx(0.6 + 0.2 + 0.2)
    assert Prices(1_000.0, 0.0).usd(Usage(1_000, 0, 400)) == pytest.approx(1.0)


def test_the_run_stops_before_the_call_that_could_exceed_the_budget():
    asked = []

    def script(request):
        asked.append(request)
        return Reply("ok", Usage(100, 100), 0.1)  # 0.30 USD

    model = scripted_model(script, budget=Budget(2.0), prices=PRICES)
    model.complete(ask("1"))
    with pytest.raises(ModelFailure, match=r"2 USD is used up: 1\.5000 spent") as caught:
        for number in range(2, 99):
            model.complete(ask(str(number)))
    assert caught.value.kind is FailureKind.BUDGET and caught.value.purpose == "answer"
    assert len(asked) == 5
    assert model.complete(ask("1")).from_records, "what is recorded costs nothing"


def test_calls_side_by_side_do_not_exceed_it_together():
    budget = Budget(1.0)
    refused = []

    def call() -> None:
        try:
            with budget.reserve(0.3) as costs:
                costs.append(0.25)
        except ModelFailure:
            refused.append(1)

    threads = [threading.Thread(target=call) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert budget.spent == pytest.approx(0.75) and len(refused) == 13


def test_a_call_waits_for_others_in_flight_that_may_turn_out_cheaper():
    budget = Budget(1.0)
    inside, leave, done = threading.Event(), threading.Event(), threading.Event()

    def dear() -> None:
        with budget.reserve(0.9) as costs:
            inside.set()
            leave.wait()
            costs.append(0.1)

    def second() -> None:
        with budget.reserve(0.9):
            done.set()

    threads = [threading.Thread(target=dear), threading.Thread(target=second)]
    threads[0].start()
    inside.wait()
    threads[1].start()
    assert not done.wait(0.05)
    leave.set()
    assert done.wait(5)
    for thread in threads:
        thread.join()


def test_a_failed_call_gives_its_reservation_back():
    model = scripted_model(
        lambda request: ModelFailure(FailureKind.BAD_REQUEST, "no"), budget=Budget(0.7), prices=PRICES
    )
    for number in range(5):
        with pytest.raises(ModelFailure, match="no"):
            model.complete(ask(str(number)))


def test_what_was_spent_before_counts():
    with pytest.raises(ModelFailure), Budget(1.0, spent=0.9).reserve(0.2):
        pass
