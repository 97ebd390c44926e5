from __future__ import annotations

import pytest

from amem.lm.providers.litellm_errors import retry_after
from amem.lm.retry import RetryPolicy
from amem.lm.types import FailureKind, ModelFailure


def failing(*failures: ModelFailure | None):
    left = list(failures)

    def send() -> str:
        failure = left.pop(0)
        if failure is not None:
            raise failure
        return "ok"

    send.left = left
    return send


def fail(kind: FailureKind, **options) -> ModelFailure:
    return ModelFailure(kind, kind.value, **options)


def test_waits_double_with_a_random_share_up_to_the_longest():
    waits: list[float] = []
    policy = RetryPolicy(attempts=6, first_wait=1, longest_wait=4)
    assert policy.run(failing(*[fail(FailureKind.SERVER)] * 5, None), waits.append) == "ok"
    assert len(waits) == 5
    for wait, full in zip(waits, (1, 2, 4, 4, 4), strict=True):
        assert full / 2 <= wait <= full


@pytest.mark.parametrize("kind", list(FailureKind))
def test_only_what_may_pass_is_tried_again(kind):
    send = failing(fail(kind), None)
    policy = RetryPolicy(first_wait=0.0)
    if kind in (FailureKind.RATE_LIMIT, FailureKind.SERVER, FailureKind.TIMEOUT):
        assert policy.run(send) == "ok"
    else:
        with pytest.raises(ModelFailure):
            policy.run(send)
        assert send.left == [None]


def test_attempts_are_bounded_and_the_last_failure_rises():
    failures = [fail(FailureKind.TIMEOUT) for _ in range(9)]
    send = failing(*failures)
    with pytest.raises(ModelFailure) as caught:
        RetryPolicy(attempts=3, first_wait=0.0).run(send)
    assert caught.value is failures[2] and len(send.left) == 6


def test_retry_after_is_honoured_and_one_beyond_the_bound_ends_the_attempts():
    waits: list[float] = []
    policy = RetryPolicy(longest_retry_after=100)
    assert policy.run(failing(fail(FailureKind.RATE_LIMIT, retry_after=30), None), waits.append) == "ok"
    assert 30 <= waits[0] <= 31
    with pytest.raises(ModelFailure):
        policy.run(failing(fail(FailureKind.RATE_LIMIT, retry_after=3600), None), waits.append)
    assert len(waits) == 1


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read_in_all_its_spellings(headers, seconds):
    assert retry_after(headers) == seconds


def test_a_date_in_the_future_is_seconds_from_now():
    assert retry_after({"retry-after": "Fri, 01 Jan 2100 00:00:00 GMT"}) > 1e9
