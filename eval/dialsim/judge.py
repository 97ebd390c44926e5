"""DialSim's optional judge: a model says whether an answer in words means the reference.

Only answers whose words differ from the reference are judged. Verdicts are kept beside the run's answers, so that it
can be scored again without a call.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from amem.errors import ResultsError
from amem.lm.model import LanguageModel
from amem.lm.types import ModelFailure
from amem.prompting.pack import PromptPack
from eval.dialsim.scoring import Row, Verdict, verdict
from eval.runner.files import read_jsonl, write_jsonl

FILE_NAME = "judgements.jsonl"
TRIES = 3

Case = tuple[str, str, str]
"""Question, reference, prediction."""


@dataclass(frozen=True, slots=True)
class StoredJudge:
    """The verdicts of a judge by case; asked for another case it raises ResultsError."""

    name: str
    verdicts: Mapping[Case, Verdict]

    def __call__(self, question: str, reference: str, prediction: str) -> Verdict:
        found = self.verdicts.get((question, reference, prediction))
        if found is None:
            raise ResultsError(
                f"the answer {prediction!r:.60} to {question!r:.60} was not judged with the others; judge again "
                f"(`python -m eval judge`) or delete {FILE_NAME}"
            )
        return found


def cases_of(rows: Iterable[Row]) -> list[Case]:
    """What a judge has to decide, each once."""
    found: dict[Case, None] = {}

    def note(question: str, reference: str, prediction: str) -> Verdict:
        found[question, reference, prediction] = None
        return Verdict.WRONG

    for row in rows:
        if row["prediction"] is not None:
            verdict(row, note)
    return list(found)


def judge_cases(cases: Sequence[Case], lm: LanguageModel, prompts: PromptPack) -> dict[Case, Verdict]:
    """Each case is asked up to three times until the judge has a word for right or wrong; raises ModelFailure.

    The published figures come from gpt-4o-mini with the authors' wording; another model or pack is another judge.
    """
    verdicts: dict[Case, Verdict] = {}
    open_cases = list(cases)
    for attempt in range(TRIES):
        requests = [
            replace(prompts.request("judge_dialsim", question=q, reference=r, prediction=p), repeat=attempt)
            for q, r, p in open_cases
        ]
        for case, reply in zip(open_cases, lm.complete_many(requests), strict=True):
            if isinstance(reply, ModelFailure):
                raise reply
            if reply.parsed["verdict"] != "unclear":
                verdicts[case] = Verdict(reply.parsed["verdict"])
        open_cases = [case for case in open_cases if case not in verdicts]
    return verdicts | dict.fromkeys(open_cases, Verdict.AMBIGUOUS)


def write_verdicts(folder: Path, verdicts: Mapping[Case, Verdict], judge: str) -> None:
    """Replace the run's verdicts; `judge` names the model and its prompts."""
    names = ("question", "reference", "prediction")
    rows = ({**dict(zip(names, case, strict=True)), "verdict": str(v), "judge": judge} for case, v in verdicts.items())
    write_jsonl(folder / FILE_NAME, rows)


def stored_judge(folder: Path) -> StoredJudge | None:
    """The judge of the run in `folder`; None where it was not judged. Raises ResultsError for a damaged file."""
    path = folder / FILE_NAME
    if not path.is_file():
        return None
    rows = list(read_jsonl(path))
    try:
        verdicts = {(row["question"], row["reference"], row["prediction"]): Verdict(row["verdict"]) for row in rows}
        return StoredJudge(", ".join(dict.fromkeys(row["judge"] for row in rows)), verdicts)
    except (KeyError, ValueError) as error:
        raise ResultsError(f"{path}: not verdicts on DialSim ({error!r}); delete it") from error
