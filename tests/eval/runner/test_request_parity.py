"""With a pack and sampling of the user's own, `amem/released` sends that user's requests, byte for byte and in order.

The pack here is invented; it has the shape of the released code's frames (no space after the speaker, captions only
where both image fields are, neighbours by position, Python's list spelling, links as bare integers, one system line).
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest

from amem.contract import Question, Session, Turn
from amem.lm.types import Message, Request, Sampling
from eval.composition import compose, method_settings, resolve_class
from eval.datasets.categories import Category
from eval.datasets.types import QAItem
from eval.runner.reader import Reader
from tests.support import tools_for

SYSTEM = "Solo JSON."
LIST = {"type": "array", "items": {"type": "string"}}

FILES = {
    "pack.yaml": "name: invented\n",
    "parts/turn.j2": (
        "{% if turn.caption and turn.has_image_url %}<Photo: {{ turn.caption }}> {% endif %}"
        "Turn of {{ turn.speaker }}reads : {{ turn.text }}\n"
    ),
    "parts/note_embedding_context_keywords.j2": "x={{ context }} k={{ keywords | join(', ') }}\n",
    "parts/note_embedding_refreshed.j2": "{{ content }} ; {{ context }} {{ keywords | list }} {{ tags | list }}\n",
    "parts/note_list.j2": "{{ notes | join }}\n",
    "parts/note.j2": (
        "when:{{ note.time }}what: {{ note.content }}about: {{ note.context }}"
        "words: {{ note.keywords | list }}kinds: {{ note.tags | list }}\n\n"
    ),
    "parts/linked_note.j2": '{{ part("note", note=note) }}\n',
    "parts/neighbour.j2": (
        "number:{{ note.position }}\t when:{{ note.time }}\t what: {{ note.content }}\t about: {{ note.context }}"
        "\t words: {{ note.keywords | list }}\t kinds: {{ note.tags | list }}\n\n"
    ),
    "parts/abstain_option.j2": "Nowhere said\n",
    "calls/note_construct/20-user.j2": "Take apart:\n            {{ note.content }}\n",
    "calls/note_evolve_joint/20-user.j2": (
        "\n    about {{ note.context }} what {{ note.content }} words {{ note.keywords | list }}\n\n    Near:\n    "
        '{%+ for near in neighbours %}{{ part("neighbour", note=near, links_as=links_as) }}{% endfor +%}'
        "\n\n    How many: {{ neighbours | length }}.\n    \n"
    ),
    "calls/query_keywords/20-user.j2": "Search words, please.\n\n    Question: {{ question }}\n",
    "calls/answer_short/20-user.j2": (
        '{% if category == "open_domain" %}\n\n      {%+ endif %}From: {{ recall_text }}, {{ question }} Short:\n'
    ),
    "calls/answer_temporal/20-user.j2": "From: {{ recall_text }}, about when? {{ question }} Short:\n      \n",
    "calls/answer_adversarial/20-user.j2": (
        "From: {{ recall_text }}, {{ question }}\n\n  Choose: {{ options[0] }} or {{ options[1] }}  Short:\n"
    ),
}  # fmt: skip
SCHEMAS = {
    "note_construct": {"keywords": LIST, "context": {"type": "string"}, "tags": LIST},
    "note_evolve_joint": {
        "should_evolve": {"type": "boolean"},
        "actions": LIST,
        "suggested_connections": {"type": "array", "items": {"type": "integer"}},
        "new_context_neighborhood": LIST,
        "tags_to_update": LIST,
        "new_tags_neighborhood": {"type": "array", "items": LIST},
    },
    "query_keywords": {"keywords": {"type": "string"}},
    "answer_short": {"answer": {"type": "string"}},
    "answer_temporal": {"answer": {"type": "string"}},
    "answer_adversarial": {"answer": {"type": "string"}},
}


def schema(call: str) -> dict[str, object]:
    fields = SCHEMAS[call]
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    files = dict(FILES)
    for call in SCHEMAS:
        files[f"calls/{call}/10-system.j2"] = f"{SYSTEM}\n"
        files[f"calls/{call}/schema.json"] = json.dumps(schema(call))
        files[f"calls/{call}/sampling.yaml"] = "max_tokens: 1000\n"
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return tmp_path


TURNS = (
    Turn("D1:1", "Ada", "The boat came.", caption="a boat", has_image_url=True),
    Turn("D1:2", "Bo", "Is it 'blue'?", caption="a pier", has_image_url=False),
    Turn("D1:3", "Ada", "Blue, yes."),
)
SESSION = Session("session_1", 1, datetime(2024, 3, 1, 13, 56), "1:56 pm on 1 March, 2024", TURNS)
ITEMS = [
    QAItem(Question("q1", "What came?", "open_domain"), Category.OPEN_DOMAIN, "boat", None, ()),
    QAItem(Question("q2", "When did it come?", "temporal"), Category.TEMPORAL, "1 March", None, ()),
    QAItem(Question("q3", "Which train came?", "adversarial"), Category.ADVERSARIAL, None, "the 8:15", ()),
]
CONTENTS = [
    "<Photo: a boat> Turn of Adareads : The boat came.",
    "Turn of Boreads : Is it 'blue'?",
    "Turn of Adareads : Blue, yes.",
]


def reply(request: Request) -> str:
    said: dict[str, object] = {"answer": "boat", "keywords": "boat, came"}
    if request.purpose == "note_construct":
        context = "" if "Turn of Bo" in request.messages[1].content else "A boat."
        said = {"keywords": ["boat", "it's"], "context": context, "tags": ["sea"]}
    if request.purpose == "note_evolve_joint":
        third = "Blue, yes." in request.messages[1].content.split("Near:")[0]
        said = {
            "should_evolve": not third,
            "actions": ["strengthen", "update_neighbor"],
            "suggested_connections": [2, 7, -1],
            "new_context_neighborhood": ["A blue boat?"],
            "tags_to_update": ["colour"],
            "new_tags_neighborhood": [["sea", "blue"]],
        }
    fields = SCHEMAS[request.purpose]
    return json.dumps({name: said[name] for name in fields})


def near(number: int, content: str, context: str, tags: list[str]) -> str:
    return (
        f"number:{number}\t when:1:56 pm on 1 March, 2024\t what: {content}\t about: {context}"
        f"\t words: ['boat', \"it's\"]\t kinds: {tags}\n"
    )


def shown(content: str, context: str, tags: list[str]) -> str:
    return f"when:1:56 pm on 1 March, 2024what: {content}about: {context}words: ['boat', \"it's\"]kinds: {tags}\n"


def evolving(content: str, context: str, neighbours: list[str]) -> str:
    return (
        f"\n    about {context} what {content} words ['boat', \"it's\"]\n\n    Near:\n    "
        f"{''.join(neighbours)}\n\n    How many: {len(neighbours)}.\n    "
    )


def requests_sent(pack: Path) -> list[Request]:
    """Every request of building the memory and asking the three questions, as the provider is given them."""
    sent: list[Request] = []

    def listening(request: Request) -> str:
        sent.append(request)
        return reply(request)

    tools = tools_for(listening, pack, sampling=Sampling(temperature=0.7, top_p=1.0, max_tokens=256, seed=0))
    config = compose(["backbone=[scripted]", "method=[amem/released]", "retrieve.k=1"]).methods["amem_released"]
    settings = method_settings("methods.amem_released", config._target_, config.settings)
    amem = resolve_class(config._target_)(settings, tools)
    amem.ingest(SESSION)
    reader = Reader(tools.prompts, seed=3, temperatures={"adversarial": 0.5})
    for item in ITEMS:
        reader.read(amem, item)
    return sent


def test_every_message_of_a_conversation_is_the_packs_byte_for_byte_and_in_the_released_order(pack: Path) -> None:
    first = near(0, CONTENTS[0], "A boat.", ["colour"])
    changed = near(0, CONTENTS[0], "A blue boat?", ["sea", "blue"])
    second = near(1, CONTENTS[1], "General", ["colour"])
    sent = requests_sent(pack)
    linked = shown(CONTENTS[2], "A boat.", ["sea"])
    recall = shown(CONTENTS[0], "A blue boat?", ["sea", "blue"]) + linked + linked
    assert [request.messages[1].content for request in sent] == [
        f"Take apart:\n            {CONTENTS[0]}",
        evolving(CONTENTS[0], "A boat.", []),
        f"Take apart:\n            {CONTENTS[1]}",
        evolving(CONTENTS[1], "General", [first]),
        f"Take apart:\n            {CONTENTS[2]}",
        evolving(CONTENTS[2], "A boat.", [second, changed]),
        "Search words, please.\n\n    Question: What came?",
        f"\n      From: {recall}, What came? Short:",
        "Search words, please.\n\n    Question: When did it come?",
        f"From: {recall}, about when? When did it come? Short:\n      ",
        "Search words, please.\n\n    Question: Which train came?",
        f"From: {recall}, Which train came?\n\n  Choose: Nowhere said or the 8:15  Short:",
    ]


def test_every_request_has_the_packs_system_line_schema_and_limit_and_the_configured_temperature(pack: Path) -> None:
    for request in requests_sent(pack):
        assert request.messages[0] == Message("system", SYSTEM)
        assert json.dumps(request.schema) == json.dumps(schema(request.purpose))
        assert request.sampling.max_tokens == 1000
        assert request.sampling.temperature == (0.5 if request.purpose == "answer_adversarial" else 0.7)
