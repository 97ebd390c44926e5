"""What a configured run will ask for: calls, tokens, USD and hours by backbone and method, before anything is sent."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from amem.contract import Tools
from amem.errors import ConfigurationError
from amem.lm.budget import Prices
from amem.lm.build import Pinned, build_provider, concurrency_of, prices_of, reask_of, sampling_of
from amem.lm.limits import CountsPrompts
from amem.lm.records import RecordStore
from amem.lm.types import Provider
from amem.lm.types import Usage as TokenUsage
from amem.prompting.pack import PromptPack
from eval import benchmarks
from eval.benchmarks import Benchmark
from eval.config import RunConfig
from eval.estimate.dry_run import MOST_CALLS, Usage, usage_of
from eval.estimate.model import DryProvider, RoundsModel, WordCounts
from eval.estimate.servers import server_of
from eval.estimate.shapes import Shape, assumed_from, assumed_seconds, measured
from eval.prompts import load_pack
from eval.runner.cells import cell_of


@dataclass(frozen=True, slots=True)
class Row:
    """One backbone and method over the whole data, all repeats."""

    backbone: str
    method: str
    calls: float
    prompt_tokens: float
    completion_tokens: float
    usd: float
    work_seconds: float
    """Of all calls, one after the other."""
    chain_seconds: float
    """Of those calls that no concurrency can put side by side."""
    unanswered: float
    by_purpose: Mapping[str, Mapping[str, float]]

    def hours(self, side_by_side: int) -> float:
        return max(self.work_seconds / side_by_side, self.chain_seconds) / 3600


@dataclass(frozen=True, slots=True)
class BackboneEstimate:
    name: str
    rows: list[Row]
    side_by_side: int
    seconds_source: str
    prices_source: str
    measured_replies: int
    """Recorded replies that lengths and times come from; 0: all assumed."""
    assumed_purposes: tuple[str, ...]
    assumed_source: str
    """Where the lengths of those are from."""
    server: str
    """As in `eval.estimate.servers.server_of`."""

    @property
    def hours(self) -> float:
        work = sum(row.work_seconds for row in self.rows) / self.side_by_side
        return max(work, *(row.chain_seconds for row in self.rows)) / 3600


@dataclass(frozen=True, slots=True)
class Estimate:
    data_line: str
    how: str
    backbones: list[BackboneEstimate]

    def by_server(self) -> dict[str, list[BackboneEstimate]]:
        found: dict[str, list[BackboneEstimate]] = {}
        for backbone in self.backbones:
            found.setdefault(backbone.server, []).append(backbone)
        return found

    @property
    def hours(self) -> float:
        """Servers work side by side; the backbones of one share what it can do, so that their hours add up."""
        return max(sum(backbone.hours for backbone in shared) for shared in self.by_server().values())

    def to_json(self) -> dict[str, Any]:
        return {
            "data": self.data_line,
            "how": self.how,
            "hours": self.hours,
            "backbones": [
                {**asdict(backbone), "hours": backbone.hours, "rows": [_row_json(backbone, r) for r in backbone.rows]}
                for backbone in self.backbones
            ],
        }


def estimate(config: RunConfig, *, records: Path | None, conversations: int = 1, questions: int = 5) -> Estimate:
    """Run every method dry over so many conversations, and of each at most so many questions a category.

    `records` is a record store whose replies tell lengths and times. Raises ConfigurationError and DataError.
    """
    if config.scaling is not None:
        raise ConfigurationError(
            "scaling: a scaling run asks a model nothing, so that there is nothing to estimate; leave out "
            "experiment=scaling (or set scaling=null) for a run that does"
        )
    benchmark = benchmarks.load(config)
    with ExitStack() as stack:
        store = stack.enter_context(RecordStore(records)) if records is not None and records.exists() else None
        work = _Work(config, benchmark, store, conversations, questions)
        return Estimate(benchmark.line, work.how, [work.backbone(name) for name in config.backbones])


class _Work:
    """Dry runs, each made once for all backbones that would ask and count the same."""

    def __init__(
        self, config: RunConfig, benchmark: Benchmark, store: RecordStore | None, conversations: int, questions: int
    ) -> None:
        self._config = config
        self._benchmark = benchmark
        self._store = store
        self._conversations = conversations
        self._questions = questions
        self._done: dict[str, Usage] = {}

    @property
    def how(self) -> str:
        return (
            f"{self._conversations} of the conversations run dry (all of them for methods that take in without a "
            f"call), no further than {MOST_CALLS:,} calls, and at most {self._questions} questions a category and "
            "conversation; taking in scaled by turns, answering by questions of each category"
        )

    def backbone(self, name: str) -> BackboneEstimate:
        spec = asdict(self._config.backbones[name])
        provider = build_provider(spec)
        try:
            shapes = self._shapes(provider)
            seconds, source = assumed_seconds(name)
            prices, limit = prices_of(spec, provider), concurrency_of(spec, provider)
            usages = {method: self._usage(name, provider, shapes, method) for method in self._config.methods}
        finally:
            provider.close()
        times = {purpose: shape.seconds for purpose, shape in shapes.items() if shape.seconds is not None}
        repeats = self._config.repeats
        rows = [_row(name, method, usage, prices, times, seconds, repeats) for method, usage in usages.items()]
        purposes = {purpose for usage in usages.values() for purpose in usage.by_purpose}
        return BackboneEstimate(
            name,
            rows,
            limit,
            f"{seconds:g} s a call ({source})" if purposes - set(times) else "records",
            f"{prices.source} {prices.date}".strip(),
            sum(shape.measured for shape in shapes.values()),
            tuple(sorted(purposes - set(shapes))),
            assumed_from(self._pack(name).name),
            server_of(name, spec["_target_"], spec["settings"]),
        )

    def _shapes(self, provider: Provider) -> dict[str, Shape]:
        if self._store is None:
            return {}
        if isinstance(provider, Pinned):
            try:
                provider.pin(self._store, ask=False)
            except ConfigurationError:
                return {}  # the records do not know this model at all
        return measured(self._store.replies_of(provider.identity))

    def _pack(self, backbone: str) -> PromptPack:
        return load_pack(self._config.prompts.folder or self._config.backbones[backbone].prompts)

    def _usage(self, backbone: str, provider: Provider, shapes: dict[str, Shape], name: str) -> Usage:
        spec = self._config.backbones[backbone]
        pack = self._pack(backbone)
        # All that the dry run can see of a backbone.
        limit = concurrency_of(asdict(spec), provider)
        counting = (spec.settings.get("tokens_factor"), isinstance(provider, CountsPrompts) and provider.identity)
        seen = (name, pack.hash, provider.window, repr(shapes), asdict(spec.sampling), limit, spec._target_, counting)
        key = json.dumps(seen, sort_keys=True, default=str)
        if key not in self._done:
            print(f"dry run: {backbone} / {name}", file=sys.stderr, flush=True)
            self._done[key] = self._dry_run(backbone, provider, shapes, pack, name)
        return self._done[key]

    def _dry_run(
        self, backbone: str, provider: Provider, shapes: dict[str, Shape], pack: PromptPack, name: str
    ) -> Usage:
        spec = asdict(self._config.backbones[backbone])
        dry = DryProvider(provider, shapes, pack.name)
        limit = concurrency_of(spec, provider)
        sampling = sampling_of(spec, self._config.seed)

        def tools() -> Tools:
            model = RoundsModel(dry, limit, sampling=sampling, reask=reask_of(pack))
            return Tools(model, WordCounts(self._config.embedder.dimension), pack, self._config.seed)

        # A first model for what a cell has to hold; each conversation gets one of its own.
        prototype = tools()
        cell = cell_of(
            self._config,
            backbone=backbone,
            method=name,
            repeat=0,
            model=prototype.lm,
            embedder=prototype.embedder,
            pack=pack,
            folder=Path(),
        )
        units = list(self._benchmark.units(cell))
        swept = self._config.methods[name].swept
        builds = swept is None or swept.memory == name
        return usage_of(units, tools, at_most=self._conversations, questions=self._questions, builds=builds)


def _row(
    backbone: str,
    method: str,
    usage: Usage,
    prices: Prices,
    times: Mapping[str, float],
    seconds: float,
    repeats: int,
) -> Row:
    purposes = {
        purpose: {**{k: v * repeats for k, v in asdict(sums).items()}, "seconds_a_call": times.get(purpose, seconds)}
        for purpose, sums in sorted(usage.by_purpose.items())
    }
    prompt, completion = (sum(p[k] for p in purposes.values()) for k in ("prompt_tokens", "completion_tokens"))
    return Row(
        backbone=backbone,
        method=method,
        calls=sum(p["calls"] for p in purposes.values()),
        prompt_tokens=prompt,
        completion_tokens=completion,
        usd=prices.usd(TokenUsage(round(prompt), round(completion))),
        work_seconds=sum(p["calls"] * p["seconds_a_call"] for p in purposes.values()),
        chain_seconds=sum(count * times.get(purpose, seconds) for purpose, count in usage.chain.items()),
        unanswered=usage.unanswered * repeats,
        by_purpose=purposes,
    )


def _row_json(backbone: BackboneEstimate, row: Row) -> dict[str, Any]:
    return {**asdict(row), "hours": row.hours(backbone.side_by_side)}


def rows(estimate: Estimate) -> Iterator[Row]:
    for backbone in estimate.backbones:
        yield from backbone.rows
