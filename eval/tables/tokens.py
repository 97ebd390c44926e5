"""Tokens of each method, by question and by conversation, beside what the paper printed and what is to be expected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from eval.memories.building import Building
from eval.scoring.answers import Answer
from eval.scoring.figures import cells
from eval.scoring.scores import Scores
from eval.scoring.token_use import Place, TokenUse, Use, token_use
from eval.tables import captions, numbers
from eval.tables.layout import minor
from eval.tables.meta import RunMeta
from eval.tables.paper import PaperRow, paper_table, table1_row
from eval.tables.table import Cell, Column, Row, Section, Table

_USES = {Use.ANSWER: "answer", Use.LOOK_UP: "look-up", Use.MEMORY: "memory"}
_COLUMNS = (
    *(Column("A question, all calls", name) for name in (*_USES.values(), "together")),
    Column("Answering prompt", "whole"),
    Column("Answering prompt", "recalled"),
    *(Column("Building, a conversation", name) for name in ("calls", "prompt", "completion")),
)
_PROMPT = [str(column.name) for column in _COLUMNS].index("whole")
_NOTES = (
    "A question, all calls: prompt and completion of every call made for it, as the backbone's provider counts, means "
    "over all questions asked, failed ones too. look-up: searches, questions turned into keywords, pages chosen, and "
    "all but the last of MemGPT's chained calls; memory: calls that changed or condensed the memory meanwhile.",
    "Answering prompt: the prompt of the answering call alone (MemGPT: of the last of its chain), and the recalled "
    "text, in the o200k_base tokenizer for all backbones. This is the quantity of the Tokens column of Table 1. The "
    "paper does not say what its Token Length counts; it stands in the same column because the answering prompt fits "
    "it best, and holds neither look-up nor building.",
    "Building: means over conversations as the provider counts.",
)
_NOT_BUILT = (
    "–: the run's folder holds no memory under this method's name (rows of a sweep share the memory of the first)."
)
_EXPECTED = (
    "expected: our reckoning for the published data, the wording of the task not counted in; sources in "
    "results/paper/token_expectations.csv. The paper's figure for LoCoMo fits conv-26 alone, not all ten."
)
_NEAREST = "The paper has no such backbone: its Token Length of the nearest one stands below for orientation."


@dataclass(frozen=True, slots=True)
class _Entry:
    place: Place
    use: TokenUse
    prompt: float
    prompts: int
    recalled: float
    recalls: int
    building: Building | None
    paper: PaperRow | None
    nearest: PaperRow | None
    expected: tuple[PaperRow, ...]


def tokens_table(
    scores: Scores, answers: Iterable[Answer], meta: RunMeta, building: Mapping[Place, Building] | None = None
) -> Table:
    """`scores` must come from `answers`; without `building` its columns are unknown. A sample has no rows of
    the paper and no expectations."""
    used = token_use(answers)
    entries = [_entry(place, rows, used[place], (building or {}).get(place), meta) for place, rows in cells(scores)]
    sections = [
        Section(
            meta.backbone(backbone).label,
            tuple(row for entry in entries if entry.place[0] == backbone for row in _rows(entry, meta)),
        )
        for backbone in dict.fromkeys(entry.place[0] for entry in entries)
    ]
    notes = [*_NOTES]
    if any(entry.building is None for entry in entries):
        notes.append(_NOT_BUILT)
    if any(entry.expected for entry in entries):
        notes.append(_EXPECTED)
    if any(entry.nearest and not entry.paper for entry in entries):
        notes.append(_NEAREST)
    return Table(
        key="tokens",
        title="Tokens by method",
        label="Method",
        columns=_COLUMNS,
        sections=tuple(sections),
        caption=captions.of_run("Tokens; the Tokens column of Table 1 is Answering prompt, whole", scores, meta),
        notes=tuple(notes),
        records=tuple(map(_record, entries)),
    )


def _entry(place: Place, rows: Any, use: TokenUse, built: Building | None, meta: RunMeta) -> _Entry:
    backbone, method = meta.backbone(place[0]), meta.method(place[1]).paper_row
    published = meta.comparable and not meta.is_sample
    return _Entry(
        place=place,
        use=use,
        prompt=float(rows["prompt_tokens"].mean()),
        prompts=int(rows["prompt_tokens"].count()),
        recalled=float(rows["recall_tokens"].mean()),
        recalls=int(rows["recall_tokens"].count()),
        building=built,
        paper=table1_row(backbone.paper_row, method) if published else None,
        nearest=table1_row(backbone.paper_nearest, method) if published else None,
        expected=tuple(e for e in paper_table("token_expectations") if published and e["method"] == place[1]),
    )


def _rows(entry: _Entry, meta: RunMeta) -> list[Row]:
    questions, built = entry.use.questions, entry.building
    spent = [entry.use.mean(use) for use in _USES]
    means = [*spent, sum(spent), entry.prompt, entry.recalled, *_a_conversation(built).values()]
    counts = [questions] * (len(spent) + 1) + [entry.prompts, entry.recalls]
    counts += [built.conversations] * 3 if built else []
    rows = [
        Row(meta.method(entry.place[1]).label, tuple(Cell(numbers.whole(mean)) for mean in means)),
        minor("n", [f"{count:,}" for count in counts], len(_COLUMNS)),
    ]
    if paper := entry.paper or entry.nearest:
        label = "paper" if entry.paper else f"paper, {paper['backbone']}"
        rows.append(_beside(label, numbers.whole(_number(paper, "token_length"))))
    return rows + [_beside(f"expected, {each['scope']}", _range(each)) for each in entry.expected]


def _beside(label: str, prompt: str) -> Row:
    return minor(label, [*[""] * _PROMPT, prompt], len(_COLUMNS))


def _range(expected: PaperRow) -> str:
    low, high = (numbers.whole(_number(expected, end)) for end in ("low", "high"))
    return high if low == high else f"≤ {high}" if low == "0" else f"{low}–{high}"


def _a_conversation(built: Building | None) -> dict[str, float | None]:
    sums = (built.tokens.calls, built.tokens.prompt, built.tokens.completion) if built else (None,) * 3
    names = ("building_calls", "building_prompt", "building_completion")
    return {n: None if s is None or not built else s / built.conversations for n, s in zip(names, sums, strict=True)}


def _number(row: PaperRow, name: str) -> float | None:
    value = row.get(name)
    return value if isinstance(value, float) else None


def _record(entry: _Entry) -> dict[str, Any]:
    paper = entry.paper or entry.nearest
    record: dict[str, Any] = {"backbone": entry.place[0], "method": entry.place[1], "questions": entry.use.questions}
    for use in Use:
        record |= {f"{use}_{name}": entry.use.mean(use, name) for name in ("calls", "prompt", "completion")}
    record |= {"answering_prompt": entry.prompt, "answering_prompt_n": entry.prompts}
    record |= {"recalled": entry.recalled, "recalled_n": entry.recalls}
    record |= {"conversations": entry.building and entry.building.conversations, **_a_conversation(entry.building)}
    record |= {"paper_token_length": paper and paper["token_length"], "paper_backbone": paper and paper["backbone"]}
    return record | {"expected": "; ".join(f"{_range(each)} ({each['scope']})" for each in entry.expected)}
