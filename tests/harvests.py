"""A harvest that is run from tests: to its end, and without an event loop of their own."""

import asyncio
from collections.abc import Callable
from typing import Any

from longline.harvester import HarvestRun, Listeners
from longline.ledger import Certificate


class Harvest:
    """A `HarvestRun`, as its arguments have it, that is run to its end by a call."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.whole = HarvestRun(*args, **options)
        self.folder = self.whole.folder
        self.spec = self.whole.spec
        self.settings = self.whole.settings

    def run(self, on_event: Callable[..., object] = lambda *_: None) -> Certificate:
        """Harvest, as from the command line: signals stop it in good order."""
        return self._done(on_event, retry=False)

    def retry(self) -> Certificate:
        """Ask once more for what did not come."""
        return self._done(lambda *_: None, retry=True)

    def _done(self, on_event: Callable[..., object], *, retry: bool) -> Certificate:
        listeners = Listeners(on_event=on_event, on_interrupt=lambda: None)
        return asyncio.run(self.whole.run(listeners, retry=retry))
