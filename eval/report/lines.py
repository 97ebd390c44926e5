"""Texts that share most of their lines, each line kept once.

The prompts of a run repeat whole conversations; a page that held each prompt whole would be a hundred times as large.
"""

from __future__ import annotations


class Lines:
    """Gives every text as the places of its lines in `table`; joining them by a newline gives the text back.

    A place is a number, or `[place, count]` for lines in a row: a show that is shown whole has thousands.
    """

    def __init__(self) -> None:
        self.table: list[str] = []
        self._places: dict[str, int] = {}

    def places(self, text: str) -> list[int | list[int]]:
        runs: list[list[int]] = []
        for line in text.split("\n"):
            place = self._place(line)
            if runs and place == sum(runs[-1]):
                runs[-1][1] += 1
            else:
                runs.append([place, 1])
        return [run if run[1] > 1 else run[0] for run in runs]

    def _place(self, line: str) -> int:
        place = self._places.setdefault(line, len(self.table))
        if place == len(self.table):
            self.table.append(line)
        return place
