"""`python -m eval pull-models [TAG …]`: have Ollama download the models of the backbones, and print their digests."""

from __future__ import annotations

import argparse

import yaml
from tqdm import tqdm

from amem.lm import ollama_models
from eval.composition import CONFIGS

HELP = "download the Ollama models of the paper's backbones"
_ROUTE = "ollama_chat/"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tags", nargs="*", metavar="TAG", help="models (default: those of configs/backbone)")
    parser.add_argument("--host", help="address of the server (default: OLLAMA_HOST, or http://127.0.0.1:11434)")


def run(args: argparse.Namespace) -> int:
    address = ollama_models.host(args.host)
    installed = ollama_models.digests(address)
    for tag in args.tags or configured_tags():
        digest = installed.get(tag) or _pull(address, tag)
        print(f"{tag}  {digest}")
    return 0


def configured_tags() -> list[str]:
    """The Ollama models of all backbones that ship."""
    specs = (yaml.safe_load(path.read_text("utf-8")) for path in sorted((CONFIGS / "backbone").glob("*.yaml")))
    models = [str(spec["settings"].get("model")) for spec in specs]
    return [model.removeprefix(_ROUTE) for model in models if model.startswith(_ROUTE)]


def _pull(address: str, tag: str) -> str:
    bars: dict[str, tqdm] = {}

    def show(layer: str, done: int, total: int) -> None:
        if layer not in bars:
            bars[layer] = tqdm(total=total, unit="B", unit_scale=True, desc=f"{tag} {layer[7:19]}")
        bars[layer].update(done - bars[layer].n)

    try:
        return ollama_models.pull(address, tag, show)
    finally:
        for bar in bars.values():
            bar.close()
