"""Judge a run: build the judge from a backbone's configuration, ask it, keep the verdicts, score again."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from amem.errors import ConfigurationError
from amem.lm.budget import Budget
from amem.lm.build import build_model
from amem.lm.records import RecordStore
from eval.config import RunConfig
from eval.dialsim.judge import cases_of, judge_cases, write_verdicts
from eval.prompts import load_pack
from eval.reporting import report_run
from eval.scoring.answers import check_answers
from eval.scoring.judge import Strictness, judge_answers, write_judgements
from eval.scoring.run_folder import read_run


def judge_run(folder: Path, config: RunConfig, *, attempts: int, strictness: str) -> str:
    """Verdicts go to `judgements.jsonl` in the run's folder, replies to the record store; returns the run's tables.

    `config` has exactly one backbone: the judge. `strictness`: strict, lenient or both;
    a run on DialSim has its own judge, which knows neither strictness nor `attempts`.
    """
    if attempts < 1:
        raise ConfigurationError(f"--repeats must be at least 1, not {attempts}")
    stored = read_run(folder)
    if len(config.backbones) != 1:
        raise ConfigurationError(f"a judge is one backbone, not {len(config.backbones)}: backbone=[gpt-4o-mini]")
    (spec,) = config.backbones.values()
    prompts = load_pack(config.prompts.folder or spec.prompts)
    store = RecordStore(Path(config.records.path or folder.parent / "records.sqlite"))
    budget = Budget(config.budget.usd)
    with store, build_model(asdict(spec), store=store, budget=budget, seed=config.seed, prompts=prompts) as lm:
        if stored.is_dialsim:
            name = f"{spec.label}, prompts {prompts.name} {prompts.hash[:8]}"
            write_verdicts(folder, judge_cases(cases_of(stored.answers), lm, prompts), name)
        else:
            answers = check_answers(stored.answers, stored.manifest)
            kinds = list(Strictness) if strictness == "both" else [Strictness(strictness)]
            judgements = judge_answers(answers, lm, prompts, label=spec.label, strictness=kinds, attempts=attempts)
            write_judgements(folder, judgements)
    return report_run(folder, config.scoring)
