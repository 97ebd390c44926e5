"""What the notebooks show: a run's tables, figures and memories, ready for display."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amem.errors import ResultsError
from amem.lm.records import RecordStore
from eval.figures.drawn import Drawn
from eval.figures.of_run import figures_of, pictured, scored
from eval.memories.life import life
from eval.memories.stored import StoredMemory, stored_memories
from eval.report.memories import plain_notes
from eval.report.prompts import records_path
from eval.reporting import run_tables
from eval.scoring.answers import Answer
from eval.scoring.run_folder import StoredRun, newest_first, read_run
from eval.tables.html import to_html
from eval.tables.meta import RunMeta
from eval.tables.structure import structure_table
from eval.tables.table3 import ablations_alone

if TYPE_CHECKING:
    import pandas as pd

RESULTS = Path(__file__).resolve().parent.parent / "results"


@dataclass(frozen=True, slots=True)
class OpenRun:
    folder: Path
    stored: StoredRun


KINDS: Mapping[str, Callable[[StoredRun], bool]] = {
    "Table 1": lambda run: not run.is_dialsim and not _ablation(run),
    "A-Mem": lambda run: any(row["_target_"].startswith("amem.") for row in run.manifest["config"]["methods"].values()),
    "k-sweep": lambda run: bool(run.manifest["config"]["retrieve"].get("sweep")),
}
"""Whether a run is of a kind that a notebook needs."""


def _ablation(run: StoredRun) -> bool:
    meta = RunMeta.from_manifest(run.manifest)
    return ablations_alone(meta.methods, meta)


class Shown(str):
    """HTML that a notebook shows as such."""

    def _repr_html_(self) -> str:
        return str(self)


class Picture(str):
    """SVG that a notebook shows as such."""

    def _repr_svg_(self) -> str:
        return str(self)


class Pixels(bytes):
    """A PNG that a notebook shows as such."""

    def _repr_png_(self) -> bytes:
        return bytes(self)


def open_run(folder: str | Path | None = None, *, kind: str) -> OpenRun:
    """A run's folder; None for the newest one of a kind of KINDS in results/. Raises ResultsError for none."""
    found = (OpenRun(path, read_run(path)) for path in ([Path(folder)] if folder else newest_first(RESULTS)))
    opened = next((run for run in found if folder or KINDS[kind](run.stored)), None)
    if opened is None:
        raise ResultsError(f"{RESULTS} holds no {kind} run; make one, or name the folder of one in the cell above")
    return opened


def table(run: OpenRun, key: str) -> Shown:
    """One of the run's tables by its key; raises ResultsError with the keys that there are."""
    scores, meta = scored(run.stored)
    tables = {one.key: one for one in run_tables(run.folder, run.stored, scores, meta)}
    if key not in tables:
        raise ResultsError(f"{run.folder} has no table {key!r}; there are {', '.join(tables)}")
    return Shown(to_html(tables[key]))


def figure(run: OpenRun, key: str) -> Picture:
    """One of the run's figures by its key; raises ResultsError with the keys that there are."""
    figures: dict[str, Drawn] = {one.key: one for one in figures_of(run.folder)}
    if key not in figures:
        raise ResultsError(f"{run.folder} has no figure {key!r}; there are {', '.join(figures)}")
    return Picture(figures[key].svg().decode("utf-8"))


def structure(run: OpenRun) -> Shown:
    """What stands beside figure 4; raises ResultsError where no memory holds notes enough for a picture."""
    drawn = pictured(list(stored_memories(run.folder)))
    if not drawn:
        raise ResultsError(f"{run.folder} holds no memory of notes, or too few notes for a picture")
    return Shown(to_html(structure_table(drawn)))


def note_life(run: OpenRun) -> str:
    """The life of the note that evolved most often in the run's first A-Mem memory."""
    memory = _first_memory(run)
    network = memory.network()
    evolved = network.evolutions()
    return life(memory, max((note.id for note in network), key=lambda note_id: evolved[note_id]))


def multi_hop(run: OpenRun) -> pd.DataFrame:
    """A row a note for the multi-hop question whose evidence is nearest to three turns; prints the question."""
    import pandas as pd

    memory = _first_memory(run)
    answer = _multi_hop_answer(run, memory)
    trace = answer["recall"]["trace"]
    ways = {entry["note"]: f"linked from {entry['via']}" for entry in trace["linked"]}
    ways |= {entry["note"]: f"hit {place}" for place, entry in enumerate(trace["hits"], start=1)}
    plain = {entry["note"]: place for place, entry in enumerate(_plain(run, memory, answer), start=1)}
    network = memory.network()
    notes = [note for note in network if note.id in ways or note.id in plain or note.turn_id in answer["evidence"]]
    frame = pd.DataFrame(
        {
            "note": [note.id for note in notes],
            "evidence": [note.turn_id in answer["evidence"] for note in notes],
            "way": [ways.get(note.id, "not shown") for note in notes],
            "plain rank": [plain.get(note.id) for note in notes],
            "content": [note.content for note in notes],
        }
    )
    print(f"{answer['question']} (reference: {answer['reference']}; answered: {answer['prediction']})")
    return frame.sort_values("evidence", ascending=False, kind="stable")


def _first_memory(run: OpenRun) -> StoredMemory:
    found = next((memory for memory in stored_memories(run.folder) if memory.has_notes), None)
    if found is None:
        raise ResultsError(f"{run.folder} holds no memory of notes; run a variant of amem")
    return found


def _multi_hop_answer(run: OpenRun, memory: StoredMemory) -> Answer:
    own = (memory.backbone, memory.method, memory.conversation, memory.repeat)
    answers = [
        row
        for row in run.stored.answers
        if (row["backbone"], row["method"], row["conversation"], row["repeat"]) == own
        and row["category"] == "multi_hop"
        and row["recall"]
    ]
    if not answers:
        raise ResultsError(f"{run.folder} answered no multi-hop question from the memory {'/'.join(map(str, own))}")
    return min(answers, key=lambda row: abs(len(row["evidence"]) - 3))


def _plain(run: OpenRun, memory: StoredMemory, answer: Answer) -> list[dict[str, Any]]:
    path = records_path(run.folder, run.stored.manifest)
    if path is None:
        return []
    with RecordStore(path) as store:
        return plain_notes(answer, memory, store, run.stored.manifest["config"]["embedder"]["model"]) or []


def open_scaling(folder: str | Path | None = None) -> Path:
    """Folder of a scaling run, its tables and figure written anew; None for the newest one in results/."""
    from eval.scaling.report import report

    found = [path.parent for path in RESULTS.glob("*/measurements")]
    if not folder and not found:
        raise ResultsError(f"{RESULTS} holds no scaling run; `python -m eval experiment=scaling` makes one")
    chosen = Path(folder) if folder else max(found, key=lambda path: path.stat().st_mtime_ns)
    report(chosen)
    return chosen


def written_tables(folder: Path) -> Shown:
    """The tables that a run left in its folder, without the page around them, whose style a notebook would take on."""
    page = _written(folder / "table.html").decode("utf-8")
    return Shown(page.partition("<body>")[2].rpartition("</body>")[0])


def written_figure(folder: Path, key: str) -> Pixels:
    """A figure that a run left in its folder."""
    return Pixels(_written(folder / f"{key}.png"))


def _written(path: Path) -> bytes:
    if not path.is_file():
        raise ResultsError(f"{path.parent} holds no {path.name}: the run has no such part, or did not end")
    return path.read_bytes()
