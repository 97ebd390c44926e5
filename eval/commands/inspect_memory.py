"""`python -m eval inspect-memory RUN [CONVERSATION] [--note n12]`: what became of A-Mem's notes."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "The life of A-Mem's notes: of one, of a conversation's, or the drift of a whole run"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", type=Path, metavar="RUN", help="folder of a run")
    parser.add_argument("conversation", nargs="?", metavar="CONVERSATION", help="its id; without it: drift of the run")
    parser.add_argument("--note", metavar="ID", help="one note's life, links and box, such as n12")
    parser.add_argument("--method", help="needed where the run has several kinds of A-Mem")
    parser.add_argument("--backbone", help="needed where the run has several backbones")


def run(args: argparse.Namespace) -> int:
    from amem.errors import ResultsError
    from eval.memories.life import life, overview
    from eval.memories.stored import find_memory
    from eval.memories.tables import memory_table
    from eval.tables.text import to_text

    if args.conversation is None:
        if args.note is None:
            print(to_text(memory_table(args.run, "drift")), end="")
            return 0
        raise ResultsError(
            f"--note {args.note}: of which conversation? inspect-memory RUN CONVERSATION --note {args.note}"
        )
    memory = find_memory(args.run, args.conversation, backbone=args.backbone, method=args.method)
    if args.note is None:
        print(overview(memory), end="")
        return 0
    if args.note not in memory.network():
        raise ResultsError(f"{args.conversation} has no note {args.note}; its notes are n1 to n{len(memory.network())}")
    print(life(memory, args.note), end="")
    return 0
