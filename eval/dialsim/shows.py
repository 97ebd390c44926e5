"""The three official shows: facts of simulator.py and utils.py (jiho283/Simulator), and what their data counts to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from eval.dialsim.objects import ShowFacts


@dataclass(frozen=True, slots=True)
class OfficialCounts:
    """What the official data counts to, v1.0 and v1.1 alike."""

    sessions: int
    utterances: int
    dates: int
    questions: int
    """Sessions in which a question can be asked: the size of one full pass."""


SHOWS: Mapping[str, ShowFacts] = MappingProxyType(
    {
        "friends": ShowFacts(
            name="friends",
            agent="Ross",
            shuffle={
                "Monica": "Joey",
                "Joey": "Monica",
                "Chandler": "Rachel",
                "Rachel": "Chandler",
                "Phoebe": "Ross",
                "Ross": "Phoebe",
            },
            new_name={
                "Monica": "Patricia",
                "Chandler": "James",
                "Joey": "John",
                "Phoebe": "Jennifer",
                "Rachel": "Linda",
                "Ross": "Robert",
            },
        ),
        "bigbang": ShowFacts(
            name="bigbang",
            agent="Sheldon",
            shuffle={
                "Howard": "Amy",
                "Amy": "Leonard",
                "Leonard": "Howard",
                "Raj": "Penny",
                "Penny": "Raj",
                "Bernadette": "Sheldon",
                "Sheldon": "Bernadette",
            },
            new_name={
                "Howard": "Robert",
                "Leonard": "James",
                "Raj": "Michael",
                "Penny": "Jennifer",
                "Bernadette": "Linda",
                "Amy": "Patricia",
                "Sheldon": "John",
            },
        ),
        "theoffice": ShowFacts(
            name="theoffice",
            agent="Michael",
            shuffle={"Dwight": "Ryan", "Ryan": "Jim", "Jim": "Michael", "Michael": "Pam", "Pam": "Dwight"},
            new_name={"Dwight": "John", "Jim": "Robert", "Pam": "Jennifer", "Ryan": "William", "Michael": "James"},
        ),
    }
)

OFFICIAL_COUNTS: Mapping[str, OfficialCounts] = MappingProxyType(
    {
        "friends": OfficialCounts(sessions=788, utterances=18_664, dates=346, questions=783),
        "bigbang": OfficialCounts(sessions=805, utterances=19_135, dates=341, questions=788),
        "theoffice": OfficialCounts(sessions=2_347, utterances=19_160, dates=134, questions=1_707),
    }
)

HUB_NAMES: Mapping[str, str] = MappingProxyType({name: f"jiho283/dialsim-{name}" for name in SHOWS})
"""The authors' parquet files on the Hugging Face hub."""

DRIVE_FOLDER = "https://drive.google.com/drive/folders/1MhPlUFWuchVZ5E1NQDWfbT7_RW7ozbuk"
"""The authors' zip archives of pickles."""

ZIP_SHA256: Mapping[str, str] = MappingProxyType(
    {
        "v1.1": "e7772260089ff1ecc7f46da29da33aa50c894526848d01fec8bf55b6cad6c10c",
        "v1.0": "b32517d8e08221362dfe1e0c7349fa91ec8930691c53f87ef680acfc5f74596f",
    }
)
