"""One example a template variable: with these every template of the shipped packs must render."""

from __future__ import annotations

from datetime import datetime
from types import SimpleNamespace
from typing import Any

from amem.contract import Session, Turn

TURN = Turn(id="D1:2", speaker="Ines", text="The kiln arrived.", caption="a kiln in a shed", has_image_url=True)
SESSION = Session(
    id="session_1", number=1, when=datetime(2024, 3, 5, 18, 30), date_text="6:30 pm on 5 March, 2024", turns=(TURN,)
)


def note(note_id: str, content: str) -> SimpleNamespace:
    return SimpleNamespace(
        id=note_id,
        position=2,
        content=content,
        time=SESSION.date_text,
        speaker="Ines",
        context="Ines sets up a pottery.",
        keywords=["kiln", "shed"],
        tags=["pottery", "home"],
    )


NOTE = note("n3", "Ines says: The kiln arrived.")
NEIGHBOURS = [note("n1", "Ines says: I ordered a kiln."), note("n2", 'Odd "id" with quotes and \\ in it')]

ENTRIES = [
    SimpleNamespace(kind="turn", text="Ines says: The kiln arrived.", number=1, date_text=SESSION.date_text),
    SimpleNamespace(kind="notice", text="System: the queue is nearly full.", number=None, date_text=None),
]
FOUND = SimpleNamespace(items=ENTRIES, number=1, pages=2, total=7)

VARIABLES: dict[str, Any] = {
    "agent": "Bruno",
    "about": "query",
    "function_call": {"function": "send_message", "arguments": [{"name": "message", "value": 'the "big" kiln'}]},
    "body": "Ines has a kiln now.",
    "caption": TURN.caption,
    "category": "open_domain",
    "dialogue": "Ines says: The kiln arrived.",
    "evolving": ["context", "keywords", "tags"],
    "error": "the reply does not fit its schema: at $.links: null is not an array",
    "code": "missing_argument",
    "content": NOTE.content,
    "context": NOTE.context,
    "core": [SimpleNamespace(name="human", text="Ines is a potter.", limit=2000)],
    "date_text": SESSION.date_text,
    "entries": ENTRIES,
    "function": "core_memory_append",
    "functions": ["send_message", "conversation_search"],
    "hidden": 12,
    "instruction": "Give the shortest phrase that answers it.",
    "global_summary": "Ines set up a pottery.",
    "insights": [{"session": SESSION, "portraits": {"Ines": "She is patient."}}],
    "date": "March 5, 2024",
    "keywords": NOTE.keywords,
    "kind": "prose",
    "latest": [SimpleNamespace(kind="result", text="Result: nothing was found.", number=None, date_text=None)],
    "letter": "a",
    "links_as": "ids",
    "most_arguments": 3,
    "max_pages": 5,
    "memories": ["Ines says: The kiln arrived."],
    "neighbour": NEIGHBOURS[0],
    "neighbours": NEIGHBOURS,
    "note": NOTE,
    "notes": ["Ines says: The kiln arrived."],
    "number": 1,
    "opened": [1],
    "options": ["Not mentioned in the conversation", "a lathe"],
    "others": NEIGHBOURS[1:],
    "parameters": ["message", "query", "page"],
    "page": "Ines says: The kiln arrived.",
    "pages": {1: "Page 1\nInes has a kiln now.", 2: "Page 2\nBruno asks for a bowl."},
    "passages": ["Ines says: The kiln arrived.", "Bruno says: Make me a bowl!"],
    "portraits": {"Ines": "She is patient."},
    "previous": None,
    "prediction": "the kiln",
    "question": "What arrived?",
    "recall_text": "Ines says: The kiln arrived.",
    "reply": "I think it was a kiln.",
    "results": FOUND,
    "reference": "a kiln",
    "session": SESSION,
    "speakers": ["Ines", "Bruno"],
    "strengthen_tags": False,
    "summary": "Ines ordered a kiln on 1 March 2024.",
    "summaries": [{"session": SESSION, "summary": "Ines has a kiln now."}],
    "tags": NOTE.tags,
    "text": "a lathe",
    "turn": TURN,
    "words": 100,
}
