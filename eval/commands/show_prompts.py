"""`python -m eval show-prompts`: what is asked of a model, as it is sent."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from dataclasses import fields

from amem import tokens
from amem.contract import Recall
from amem.lm.types import Request, Sampling
from amem.note import Attributes, Note
from amem.prompting.pack import PromptPack
from amem.settings import AMemSettings
from eval.datasets.categories import Category
from eval.datasets.locate import shipped_sample
from eval.datasets.locomo import load_locomo
from eval.datasets.types import Conversation, QAItem
from eval.prompts import load_pack
from eval.runner.reader import Reader

HELP = "Print the prompts of one note, link decision, evolution and question of each category"

_NOTES = 3
_SETTINGS = AMemSettings()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--pack", default="default", metavar="NAME_OR_FOLDER", help="a pack of configs/prompts, or a folder of your own"
    )
    parser.add_argument("--call", metavar="NAME", help="only this call, such as note_link")


def run(args: argparse.Namespace) -> int:
    pack = load_pack(args.pack)
    print(f"Prompt pack {pack.name}, hash {pack.hash}")
    print(
        "The dialogue is the shipped sample's. Keywords, tags and context are words of the turn; in a run"
    )
    print("they are what the model wrote.\n")
    for title, request in requests(pack):
        if args.call in (None, request.purpose):
            print(_shown(title, request))
    return 0


def requests(pack: PromptPack) -> Iterator[tuple[str, Request]]:
    """(what it is about, request) of every kind of call of A-Mem and the reader, on the shipped sample."""
    conversation = load_locomo(shipped_sample("it shows the prompts").path).conversations[0]
    notes, construct = _notes(pack, conversation)
    new, *older = reversed(notes)
    yield f"note {new.id}", construct
    linking = {"links_as": _SETTINGS.links_as, "strengthen_tags": _SETTINGS.strengthen_tags}
    yield f"links of note {new.id}", pack.request("note_link", note=new, neighbours=older, **linking)
    evolving = list(_SETTINGS.evolving)
    evolve = pack.request("note_evolve", note=new, neighbour=older[0], others=older[1:], evolving=evolving)
    yield f"note {older[0].id}, now that note {new.id} has come", evolve
    first = {category: _first(conversation, category) for category in Category}
    yield "keywords of a question", pack.request("query_keywords", question=first[Category.SINGLE_HOP].question.text)
    reader = Reader(pack, seed=0)
    for category, item in first.items():
        task = reader.task(item)
        yield f"a question, {category.replace('_', '-')}", reader.request(task, item.question, _recall(pack, notes))


def _notes(pack: PromptPack, conversation: Conversation) -> tuple[list[Note], Request]:
    """The first notes, oldest first, and the request that the last of them comes from."""
    session = conversation.sessions[0]
    notes = []
    for position, turn in enumerate(session.turns[:_NOTES], start=1):
        content = pack.render("turn", turn=turn)
        said = {"content": content, "time": session.date_text, "speaker": turn.speaker}
        request = pack.request("note_construct", note=said)
        attributes = _stand_in(turn.text)
        notes.append(Note(f"n{position}", turn.id, session.id, turn.speaker, content, session.date_text, attributes))
    return notes, request


def _stand_in(text: str) -> Attributes:
    words = re.findall(r"[^\W_]{5,}", text)
    return Attributes(keywords=tuple(words[:3]), tags=tuple(words[3:5]), context=" ".join(words[:8]))


def _first(conversation: Conversation, category: Category) -> QAItem:
    return next(item for item in conversation.items if item.category is category)


def _recall(pack: PromptPack, notes: list[Note]) -> Recall:
    text = pack.render("note_list", notes=[pack.render("note", note=note) for note in notes])
    return Recall(text, (), tokens.count(text))


def _shown(title: str, request: Request) -> str:
    lines = [f"=== {request.purpose}: {title}"]
    lines += [f"--- {message.role}\n{message.content}" for message in request.messages]
    schema = json.dumps(request.schema, ensure_ascii=False) if request.schema else "none: free text"
    lines += [f"--- schema of the reply\n{schema}", f"--- sampling\n{_sampling(request.sampling)}\n"]
    return "\n".join(lines)


def _sampling(sampling: Sampling) -> str:
    given = {f.name: getattr(sampling, f.name) for f in fields(sampling)}
    own = [f"{name} {value}" for name, value in given.items() if value not in (None, ())]
    rest = [name for name, value in given.items() if value in (None, ())]
    return f"{', '.join(own) or 'nothing set'} (the backbone's: {', '.join(rest)})"
