"""`python -m eval`: a command where the first word is one, else a run composed by Hydra from the overrides."""

from __future__ import annotations

import argparse
import ast
import difflib
import importlib
import re
import sys
from pathlib import Path

from amem.errors import ConfigurationError, HarnessError

_COMMANDS = Path(__file__).parent / "commands"

_USAGE = """\
usage: python -m eval [-m] OVERRIDE …      run what Hydra composes from configs/ (-m: one job a combination)
       python -m eval COMMAND …            `python -m eval COMMAND --help` tells its arguments

Runs, for example:
  python -m eval experiment=table1 profile=embedded
  python -m eval method=[locomo,amem] backbone=embedded dataset=sample
  python -m eval -m profile=embedded method=amem link.k=1,2,5
  python -m eval experiment=table1 --cfg job          print the composed configuration (Hydra's own flag)
  python -m eval --hydra-help                         Hydra's other flags

Groups to choose from (folders of configs/): {groups}

Commands:
{commands}
"""


def command_names() -> list[str]:
    return sorted(path.stem.replace("_", "-") for path in _COMMANDS.glob("[a-z]*.py"))


def _help_line(name: str) -> str:
    """HELP of a command's module, read without importing it: listing must not load what a command needs."""
    tree = ast.parse((_COMMANDS / f"{name.replace('-', '_')}.py").read_text("utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "HELP":
            return str(ast.literal_eval(node.value))
    return ""


def usage() -> str:
    groups = sorted(path.name for path in (_COMMANDS.parents[1] / "configs").iterdir() if path.is_dir())
    commands = "\n".join(f"  {name:<16} {_help_line(name)}" for name in command_names())
    return _USAGE.format(groups=", ".join(groups), commands=commands)


def _run_command(name: str, arguments: list[str]) -> int:
    module = importlib.import_module(f"eval.commands.{name.replace('-', '_')}")
    parser = argparse.ArgumentParser(prog=f"python -m eval {name}", description=module.HELP)
    module.add_arguments(parser)
    return int(module.run(parser.parse_intermixed_args(arguments)) or 0)


def _refuse_unknown_command(word: str) -> None:
    """A first word that is neither an override nor a flag was meant as a command."""
    if re.fullmatch(r"[a-z][a-z-]*", word):
        close = difflib.get_close_matches(word, command_names(), n=1, cutoff=0.5)
        hint = f"did you mean {close[0]}?" if close else "`python -m eval` lists them"
        raise ConfigurationError(f"{word} is neither a command nor an override (KEY=VALUE); {hint}")


def main(argv: list[str] | None = None) -> int:
    """Returns the exit code; an error meant for people is one line on standard error and code 2."""
    arguments = sys.argv[1:] if argv is None else argv
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(usage(), end="")
        return 0
    try:
        if arguments[0] in command_names():
            return _run_command(arguments[0], arguments[1:])
        _refuse_unknown_command(arguments[0])
        from eval.hydra_app import run_with_hydra

        return run_with_hydra(arguments)
    except HarnessError as error:
        from amem.lm.secrets import scrub

        print(f"error: {scrub(str(error))}", file=sys.stderr)
        return 2
    except OSError as error:
        if error.filename is None:
            raise
        print(f"error: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; what was answered is kept, and the same command goes on from there", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
