"""The shared reader: (recall, question) → answer, with the same prompts for every method.

LoCoMo's protocol as the paper's code has it (test_advanced.py, commit 7f716dc): multi-hop, open-domain and single-hop
questions share one wording, temporal ones ask for an approximate date, adversarial ones offer two options in random
order. The order is drawn from the seed and the question's id here, so that it does not depend on what else is asked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from amem import tokens
from amem.contract import MemoryMethod, Question, Recall
from amem.lm.types import FailureKind, ModelFailure, Request, Sampling
from amem.prompting.pack import PromptPack
from eval.datasets.categories import Category
from eval.datasets.types import QAItem

_OPTION_LETTER = re.compile(r"^\W*(?:option\s+)?([a-e])\W*$", re.IGNORECASE)
_LETTERS = "abcde"


@dataclass(frozen=True, slots=True)
class Task:
    """How one question is put: the pack's call, the variables besides recall and question, and the options shown."""

    call: str
    instruction_part: str
    variables: Mapping[str, Any]
    options: tuple[str, ...] = ()

    def prediction(self, text: str) -> str:
        """The reply as the answer that is scored: the letter of an option stands for the option's words."""
        match = _OPTION_LETTER.match(text.strip())
        position = _LETTERS.index(match.group(1).lower()) if match else len(self.options)
        return self.options[position] if position < len(self.options) else text.strip()


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer, the recall that it rests on, and the length of the answering prompt in the shared tokenizer."""

    prediction: str
    recall: Recall
    prompt_tokens: int | None


def locomo_task(item: QAItem, prompts: PromptPack, seed: int) -> Task:
    if item.category is Category.ADVERSARIAL:
        options = [prompts.render("abstain_option"), item.trap or ""]
        Random(f"{seed}:{item.question.id}").shuffle(options)
        return Task("answer_adversarial", "instruction_adversarial", {"options": options}, tuple(options))
    if item.category is Category.TEMPORAL:
        return Task("answer_temporal", "instruction_temporal", {})
    return Task("answer_short", "instruction_short", {})


class Reader:
    """Asks the backbone, or the method itself where it answers through its own loop."""

    def __init__(self, prompts: PromptPack, *, seed: int, temperatures: Mapping[str, float] | None = None) -> None:
        self._prompts = prompts
        self._seed = seed
        self._temperatures = dict(temperatures or {})

    def task(self, item: QAItem) -> Task:
        return locomo_task(item, self._prompts, self._seed)

    def extras(self, item: QAItem) -> Mapping[str, Any]:
        """What the answer's line holds for this data set alone, beside what all lines hold."""
        return {}

    def read(self, method: MemoryMethod, item: QAItem, recall: Recall | None = None) -> Reading:
        """Answer one question; raises ModelFailure."""
        task = self.task(item)
        if method.answers_itself:
            instruction = self._prompts.render(task.instruction_part, **task.variables)
            own = method.answer(item.question, instruction, self._sampling(task, item.question))
            return Reading(_not_empty(task.prediction(own.text), task.call), own.recall, own.prompt_tokens)
        recall = recall or method.recall(item.question)
        request = self.request(task, item.question, recall)
        completion = method.tools.lm.complete(request)
        text = completion.parsed["answer"] if request.schema is not None else completion.text
        prompt_tokens = sum(tokens.count(message.content) for message in request.messages)
        return Reading(_not_empty(task.prediction(text), task.call), recall, prompt_tokens)

    def request(self, task: Task, question: Question, recall: Recall) -> Request:
        """The answering request as it is sent."""
        shown = {"recall_text": recall.text, "question": question.text, "category": question.category}
        request = self._prompts.request(task.call, **shown, **task.variables)
        return replace(request, sampling=self._sampling(task, question))

    def _sampling(self, task: Task, question: Question) -> Sampling:
        """The call's, at the backbone's temperature for the question's category where it has one."""
        sampling = self._prompts.sampling(task.call)
        temperature = self._temperatures.get(question.category)
        return sampling if temperature is None else replace(sampling, temperature=temperature)


def _not_empty(text: str, purpose: str) -> str:
    if not text:
        raise ModelFailure(FailureKind.EMPTY, "the model answered with an empty string", purpose=purpose, raw=text)
    return text
