"""A process that another one started for a part of its work does not outlive it."""

from __future__ import annotations

import os
import threading
import time

WATCH_SECONDS = 1.0


def end_with(parent: int) -> None:
    """End this process soon after `parent` is gone, however it went: else it would spend and measure unseen."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCH_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()
