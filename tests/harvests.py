"""Run a harvest from a test to its end, without an event loop in the test."""

import asyncio
from collections.abc import Callable
from typing import Any

from longline.harvester import HarvestRun, Listeners
from longline.ledger import Certificate


class Harvest:
    """A `HarvestRun` with the same arguments whose methods run it to its end."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.whole = HarvestRun(*args, **options)
        self.folder = self.whole.folder
        self.spec = self.whole.spec
        self.settings = self.whole.settings

    def run(self, on_event: Callable[..., object] = lambda *_: None) -> Certificate:
        """Harvest as the command line does: signals stop the run cleanly."""
        return self._done(on_event, retry=False)

    def retry(self) -> Certificate:
        """Request once more everything that failed."""
        return self._done(lambda *_: None, retry=True)

    def _done(self, on_event: Callable[..., object], *, retry: bool) -> Certificate:
        listeners = Listeners(on_event=on_event, on_interrupt=lambda: None)
        return asyncio.run(self.whole.run(listeners, retry=retry))
