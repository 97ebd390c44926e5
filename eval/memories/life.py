"""A note's life as text: what was said, what the model made of it, what later notes did to it, what it hangs on."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from amem.network import NoteNetwork
from amem.note import Attributes, Change, Link, Note
from eval.memories.drift import note_drifts
from eval.memories.stored import StoredMemory

_WIDTH = 110


def life(memory: StoredMemory, note_id: str) -> str:
    """Raises KeyError for an unknown note."""
    network = memory.network()
    note = network[note_id]
    lines = [f"{note.id}  {note.time}  turn {note.turn_id}", *_wrapped(note.content, "  "), ""]
    for change in network.changes_of(note.id):
        lines += _change(network, change)
    lines += ["", "Links"]
    lines += [f"  → {_target(network, link)}" for link in note.links] or ["  → none"]
    lines += [f"  ← {_brief(network[source])}" for source in network.linked_from(note.id)] or ["  ← none"]
    box = next(box for box in network.boxes() if note.id in box)
    lines += ["", f"Box of {len(box)}"]
    lines += [f"  {_brief(network[other])}" for other in box]
    return "\n".join(lines) + "\n"


def _change(network: NoteNetwork, change: Change) -> Iterator[str]:
    cause = network[change.cause_id]
    call = f"call {change.call[:12]}" if change.call else "no call"
    if change.kind == "construct":
        yield f"Constructed ({call})"
        yield from _attributes(change.after or Attributes())
    elif change.kind == "link":
        yield f"Linked to {_target(network, change.target or '')} ({call})"
    else:
        yield f"Evolved through {cause.id}, {cause.session_id}, {cause.time} ({call})"
        yield from _differences(change.before or Attributes(), change.after or Attributes())


def _attributes(attributes: Attributes) -> Iterator[str]:
    for name, text in _texts(attributes).items():
        yield from _wrapped(f"{name}: {text}", "  ")


def _differences(before: Attributes, after: Attributes) -> Iterator[str]:
    old, new = _texts(before), _texts(after)
    for name in old:
        if old[name] != new[name]:
            yield from _wrapped(f"{name} - {old[name]}", "  ")
            yield from _wrapped(f"{' ' * len(name)} + {new[name]}", "  ")


def _texts(attributes: Attributes) -> dict[str, str]:
    return {
        "context": attributes.context,
        "keywords": ", ".join(attributes.keywords),
        "tags": ", ".join(attributes.tags),
    }


def _target(network: NoteNetwork, link: Link) -> str:
    target = network.resolve(link)
    written = f"position {link}: " if isinstance(link, int) else ""
    return written + (_brief(network[target]) if target else "out of range, leads nowhere")


def _brief(note: Note) -> str:
    return f"{note.id}  {_said(note)}"


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=indent + "  ") or [indent + "(empty)"]


def overview(memory: StoredMemory) -> str:
    """Every note in a line (evolutions, links, what was said), what was counted, and the boxes."""
    network = memory.network()
    drifts = note_drifts(network, *memory.first_and_last_vectors())
    lines = [f"{memory.backbone} / {memory.method} / {memory.name}: {len(network)} notes", ""]
    lines.append("note     evolved  cosine  links  from")
    for note, found in zip(network, drifts, strict=True):
        links = f"{found.links:>5}  {len(network.linked_from(note.id)):>4}"
        lines.append(f"{note.id:<7} {found.changes:>8}  {found.cosine:6.3f}  {links}  {_said(note)}")
    boxes = [box for box in network.boxes() if len(box) > 1]
    lines += ["", *(f"Box of {len(box)}: {' '.join(box)}" for box in boxes)]
    lines += ["", *(f"{name}: {count}" for name, count in sorted(memory.snapshot.state["counters"].items()))]
    return "\n".join(lines).rstrip() + "\n"


def _said(note: Note) -> str:
    return textwrap.shorten(note.content, 70, placeholder=" …")
