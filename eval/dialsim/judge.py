"""DialSim's optional judge: a model says whether an answer in words means the reference."""

from __future__ import annotations

from dataclasses import replace

from amem.lm.model import LanguageModel
from amem.prompting.pack import PromptPack
from eval.dialsim.scoring import Judge, Verdict

TRIES = 3


def model_judge(lm: LanguageModel, prompts: PromptPack) -> Judge:
    """A judge that asks up to three times until it has a word for right or wrong; raises ModelFailure.

    The published figures come from gpt-4o-mini with the authors' wording; another model or pack is another judge.
    """

    def judge(question: str, reference: str, prediction: str) -> Verdict:
        request = prompts.request("judge_dialsim", question=question, reference=reference, prediction=prediction)
        for attempt in range(TRIES):
            said = lm.complete(replace(request, repeat=attempt)).parsed["verdict"]
            if said != "unclear":
                return Verdict(said)
        return Verdict.AMBIGUOUS

    return judge
