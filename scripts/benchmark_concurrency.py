"""How near a run comes to its critical path: A-Mem on ten conversations with a simulated model of 200 ms a call.

    python scripts/benchmark_concurrency.py [--latency 0.2] [--workers 32] [--link-k 2] [--sessions 1]

The critical path is the longest chain of calls that wait for each other in one conversation, times the latency; where
the calls are too many for the slots (`workers` at once), all calls through all slots is the bound instead. Timed is
everything between them: prompts, records (in the system's temporary folder; TMPDIR names another), search, and the
embedder, with its vectors recorded beforehand and without. Beside the ratio stands what bounds it: every call waits
until the disk has confirmed its record, and vectors are computed by the cores, some 10 ms a text, while others wait.
The answers must be the same as with one worker, memories and all but the seconds of calls. LoCoMo's first sessions
where AMEM_DATA_DIR holds the file, else conversations made of the shipped sample.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path

from amem.embedding import SentenceTransformerEmbedder
from amem.lm.build import sampling_of
from amem.lm.providers.from_schema import FromSchemaProvider
from eval.composition import compose
from eval.config import RunConfig
from eval.datasets.locate import shipped_sample
from eval.estimate.model import RoundsModel
from eval.prepared import Prepared, prepare, units
from eval.run import execute

CONVERSATIONS = 10


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--latency", type=float, default=0.2, help="seconds a call (default: 0.2)")
    parser.add_argument("--workers", type=int, default=32, help="conversations, questions and calls at once")
    parser.add_argument("--link-k", type=int, default=2, help="neighbours, each of which is a call (default: 2)")
    parser.add_argument("--sessions", type=int, default=1, help="of each conversation (default: 1)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return measure(arguments, Path(folder))


def measure(arguments: argparse.Namespace, folder: Path) -> int:
    overrides = [*data(folder), f"dataset.sessions={arguments.sessions}", "dataset.questions=1"]
    overrides += ["method=[amem]", "backbone=[scripted]", f"link.k={arguments.link_k}"]

    def configuration(name: str, workers: int, latency: float) -> RunConfig:
        limits = [f"executor.workers={workers}", f"backbones.scripted.concurrency={workers}"]
        place = f"results_dir={folder / name}"
        return compose([*overrides, *limits, place, f"backbones.scripted.settings.latency={latency}"])

    recorded = configuration("vectors recorded", arguments.workers, arguments.latency)
    chain, calls = with_prepared(recorded, lambda prepared: longest_chain(prepared, arguments.workers))
    (folder / "one worker").mkdir()
    shutil.copy(folder / "vectors recorded" / "records.sqlite", folder / "one worker" / "records.sqlite")
    bound = arguments.latency * max(chain, calls / arguments.workers)
    what = "longest chain" if chain >= calls / arguments.workers else "all calls through all slots"
    print(f"{calls:,} calls, longest chain {chain}; critical path {bound:.1f} s ({what})")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {confirmed(folder):.1f} ms a confirmed write, "
          f"{loading():.1f} s to load the embedder")  # fmt: skip
    expected, *_ = timed_run(configuration("one worker", 1, 0.0))
    fresh = configuration("vectors computed", arguments.workers, arguments.latency)
    same = True
    for name, config in (("vectors recorded", recorded), ("vectors computed", fresh)):
        answers, wall, cpu = timed_run(config)
        same &= answers == expected
        ratio, busy = wall / bound, cpu / wall / (os.cpu_count() or 1)
        print(f"{name}: {wall:.1f} s, ratio {ratio:.3f}; {cpu:.1f} s of CPU, {busy:.0%} of the cores", flush=True)
    print(f"same answers as with one worker: {'yes' if same else 'NO'}")
    return 0 if same else 1


def longest_chain(prepared: Prepared, slots: int) -> tuple[int, int]:
    """(longest chain of one conversation, all calls); records the vectors on the way, and no reply."""
    sampling = sampling_of(asdict(prepared.config.backbones["scripted"]), prepared.config.seed)
    longest = calls = 0
    for unit in units(prepared):
        model = RoundsModel(FromSchemaProvider(), slots, sampling=sampling)
        method = unit.build(replace(unit.tools, lm=model))
        for session in unit.conversation.sessions:
            method.ingest(session)
        made = sum(total.calls for total in model.ledger.by_purpose().values())
        questions = len(unit.conversation.items)
        # The questions, too, are one round as far as the slots go.
        longest = max(longest, sum(model.rounds.values()) + -(-questions // slots))
        calls += made + questions
    return longest, calls


def timed_run(config: RunConfig) -> tuple[bytes, float, float]:
    def run(prepared: Prepared) -> tuple[bytes, float, float]:
        wall, cpu = time.perf_counter(), time.process_time()
        execute(prepared)
        taken = time.perf_counter() - wall, time.process_time() - cpu
        return (untimed(prepared.folder / "answers.jsonl"), *taken)

    return with_prepared(config, run)


def untimed(answers: Path) -> bytes:
    """The answers without the seconds of their calls: one worker does not sit out the latency."""
    rows = [json.loads(line) for line in answers.read_text("utf-8").splitlines()]
    for row in rows:
        row["calls"] = [{name: value for name, value in call.items() if name != "seconds"} for call in row["calls"]]
    return json.dumps(rows).encode()


def with_prepared(config, do):  # type: ignore[no-untyped-def]
    with ExitStack() as stack:
        return do(prepare(config, stack))


def confirmed(folder: Path, writes: int = 50) -> float:
    """Milliseconds that the disk takes to confirm a small write, the median."""
    times = []
    with (folder / "writes").open("wb", buffering=0) as file:
        for _ in range(writes):
            start = time.perf_counter()
            file.write(bytes(4096))
            os.fsync(file.fileno())
            times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


def loading() -> float:
    start = time.perf_counter()
    SentenceTransformerEmbedder().encode(["anything"])
    return time.perf_counter() - start


def data(folder: Path) -> list[str]:
    """Overrides that name LoCoMo where it is, else a file of ten conversations made of the sample's two."""
    if (Path(os.environ.get("AMEM_DATA_DIR") or "data") / "locomo10.json").is_file():
        return ["dataset=locomo"]
    sample = json.loads(Path(shipped_sample("LoCoMo is not here").path).read_text("utf-8"))
    made = [
        _renamed(sample[number % len(sample)], f"made-{number}", f"(Day {number}.) ") for number in range(CONVERSATIONS)
    ]
    path = folder / "made.json"
    path.write_text(json.dumps(made), "utf-8")
    return ["dataset=locomo", f"dataset.path={path}", "dataset.allow_other=true"]


def _renamed(conversation: dict, name: str, prefix: str) -> dict:
    copy = json.loads(json.dumps(conversation))
    copy["sample_id"] = name
    turns = [turn for value in copy["conversation"].values() if isinstance(value, list) for turn in value]
    for turn in turns:
        turn["text"] = prefix + turn["text"]
    # The sample has LoCoMo's faults of evidence on purpose; the loader knows them under the sample's own ids only.
    known = {turn["dia_id"] for turn in turns}
    copy["qa"] = [item for item in copy["qa"] if set(item.get("evidence", [])) <= known]
    return copy


if __name__ == "__main__":
    sys.exit(main())
