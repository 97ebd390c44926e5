"""From configuration to passes: what a run on DialSim takes in and asks, and the line that tells which data it is."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from amem.errors import ConfigurationError
from eval.datasets.locate import NOT_COMPARABLE, data_folder
from eval.dialsim.census import differences
from eval.dialsim.formats import AnswerFormat, ReplyStyle
from eval.dialsim.locate import find_dialsim, load_sample
from eval.dialsim.names import NameMode
from eval.dialsim.objects import Show
from eval.dialsim.plan import Plan
from eval.dialsim.replay import replay

Choice = TypeVar("Choice", NameMode, AnswerFormat, ReplyStyle)

SOURCES = ("auto", "official", "sample")
LICENCES = {
    True: "CC0 1.0 (written for this project)",
    False: "none stated for the data; TV scripts under their owners' copyright (Kim et al., jiho283/Simulator)",
}


@dataclass
class DialSimConfig:
    """What may be configured; texts are checked by `load_dialsim`."""

    source: str = "auto"
    """`official`, `sample`, or `auto` (the official data where it is found, else the sample, and says so)."""
    data_dir: str | None = None
    """None: the variable AMEM_DATA_DIR, else `data`."""
    hub: bool = False
    """Fetch what is not found from the Hugging Face hub."""
    version: str = "v1.1"
    shows: list[str] = field(default_factory=lambda: ["friends"])
    episodes: int | None = None
    """Only the first so many episodes of each show, in stored order."""
    sessions: int | None = None
    """Only the first so many sessions of each show."""
    turns: int | None = None
    """Only the first sessions of each show that together hold no more turns than this."""
    names: str = "original"
    """`original`, `shuffle` or `new_name`."""
    answer_format: str = "open_ended"
    """`open_ended`, `multi_choice_structured` or `multi_choice_unstructured`."""
    style: str = "short"
    """How open-ended answers are asked for: `short` (as LoCoMo's) or `role` (as DialSim does)."""


@dataclass(frozen=True, slots=True)
class DialSimData:
    """The passes of one seed, one a show."""

    plans: tuple[Plan, ...]
    answer_format: AnswerFormat
    style: ReplyStyle
    line: str
    """For people: which data, where from, how much of it, and what is odd about it."""
    sources: tuple[str, ...]
    sha256: str
    """Over the passes: the same for the same data whatever its file format."""
    is_sample: bool

    @property
    def name(self) -> str:
        return "dialsim-sample" if self.is_sample else "dialsim"

    @property
    def source(self) -> str:
        return ", ".join(self.sources)

    @property
    def comparable(self) -> bool:
        """The paper does not say what its figures are of, so that none can be held to be of the same."""
        return False

    @property
    def left_out(self) -> dict[str, int]:
        """Sessions without a question, by reason."""
        return dict(sum((Counter({str(k): n for k, n in plan.unasked.items()}) for plan in self.plans), Counter()))

    @property
    def licence(self) -> str:
        return LICENCES[self.is_sample]

    @property
    def description(self) -> str:
        """What is in it, for captions: "friends, 788 sessions: 18,664 turns, 783 questions"."""
        return "; ".join(_described(plan) for plan in self.plans)


def load_dialsim(config: DialSimConfig, seed: int) -> DialSimData:
    """Find the shows and draw one pass over each; raises DataError or ConfigurationError."""
    names = _choice(NameMode, "names", config.names)
    answer_format = _choice(AnswerFormat, "answer_format", config.answer_format)
    style = _choice(ReplyStyle, "style", config.style)
    shows, why = _shows(config)
    plans = tuple(
        replay(show, seed=seed, names=names, episodes=config.episodes, sessions=config.sessions, turns=config.turns)
        for show in shows
    )
    digest = hashlib.sha256("".join(plan.sha256 for plan in plans).encode()).hexdigest()
    is_sample = why is not None
    return DialSimData(
        plans=plans,
        answer_format=answer_format,
        style=style,
        line=_line(config, shows, plans, why),
        sources=tuple(show.source for show in shows),
        sha256=digest,
        is_sample=is_sample,
    )


def _choice(kind: type[Choice], name: str, value: str) -> Choice:
    try:
        return kind(value)
    except ValueError:
        raise ConfigurationError(f"dialsim.{name} is {value!r}; known are {', '.join(kind)}") from None


def _shows(config: DialSimConfig) -> tuple[list[Show], str | None]:
    """The shows, and why they are the sample where they are."""
    if config.source not in SOURCES:
        raise ConfigurationError(f"dialsim.source is {config.source!r}; known are {', '.join(SOURCES)}")
    if not config.shows or len(set(config.shows)) < len(config.shows):
        raise ConfigurationError("dialsim.shows must name at least one show, and each once")
    if config.source == "sample":
        return [load_sample()], "it was asked for"
    folder = data_folder(config.data_dir)
    if config.source == "auto" and not config.hub and not _has_any(folder):
        return [load_sample()], f"there is no data in {folder / 'dialsim'}"
    return [find_dialsim(folder, name, config.version, hub=config.hub) for name in config.shows], None


def _has_any(data_dir: Path) -> bool:
    """Whether somebody has put anything there: what is there but incomplete is an error, no reason for the sample."""
    folder = data_dir / "dialsim"
    return (folder.is_dir() and any(folder.iterdir())) or any(data_dir.glob("dialsim*.zip"))


def _line(config: DialSimConfig, shows: list[Show], plans: tuple[Plan, ...], why: str | None) -> str:
    whole = config.episodes is None and config.sessions is None and config.turns is None
    odd = [problem for plan in plans for problem in differences(plan)] if whole else []
    if why is not None:
        head = f"Data: the DialSim sample that ships with this project, since {why}; {NOT_COMPARABLE}"
    else:
        head = f"Data: DialSim {config.version} from {', '.join(show.source for show in shows)}"
    return "\n".join([head, *(_described(plan) for plan in plans), *odd])


def _described(plan: Plan) -> str:
    turns = sum(len(session.turns) for session in plan.sessions())
    asks = sum(1 for _ in plan.asks())
    return f"{plan.show}, {plan.session_count:,} sessions: {turns:,} turns, {asks:,} questions"
