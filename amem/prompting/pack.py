"""A prompt pack: a folder of Jinja2 templates from which every string that reaches a model is made.

Layout of a pack (documented for users in `configs/prompts/README.md`)::

    pack.yaml                     name, description, optionally `extends: <folder beside it, shipped pack or path>`
    calls/<call>/10-system.j2     one file a message; the number orders, the word after it is the role
    calls/<call>/20-user.j2
    calls/<call>/schema.json      JSON schema of the reply (optional: free text without it); may be schema.json.j2
    calls/<call>/sampling.yaml    temperature, top_p, max_tokens, seed, stop (optional)
    parts/<part>.j2               how a note, a turn, a date, an option … is rendered

A file missing from a pack is taken from the pack that it extends. A missing variable is an error, never an empty
string. One trailing newline of a file is dropped, all other bytes are sent as they are.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import jinja2
import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from amem.errors import PromptPackError
from amem.lm.types import Message, Request, Sampling

_MESSAGE_FILE = re.compile(r"^(\d+)-(system|user|assistant)\.j2$")
_SAMPLING_FIELDS = set(Sampling.__dataclass_fields__)


class PromptPack:
    """Templates of one folder, and of the packs that it extends; `shipped` holds packs that may be extended by name."""

    def __init__(self, folder: Path | str, *, shipped: Path | None = None) -> None:
        self._folders = _chain(Path(folder), shipped)
        self.folder = self._folders[0]
        loader = jinja2.FileSystemLoader([str(folder) for folder in self._folders], encoding="utf-8")
        # A pack does not change under a run: no look at the disk for a template that is loaded.
        self._environment = jinja2.Environment(
            loader=loader,
            undefined=jinja2.StrictUndefined,
            autoescape=False,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
            cache_size=-1,
        )
        self._call_files = lru_cache(maxsize=None)(self._find_call_files)
        self._sampling = lru_cache(maxsize=None)(self._read_sampling)
        self._read = lru_cache(maxsize=None)(self._read_file)
        self._nearest = lru_cache(maxsize=None)(self._find_nearest)
        self._sound_schemas: set[str] = set()
        self._environment.globals["part"] = self.render
        self._environment.filters["json"] = lambda value: json.dumps(value, ensure_ascii=False)

    @cached_property
    def name(self) -> str:
        return str(_read_pack_yaml(self.folder).get("name", self.folder.name))

    @cached_property
    def hash(self) -> str:
        """SHA-256 over every file (path and bytes) of the pack and of the packs that it extends."""
        digest = hashlib.sha256()
        for depth, folder in enumerate(self._folders):
            for path in sorted(p for p in folder.rglob("*") if p.is_file()):
                digest.update(f"{depth}\0{path.relative_to(folder).as_posix()}\0".encode())
                digest.update(path.read_bytes())
                digest.update(b"\0")
        return digest.hexdigest()

    def calls(self) -> list[str]:
        """The names of all calls that the pack has, sorted."""
        return sorted({d.name for f in self._folders for d in (f / "calls").glob("*") if d.is_dir()})

    def parts(self) -> list[str]:
        """The names of all parts that the pack has, sorted."""
        return sorted({p.stem for f in self._folders for p in (f / "parts").glob("*.j2")})

    def render(self, part: str, **variables: Any) -> str:
        """Render `parts/<part>.j2`; inside templates the same is `{{ part("<part>", …) }}`."""
        return self._render(f"parts/{part}.j2", variables)

    def request(self, call: str, **variables: Any) -> Request:
        """Build the request of a call; its purpose is the call's name."""
        files = self._call_files(call)
        messages = tuple(
            Message(role=match.group(2), content=self._render(f"calls/{call}/{name}", variables))  # type: ignore[arg-type]
            for name, match in files
        )
        return Request(messages, call, self._schema(call, variables), self._sampling(call))

    def sampling(self, call: str) -> Sampling:
        """The sampling parameters of a call; None where they are the backbone's."""
        return self._sampling(call)

    def _find_call_files(self, call: str) -> list[tuple[str, re.Match[str]]]:
        # A pack that brings any message of a call brings them all: mixing two packs' messages would make a prompt
        # that neither author wrote.
        for folder in self._folders:
            names = sorted(p.name for p in (folder / "calls" / call).glob("*.j2"))
            matches = [(name, match) for name in names if (match := _MESSAGE_FILE.match(name))]
            strange = [name for name in names if not _MESSAGE_FILE.match(name) and not name.startswith("schema.")]
            if strange:
                raise PromptPackError(
                    f"prompt pack {folder}: calls/{call}/{strange[0]} is no message; they are named NN-system.j2, "
                    "NN-user.j2 or NN-assistant.j2"
                )
            if matches:
                return sorted(matches, key=lambda item: int(item[1].group(1)))
        raise PromptPackError(
            f"prompt pack {self.folder}: no messages for call '{call}' "
            f"(expected files such as calls/{call}/20-user.j2); it has: {', '.join(self.calls()) or 'none'}"
        )

    def _read_file(self, relative: str) -> str:
        return next(path for f in self._folders if (path := f / relative).is_file()).read_text("utf-8")

    def _schema(self, call: str, variables: Mapping[str, Any]) -> Mapping[str, Any] | None:
        relative = self._nearest(f"calls/{call}/schema.json", f"calls/{call}/schema.json.j2")
        if relative is None:
            return None
        text = self._render(relative, variables) if relative.endswith(".j2") else self._read(relative)
        try:
            schema = json.loads(text)
            if call not in self._sound_schemas:
                # Once a call: a template's renderings differ in their lists of ids alone.
                Draft202012Validator.check_schema(schema)
                self._sound_schemas.add(call)
        except json.JSONDecodeError as error:
            raise PromptPackError(f"prompt pack {self.folder}: schema of call '{call}' is not JSON: {error}") from error
        except SchemaError as error:
            raise PromptPackError(
                f"prompt pack {self.folder}: schema of call '{call}' is no JSON schema: {error.message}"
            ) from error
        return schema

    def _find_nearest(self, *names: str) -> str | None:
        """The first of `names` in the nearest folder that has one: a template overrides a parent's plain file."""
        return next((name for folder in self._folders for name in names if (folder / name).is_file()), None)

    def _read_sampling(self, call: str) -> Sampling:
        relative = self._nearest(f"calls/{call}/sampling.yaml")
        try:
            values = (yaml.safe_load(self._read(relative)) or {}) if relative else {}
            unknown = set(values) - _SAMPLING_FIELDS
        except (yaml.YAMLError, UnicodeError, TypeError) as error:
            raise PromptPackError(f"prompt pack {self.folder}: {relative}: not YAML of names and values") from error
        strange = [name for name in ("temperature", "top_p") if isinstance(values.get(name, 0.0), str)]
        if strange:
            raise PromptPackError(f"prompt pack {self.folder}: {relative}: {strange[0]} must be a number")
        if unknown:
            raise PromptPackError(
                f"prompt pack {self.folder}: {relative}: unknown sampling parameter {', '.join(sorted(unknown))}; "
                f"known: {', '.join(sorted(_SAMPLING_FIELDS))}"
            )
        if "stop" in values:
            values["stop"] = tuple(values["stop"])
        return Sampling(**values)

    def _render(self, template: str, variables: Mapping[str, Any]) -> str:
        try:
            return self._environment.get_template(template).render(**variables)
        except jinja2.TemplateNotFound as error:
            raise PromptPackError(f"prompt pack {self.folder}: file {error.name} is missing") from error
        except jinja2.UndefinedError as error:
            raise PromptPackError(
                f"prompt pack {self.folder}: {template}: {error.message}; it is given: {', '.join(sorted(variables))}"
            ) from error
        except jinja2.TemplateSyntaxError as error:
            raise PromptPackError(f"prompt pack {self.folder}: {error.name}:{error.lineno}: {error.message}") from error
        except (ArithmeticError, LookupError, TypeError, ValueError, UnicodeError) as error:
            raise PromptPackError(f"prompt pack {self.folder}: {template}: {type(error).__name__}: {error}") from error


def _read_pack_yaml(folder: Path) -> dict[str, Any]:
    path = folder / "pack.yaml"
    if not path.is_file():
        raise PromptPackError(
            f"{folder} is not a prompt pack: it has no pack.yaml (extends names a folder beside its pack, "
            "a shipped pack, or an absolute path)"
        )
    try:
        return yaml.safe_load(path.read_text("utf-8")) or {}
    except (yaml.YAMLError, UnicodeError) as error:
        raise PromptPackError(f"{path}: not YAML in UTF-8: {error}") from error


def _chain(folder: Path, shipped: Path | None) -> list[Path]:
    folders: list[Path] = []
    while True:
        if folder in folders:
            raise PromptPackError(f"prompt pack {folder} extends itself (by way of {folders[-1]})")
        folders.append(folder)
        parent = _read_pack_yaml(folder).get("extends")
        if not parent:
            return folders
        folder = _extended(folder, str(parent), shipped)


def _extended(folder: Path, parent: str, shipped: Path | None) -> Path:
    beside = (folder.parent / parent).resolve()
    if shipped is not None and not beside.is_dir() and (shipped / parent).is_dir():
        return shipped / parent
    return beside
