"""Working context: named blocks of text that always stand in the prompt and that only the agent edits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

PERSONA = "persona"
HUMAN = "human"
BLOCKS = (PERSONA, HUMAN)


class FunctionError(Exception):
    """A call that can't be carried out; `code` picks the words of the pack, `about` is put into them."""

    def __init__(self, code: str, about: str = "") -> None:
        super().__init__(f"{code}: {about}")
        self.code = code
        self.about = about


@dataclass(frozen=True, slots=True)
class Block:
    name: str
    text: str
    limit: int
    """In characters."""


class CoreMemory:
    """The persona and the human block. An edit that would exceed a block's limit leaves it as it was."""

    def __init__(self, texts: Mapping[str, str], limit: int) -> None:
        self._texts = {name: "" for name in BLOCKS}
        self.limit = limit
        for name, text in texts.items():
            self._write(name, text)

    @property
    def blocks(self) -> tuple[Block, ...]:
        return tuple(Block(name, text, self.limit) for name, text in self._texts.items())

    def append(self, name: str, content: str) -> None:
        text = self._read(name)
        self._write(name, f"{text}\n{content}" if text else content)

    def replace(self, name: str, old: str, new: str) -> None:
        """Replace every occurrence of `old`; an empty `new` deletes."""
        text = self._read(name)
        if old not in text:
            raise FunctionError("old_content_missing", name)
        self._write(name, text.replace(old, new))

    def copy(self) -> CoreMemory:
        return CoreMemory(self._texts, self.limit)

    def to_json(self) -> dict[str, str]:
        return dict(self._texts)

    def _read(self, name: str) -> str:
        if name not in self._texts:
            raise FunctionError("unknown_block", name)
        return self._texts[name]

    def _write(self, name: str, text: str) -> None:
        if len(text) > self.limit:
            raise FunctionError("block_full", f"{len(text)}/{self.limit}")
        self._texts[name] = text
