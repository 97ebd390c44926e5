"""BERTScore F1: greedy matching of contextual token vectors, without idf and without rescaling.

Source: Zhang et al. 2020; bert-score 0.3.13 as WujiangXu/AgenticMemory 7f716dc calls it (`lang="en"`, which is
roberta-large, layer 17). Values of different models are not comparable, so no other model is ever taken instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from amem.errors import ConfigurationError

DEFAULT_MODEL = "roberta-large"


class BertScore:
    """BERTScore F1 within 0..1 for the published settings; 0 where either text is empty.

    `model` is a hub name or a local folder. `layer` defaults to bert-score's own choice for a model of that name (a
    folder goes by its last part), and to the last layer of a model that bert-score does not know.
    """

    name = "bertscore"

    def __init__(self, model: str = DEFAULT_MODEL, layer: int | None = None) -> None:
        self._model = model
        self._layer = layer

    @property
    def identity(self) -> str:
        """bert-score's own hash string (model, layer, versions), with a folder's name instead of its path."""
        from bert_score.utils import get_hash

        return get_hash(Path(self._model).name, self._scorer.num_layers, False, False, False, False)

    def scores(self, predictions: Sequence[str], references: Sequence[str], categories: Sequence[str]) -> list[float]:
        pairs = [(p.strip(), r.strip()) if p and r else None for p, r in zip(predictions, references, strict=True)]
        unique = sorted({pair for pair in pairs if pair and all(pair)})
        if not unique:
            return [0.0] * len(pairs)
        _, _, f1 = self._scorer.score([prediction for prediction, _ in unique], [reference for _, reference in unique])
        known = dict(zip(unique, f1.tolist(), strict=True))
        return [known.get(pair, 0.0) if pair else 0.0 for pair in pairs]

    @cached_property
    def _scorer(self) -> Any:
        from bert_score import BERTScorer

        try:
            return BERTScorer(model_type=self._model, num_layers=self._layer or self._default_layer(), device="cpu")
        except (OSError, ValueError) as error:
            raise ConfigurationError(
                f"BERTScore needs the model {self._model}, which could not be loaded ({' '.join(str(error).split())}). "
                "Give a folder that holds it (--bertscore FOLDER), or run where the hub can be reached; "
                "no other model is used in its place"
            ) from error

    def _default_layer(self) -> int:
        from bert_score.utils import model2layers
        from transformers import AutoConfig

        known = model2layers.get(self._model) or model2layers.get(Path(self._model).name)
        return known or AutoConfig.from_pretrained(self._model).num_hidden_layers
