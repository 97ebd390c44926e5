"""A planted key is nowhere: not in records, exports, errors, logs or output."""

from __future__ import annotations

import io
import logging
import traceback

import pytest

from amem.errors import ConfigurationError
from amem.lm.build import build_model, check_backbone
from amem.lm.ledger import collecting
from amem.lm.records import RecordStore
from amem.lm.secrets import REMOVED, scrub, without_values
from amem.lm.types import Message, ModelFailure, Request
from tests.servers.emulation import Emulation
from tests.servers.faults import Fault
from tests.support import NO_WAITING

PLANTED = "planted-5f0c9d-very-secret"
SPEC = {
    "_target_": "amem.lm.providers.litellm.LiteLLMProvider",
    "label": "Planted",
    "sampling": {"temperature": 0.0, "top_p": 1.0, "max_tokens": 16},
    "prices": {"input_per_million": 0.0, "output_per_million": 0.0},
    "settings": {"model": "openai/m", "window": 1000, "key": "PLANTED_API_KEY", "timeout": 5.0},
}
ECHO = Fault(status=400, body=f'{{"error": {{"message": "bad key {PLANTED} or sk-abcdef123456", "type": "t"}}}}')


def test_a_planted_key_is_sent_and_found_nowhere(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("PLANTED_API_KEY", PLANTED)
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    logging.getLogger().addHandler(handler)
    logging.getLogger().setLevel(logging.DEBUG)
    said = []
    try:
        faults = [None, ECHO, Fault(status=500, body=f'{{"error": {{"message": "{PLANTED}"}}}}')]
        with Emulation(lambda asked: "red", faults=faults, key=PLANTED) as server:
            spec = {**SPEC, "settings": {**SPEC["settings"], "api_base": f"{server.url}/v1"}}
            with (
                RecordStore(tmp_path / "records.sqlite") as store,
                build_model(spec, store=store, retry=NO_WAITING) as model,
            ):
                with collecting() as calls:
                    for text in ("1", "2", "3"):
                        try:
                            said.append(repr(model.complete(Request((Message("user", text),), "p"))))
                        except ModelFailure as failure:
                            said.append("".join(traceback.format_exception(failure)) + repr(failure.details))
                said.append(repr(calls) + repr(model.identity) + repr(check_backbone(spec)))
                store.export(tmp_path / "export.xz")
                store_bytes = b"".join(path.read_bytes() for path in tmp_path.iterdir())
                with RecordStore(":memory:") as copy:
                    copy.import_(tmp_path / "export.xz")
                    rows = copy._reader.execute("SELECT * FROM replies").fetchall()
        monkeypatch.setenv("PLANTED_API_KEY", PLANTED + "x")
    finally:
        logging.getLogger().removeHandler(handler)
        logging.getLogger().setLevel(logging.WARNING)
    assert server.chats[0].headers["authorization"] == f"Bearer {PLANTED}"
    assert len(rows) == 3 and REMOVED in repr(rows)
    output = capfd.readouterr()
    for place in ("".join(said), log.getvalue(), repr(rows), output.out, output.err):
        assert PLANTED not in place and "sk-abcdef" not in place
    assert PLANTED.encode() not in store_bytes


def test_a_refused_key_is_not_repeated_to_the_user(monkeypatch):
    monkeypatch.setenv("PLANTED_API_KEY", PLANTED)
    with Emulation(lambda asked: "red", key="another") as server:
        spec = {**SPEC, "settings": {**SPEC["settings"], "api_base": f"{server.url}/v1"}}
        model = build_model(spec, store=RecordStore(":memory:"))
        with pytest.raises(ConfigurationError, match="refuses the key") as caught:
            model.complete(Request((Message("user", "hi"),), "p"))
    assert PLANTED not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize(
    "settings",
    [{"extra": {"api_key": PLANTED}}, {"api_base": f"http://user:{PLANTED}@127.0.0.1/v1"}, {"api_key": PLANTED}],
)
def test_a_key_in_the_configuration_is_refused_without_being_shown(settings):
    (line,) = check_backbone({**SPEC, "settings": {**SPEC["settings"], **settings}})
    assert PLANTED not in line and ("environment" in line or "unknown" in line)


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("GET http://h/v1?key=abc123&x=1", f"GET http://h/v1?key{REMOVED}&x=1"),
        ("Authorization: Bearer abc.def", f"Authorization: Bearer {REMOVED}"),
        ("key sk-proj-12345678 here", f"key {REMOVED} here"),
        ("http://me:word@host/", f"http://{REMOVED}@host/"),
        ("nothing here", "nothing here"),
    ],
)
def test_shapes_of_keys_are_removed(text, clean):
    assert scrub(text) == clean


def test_a_key_that_a_server_hands_back_in_its_reply_is_not_recorded(tmp_path, monkeypatch):
    monkeypatch.setenv("PLANTED_API_KEY", PLANTED)
    with Emulation(lambda asked: f"you sent {PLANTED}", key=PLANTED) as server:
        spec = {**SPEC, "settings": {**SPEC["settings"], "api_base": f"{server.url}/v1"}}
        with RecordStore(tmp_path / "records.sqlite") as store, build_model(spec, store=store) as model:
            said = model.complete(Request((Message("user", "which key?"),), "p"))
    assert said.text == f"you sent {REMOVED}"
    assert all(PLANTED.encode() not in path.read_bytes() for path in tmp_path.iterdir())


@pytest.mark.parametrize(
    "settings",
    [
        {"extra": {"extra_headers": {"Authorization": f"Bearer {PLANTED}"}}},
        {"extra": {"metadata": [{"api_key": PLANTED}]}},
        {"api_base": f"http://host/v1?api_key={PLANTED}"},
        {"api_base": f"http://user:{PLANTED}@host/v1"},
        {"key": PLANTED},
    ],
)
def test_a_key_in_the_configuration_is_refused_and_not_repeated(settings):
    with pytest.raises(ConfigurationError) as refused:
        build_model({**SPEC, "settings": {**SPEC["settings"], **settings}}, store=RecordStore(":memory:"))
    assert PLANTED not in str(refused.value)


def test_values_of_secret_variables_and_those_named_are_removed(monkeypatch):
    monkeypatch.setenv("SOMEBODYS_API_KEY", PLANTED)
    assert without_values(f"{PLANTED} and own", "own") == f"{REMOVED} and {REMOVED}"
