"""`python -m eval show-prompts`: what is asked of a model, as it is sent."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from dataclasses import fields

from amem import tokens
from amem.contract import Recall
from amem.errors import ConfigurationError
from amem.lm.types import Request, Sampling
from amem.note import Attributes, Note
from amem.prompting.pack import PromptPack
from amem.settings import AMemSettings
from eval.composition import compose, method_settings
from eval.datasets.categories import Category
from eval.datasets.locate import shipped_sample
from eval.datasets.locomo import load_locomo
from eval.datasets.types import Conversation, QAItem
from eval.prompts import load_pack
from eval.runner.reader import Reader

HELP = "Print the prompts of one note, link decision, evolution and question of each category"

_NOTES = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--pack", default="default", metavar="NAME_OR_FOLDER", help="a pack of configs/prompts, or a folder of your own"
    )
    parser.add_argument("--method", default="amem", help="the variant of A-Mem that asks, such as amem/released")
    parser.add_argument("--call", metavar="NAME", help="only this call, such as note_link")


def run(args: argparse.Namespace) -> int:
    pack = load_pack(args.pack)
    shown = list(requests(pack, _settings(args.method)))
    purposes = sorted({request.purpose for _, request in shown})
    if args.call not in (None, *purposes):
        known = ", ".join(purposes)
        raise ConfigurationError(f"--call {args.call}: {args.method} makes no such call; there are {known}")
    print(f"Prompt pack {pack.name}, hash {pack.hash}")
    print("The dialogue is the shipped sample's. Keywords, tags and context are words of the turn; in a run")
    print("they are what the model wrote.\n")
    for title, request in shown:
        if args.call in (None, request.purpose):
            print(_shown(title, request))
    return 0


def requests(pack: PromptPack, settings: AMemSettings) -> Iterator[tuple[str, Request]]:
    """(what it is about, request) of every kind of call of A-Mem and the reader, on the shipped sample."""
    conversation = load_locomo(shipped_sample("it shows the prompts").path).conversations[0]
    notes, construct = _notes(pack, conversation, settings)
    yield f"note {notes[-1].id}", construct
    new, *older = reversed(notes)
    yield from _revision(pack, new, older, settings)
    first = {category: _first(conversation, category) for category in Category}
    if settings.query == "keywords":
        text = first[Category.SINGLE_HOP].question.text
        yield "keywords of a question", pack.request("query_keywords", question=text)
    reader = Reader(pack, seed=0)
    for category, item in first.items():
        task = reader.task(item)
        yield f"a question, {category.replace('_', '-')}", reader.request(task, item.question, _recall(pack, notes))


def _revision(pack: PromptPack, new: Note, older: list[Note], settings: AMemSettings) -> Iterator[tuple[str, Request]]:
    linking = {"links_as": settings.links_as, "strengthen_tags": settings.strengthen_tags}
    evolving = {"evolving": list(settings.evolving)}
    if settings.evolution_call == "joint":
        joint = pack.request("note_evolve_joint", note=new, neighbours=older, **linking, **evolving)
        yield f"links of note {new.id}, and what it changes", joint
        return
    yield f"links of note {new.id}", pack.request("note_link", note=new, neighbours=older, **linking)
    evolve = pack.request("note_evolve", note=new, neighbour=older[0], others=older[1:], **evolving)
    yield f"note {older[0].id}, now that note {new.id} has come", evolve


def _settings(method: str) -> AMemSettings:
    (chosen,) = compose([f"method=[{method}]", "backbone=[scripted]"]).methods.values()
    settings = method_settings(f"method {method}", chosen._target_, chosen.settings)
    if not isinstance(settings, AMemSettings):
        raise ConfigurationError(f"--method {method} is no variant of A-Mem; they are amem and those in amem/")
    return settings


def _notes(pack: PromptPack, conversation: Conversation, settings: AMemSettings) -> tuple[list[Note], Request]:
    """The first notes, oldest first, and the request that the last of them comes from."""
    session = conversation.sessions[0]
    notes = []
    for position, turn in enumerate(session.turns[:_NOTES], start=1):
        content = pack.render("turn", turn=turn)
        time = session.date_text if settings.note_time else None
        said = {"content": content, "time": time, "speaker": turn.speaker}
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
