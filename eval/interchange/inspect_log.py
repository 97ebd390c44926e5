"""A run as logs of Inspect (UK AI Security Institute), one a backbone and method: `inspect view` opens them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amem.errors import ConfigurationError
from amem.lm.records import RecordStore
from eval.report.prompts import records_path
from eval.scored import Scored, scored_run
from eval.scoring.answers import Answer
from eval.scoring.run_folder import read_run
from eval.scoring.scores import target_of

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalResults, EvalSample, EvalSpec

Rows = Sequence[tuple[int, Answer]]
"""Answers with their places among all of the run."""


def write_inspect_logs(folder: Path, out: Path) -> list[Path]:
    """Write `<out>/<backbone>_<method>.eval` for each; a repeat is an epoch. Needs the extra `inspect`.

    A sample's messages are those of the question's last call, from the record store beside the run.
    """
    try:
        from inspect_ai.log import write_eval_log
    except ImportError as error:
        raise ConfigurationError("inspect-ai is not installed: make extras EXTRAS=inspect") from error
    run = read_run(folder)
    scores = scored_run(run, folder)
    out.mkdir(parents=True, exist_ok=True)
    written = []
    with ExitStack() as stack:
        path = records_path(folder, run.manifest)
        store = stack.enter_context(RecordStore(path)) if path else None
        for place in dict.fromkeys((row["backbone"], row["method"]) for row in run.answers):
            rows = [(i, row) for i, row in enumerate(run.answers) if (row["backbone"], row["method"]) == place]
            written.append(out / f"{'_'.join(place)}.eval")
            write_eval_log(_log(rows, run.manifest, scores, store), str(written[-1]), format="eval")
    return written


def _log(rows: Rows, manifest: Mapping[str, Any], scores: Scored, store: RecordStore | None) -> EvalLog:
    from inspect_ai.log import EvalLog, EvalStats

    start, end = manifest["starts"][0]["started"], manifest["starts"][-1].get("finished", "")
    return EvalLog(
        status="success" if end else "cancelled",
        eval=_spec(rows, manifest),
        results=_results(rows, scores),
        stats=EvalStats(started_at=start, completed_at=end),
        samples=[_sample(place, row, scores, store) for place, row in rows],
    )


def _spec(rows: Rows, manifest: Mapping[str, Any]) -> EvalSpec:
    from inspect_ai.log import EvalConfig, EvalDataset, EvalSpec

    row = rows[0][1]
    ids = list(dict.fromkeys(answer["question_id"] for _, answer in rows))
    return EvalSpec(
        created=manifest["starts"][0]["started"],
        task=f"{manifest['name']}/{row['method']}",
        task_id=f"{manifest['key']}-{row['backbone']}-{row['method']}",
        run_id=manifest["key"],
        dataset=EvalDataset(name=manifest["data"]["name"], samples=len(ids), sample_ids=list(ids)),
        model=row["backbone"],
        config=EvalConfig(epochs=len(manifest["seeds"])),
        metadata={"manifest": dict(manifest)},
    )


def _results(rows: Rows, scores: Scored) -> EvalResults:
    from inspect_ai.log import EvalMetric, EvalResults, EvalScore

    frame = scores.scores.frame.loc[[place for place, _ in rows]]
    answered = int(frame["failure"].isna().sum())
    means = {name: float(frame[name].mean()) for name in scores.headings}
    return EvalResults(
        total_samples=len(rows),
        completed_samples=answered,
        scores=[
            EvalScore(name=name, scorer=name, metrics={"mean": EvalMetric(name="mean", value=mean)})
            for name, mean in means.items()
            if not math.isnan(mean)
        ],
    )


def _sample(place: int, row: Answer, scores: Scored, store: RecordStore | None) -> EvalSample:
    from inspect_ai.log import EvalError, EvalSample
    from inspect_ai.model import ModelOutput
    from inspect_ai.scorer import Score

    failure, scored = row["failure"], scores.scores.frame.loc[place]
    fields = ("category", "conversation", "evidence", "recall", "calls", "prompt_tokens", "seed", "memory", "trap")
    sample = EvalSample(
        id=row["question_id"],
        epoch=row["repeat"] + 1,
        input=row["question"],
        target=target_of(row),
        messages=_messages(row, store),
        scores=None
        if failure
        else {
            n: Score(value=float(scored[n]), answer=row["prediction"])
            for n in scores.headings
            if scored[n] == scored[n]
        },
        metadata={name: row[name] for name in fields},
    )
    if failure:
        text = f"{failure['kind']}: {failure['message']}"
        sample.error = EvalError(message=text, traceback="", traceback_ansi="")
    else:
        sample.output = ModelOutput.from_content(row["backbone"], row["prediction"])
    return sample


def _messages(row: Answer, store: RecordStore | None) -> list[Any]:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

    kinds: dict[str, Any] = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
    request = store.get_request(row["calls"][-1]["key"]) if store and row["calls"] else None
    if request is None:
        return [ChatMessageUser(content=row["question"])]
    found = [kinds[message["role"]](content=message["content"]) for message in json.loads(request)["messages"]]
    return found if row["prediction"] is None else [*found, ChatMessageAssistant(content=row["prediction"])]
