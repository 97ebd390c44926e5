"""Dates as DialSim writes them ("September 22, 1994"), read without regard to the machine's locale."""

from __future__ import annotations

import re
from datetime import datetime

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_DATE = re.compile(rf"\s*({'|'.join(_MONTHS)})\s+(\d{{1,2}}),\s*(\d{{4}})\s*")


def parse_date(text: str) -> datetime | None:
    """Midnight of the day that `text` names; None where it names none."""
    match = _DATE.fullmatch(text)
    if match is None:
        return None
    month, day, year = match.groups()
    try:
        return datetime(int(year), _MONTHS.index(month) + 1, int(day))
    except ValueError:
        return None
