"""DialSim's name modes: do answers come from the dialogue, or from what a model has read about a famous show?

Names are replaced wherever their letters stand (case-sensitively, also inside longer words), all at once, so that
Monica can become Joey while Joey becomes Monica. Script, agent, asker, question, options and answer are renamed alike;
the released simulator leaves the answers of the text formats as they were.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum

from amem.errors import ConfigurationError
from eval.dialsim.objects import ShowFacts


class NameMode(StrEnum):
    ORIGINAL = "original"
    SHUFFLE = "shuffle"
    """The characters' names change places."""
    NEW_NAME = "new_name"
    """Everyday first names stand in for the characters'."""


def renamer(facts: ShowFacts, mode: NameMode) -> Callable[[str], str]:
    """A function that renames a text. Raises ConfigurationError where the show has no names for the mode."""
    if mode is NameMode.ORIGINAL:
        return lambda text: text
    names = facts.shuffle if mode is NameMode.SHUFFLE else facts.new_name
    if not names:
        raise ConfigurationError(f"show '{facts.name}' has no names for the mode '{mode}'; use 'original'")
    # One pass over the text does what placeholders do (no name is replaced twice) and can't collide with the text.
    pattern = re.compile("|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)))
    return lambda text: pattern.sub(lambda match: names[match[0]], text)
