"""How much faster batched scoring is than a loop over pairs: all metrics but BERTScore, in one run.

    python scripts/benchmark_metrics.py [--pairs 1986] [--loop-pairs 300]

The loop calls the libraries once a pair, as the released A-Mem code does: a new ROUGE scorer, two tokenisations for
BLEU, METEOR, and two sentences encoded by themselves, with PyTorch's default number of threads, which on few and busy
cores wait for each other. It is timed on a part of the answers. Models and WordNet are loaded before. References are
LoCoMo's where AMEM_DATA_DIR holds the file, else made up.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from random import Random
from typing import Any

from eval.datasets.categories import Category
from eval.metrics.f1_amem_set import tokens
from eval.metrics.registry import NAMES, metric
from eval.scoring.adversarial import ABSTENTION

Pair = tuple[str, str, Category]

_WORDS = (
    "red", "green", "harbour", "bicycle", "violin", "March", "2021", "sister", "painting", "lake", "marathon", "puppy",
    "letter", "seven", "Tuesday",
)  # fmt: skip
_BLEU = {"bleu1": (1, 0, 0, 0), "bleu2": (0.5, 0.5, 0, 0), "bleu3": (0.33, 0.33, 0.33, 0), "bleu4": (0.25,) * 4}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pairs", type=int, default=1_986, help="number of answers (default: LoCoMo's 1,986)")
    parser.add_argument("--loop-pairs", type=int, default=300, help="so many of them in the loop (default: 300)")
    arguments = parser.parse_args()
    pairs, source = made_pairs(arguments.pairs)
    print(f"{len(pairs):,} answers, {source}; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    warm_up = [("a made-up answer", "another one", Category.SINGLE_HOP)]
    loop = Loop()
    score_batched(warm_up)
    loop.score(warm_up)
    batched, batched_seconds = timed(score_batched, pairs)
    per_answer = 1000 * batched_seconds / len(pairs)
    print(f"batched: {per_answer:7.2f} ms an answer ({batched_seconds:.1f} s for all)", flush=True)
    part = pairs[: arguments.loop_pairs]
    looped, loop_seconds = timed(loop.score, part)
    per_loop = 1000 * loop_seconds / len(part)
    print(f"loop:    {per_loop:7.2f} ms an answer ({loop_seconds:.1f} s for {len(part):,})")
    gap = max(abs(batched[name][i] - value) for name, values in looped.items() for i, value in enumerate(values))
    print(f"largest difference of a score: {gap:.1e}")
    print(f"ratio: {per_loop / per_answer:.1f}")


def timed(function: Any, pairs: list[Pair]) -> tuple[dict[str, list[float]], float]:
    start = time.perf_counter()
    return function(pairs), time.perf_counter() - start


def score_batched(pairs: list[Pair]) -> dict[str, list[float]]:
    predictions, references, categories = (list(column) for column in zip(*pairs, strict=True))
    return {name: metric(name).scores(predictions, references, categories) for name in NAMES}


class Loop:
    """One call of each library a pair; LoCoMo's F1 is left out, since the released A-Mem code has none."""

    def __init__(self) -> None:
        from amem.sentence_encoder import MINILM, load_sentence_transformer

        self._encoder = load_sentence_transformer(MINILM)

    def score(self, pairs: list[Pair]) -> dict[str, list[float]]:
        import torch

        torch.set_num_threads(os.cpu_count() or 1)
        rows = [self._one(prediction, reference) for prediction, reference, _ in pairs]
        return {name: [row[name] for row in rows] for name in rows[0]}

    def _one(self, prediction: str, reference: str) -> dict[str, float]:
        from nltk.tokenize import word_tokenize
        from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
        from nltk.translate.meteor_score import meteor_score
        from rouge_score.rouge_scorer import RougeScorer
        from sentence_transformers.util import pytorch_cos_sim

        said, wanted = set(tokens(prediction)), set(tokens(reference))
        rouge = RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True).score(reference, prediction)
        hypothesis, references = word_tokenize(prediction.lower()), [word_tokenize(reference.lower())]
        smoothing = SmoothingFunction().method1
        first = self._encoder.encode([prediction], convert_to_tensor=True, show_progress_bar=False)
        second = self._encoder.encode([reference], convert_to_tensor=True, show_progress_bar=False)
        return {
            "exact_match": float(prediction.lower() == reference.lower()),
            "f1_amem_set": 2 * len(said & wanted) / (len(said) + len(wanted)),
            **{f"{kind}_f": score.fmeasure for kind, score in rouge.items()},
            **{
                name: sentence_bleu(references, hypothesis, weights=weight, smoothing_function=smoothing)
                for name, weight in _BLEU.items()
            },
            "meteor": meteor_score([reference.split()], prediction.split()),
            "sbert_similarity": pytorch_cos_sim(first, second).item(),
        }


def made_pairs(count: int) -> tuple[list[Pair], str]:
    """Answers as methods give them: right, partly right, another question's, or an abstention."""
    chance = Random(0)
    targets, source = locomo_targets() or (made_targets(chance, count), "made up")
    pairs = []
    for place in range(count):
        reference, category = targets[place % len(targets)]
        words = reference.split()
        kinds = [
            reference,
            " ".join(words[: max(1, len(words) - 1)]),
            f"{chance.choice(_WORDS)} {reference}",
            targets[chance.randrange(len(targets))][0],
            ABSTENTION if category is Category.ADVERSARIAL else chance.choice(targets)[0],
        ]
        pairs.append((chance.choice(kinds), reference, category))
    return pairs, source


def locomo_targets() -> tuple[list[tuple[str, Category]], str] | None:
    path = Path(os.environ.get("AMEM_DATA_DIR") or "data") / "locomo10.json"
    if not path.is_file():
        return None
    items = [item for sample in json.loads(path.read_text("utf-8")) for item in sample["qa"]]
    targets = [
        (str(item.get("adversarial_answer", item.get("answer"))), Category.from_locomo_id(item["category"]))
        for item in items
    ]
    return targets, f"made from the references of {path.name}"


def made_targets(chance: Random, count: int) -> list[tuple[str, Category]]:
    return [
        (" ".join(chance.choices(_WORDS, k=chance.randint(1, 9))), chance.choice(list(Category))) for _ in range(count)
    ]


if __name__ == "__main__":
    main()
