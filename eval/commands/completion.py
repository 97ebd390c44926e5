"""`eval "$(python -m eval completion)"`: tab completion of commands, groups, options and keys in bash.

Hydra's own script completes programs and files; `python -m eval` is neither, so this one hands Hydra the line as if it
were.
"""

from __future__ import annotations

import argparse

HELP = 'Print the bash script for tab completion: eval "$(python -m eval completion)"'

_SCRIPT = r"""
_amem_eval_completion() {
    [[ "$COMP_LINE" =~ ^[[:space:]]*([^[:space:]]+)[[:space:]]+-m[[:space:]]+eval[[:space:]]+(.*)$ ]] || return 0
    local python="${BASH_REMATCH[1]}" line="eval ${BASH_REMATCH[2]}" word="${COMP_WORDS[COMP_CWORD]}" choices
    choices=$(COMP_LINE="$line" COMP_POINT=${#line} "$python" -m eval --shell-completion query=bash 2>/dev/null)
    [[ "$line" == *" "*" "* ]] || choices+=" COMMANDS"
    COMPREPLY=($(compgen -W "$choices" -- "$word"))
}
COMP_WORDBREAKS=${COMP_WORDBREAKS//=}
complete -o nospace -o default -F _amem_eval_completion python python3 .venv/bin/python
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """None."""


def run(args: argparse.Namespace) -> int:
    from eval.__main__ import command_names

    print(_SCRIPT.strip().replace("COMMANDS", " ".join(command_names())))
    return 0
