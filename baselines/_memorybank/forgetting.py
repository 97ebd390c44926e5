"""MemoryBank's forgetting curve, as published and as released.

Zhong et al., "MemoryBank: Enhancing Large Language Models with Long-Term Memory" (AAAI 2024), and
zhongwanjun/MemoryBank-SiliconFriend@cf61c41.
"""

from __future__ import annotations

import math
import random
from datetime import date
from typing import Literal

from baselines._memorybank.pieces import Exchange

Forgetting = Literal["off", "paper", "repo"]


def retention(mode: Forgetting, time: float, strength: int) -> float:
    """R, the probability that a memory is still there after `time` without recall.

    `paper`: exp(-t / S). `repo`: exp(-t * S / 5), which is what `exp(-t / 5*S)` computes in the released code: there
    a memory fades the *faster* the more often it was recalled, against the code's own description.
    """
    if mode == "off":
        return 1.0
    return math.exp(-time / strength if mode == "paper" else -time * strength / 5)


def is_forgotten(exchange: Exchange, now: date, mode: Forgetting, *, tau_days: float, seed: int) -> bool:
    """Whether the draw of this exchange exceeds its retention at `now`; time is in units of `tau_days`.

    The draw is a function of seed and exchange alone, so neither the order of questions nor threads can change it,
    and what is forgotten stays so. (The released code draws anew at each start of the program.)
    """
    time = max(0, (now - exchange.recalled_on).days) / tau_days
    said = "\0".join(turn.text for turn in exchange.turns)
    draw = random.Random(f"{seed}\0{exchange.place.id}\0{said}").random()
    return draw > retention(mode, time, exchange.strength)
