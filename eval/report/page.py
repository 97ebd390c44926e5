"""One HTML document from its parts: nothing is asked of the network, and all data rides along as inert text."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from eval.tables import html

_TEMPLATE = Path(__file__).parent / "template"
SCRIPTS = ("dom", "address", "questions", "answer", "compare", "retrieval", "versions", "network", "memory", "main")


def packed(value: Any) -> Markup:
    """JSON, compressed, in base64: no text in it can end the element that holds it."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return Markup(base64.b64encode(gzip.compress(text.encode("ascii"), mtime=0)).decode("ascii"))


def picture(svg: bytes) -> str:
    """An address that holds the picture itself."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg).decode("ascii")


def render(title: str, data: Mapping[str, Any], texts: Mapping[str, Any], overview: Mapping[str, Any]) -> str:
    """`data`: questions, answers, memories; `texts`: lines and prompts; `overview`: what the first view shows."""
    environment = Environment(loader=FileSystemLoader(_TEMPLATE), autoescape=True, undefined=StrictUndefined)
    return environment.get_template("page.html.j2").render(
        overview,
        title=title,
        style=Markup(html.STYLE + _read("style.css")),
        script=Markup("\n".join(_read(f"{name}.js") for name in SCRIPTS)),
        data=packed(data),
        texts=packed(texts),
        views=_views(data),
    )


_VIEWS = (
    ("questions", "Questions", "every question with its answers, evidence, recalled text and prompts; filters"),
    ("compare", "Compare", "two methods on the same question, side by side"),
    ("memory", "Memory", "the note network through time, versions of notes, and the way that a retrieval took"),
)
"""Name, title and purpose."""


def _views(data: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """The views that have something to show."""
    cells = {(answer["backbone"], answer["method"], answer["repeat"]) for answer in data["answers"]}
    there = {"questions": bool(cells), "compare": len(cells) > 1, "memory": bool(data["memories"])}
    return [view for view in _VIEWS if there[view[0]]]


def _read(name: str) -> str:
    return (_TEMPLATE / name).read_text("utf-8")
