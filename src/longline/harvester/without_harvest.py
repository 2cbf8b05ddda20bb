"""Sources of a list that have no harvest: they could not be reached, found or learnt."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

from longline.harvester.folder import ENDS
from longline.harvester.standing import STANDING
from longline.outcomes import Cause, Outcome
from longline.store.place import is_harvest


class WithoutHarvest(msgspec.Struct, frozen=True):
    """A source of a list without a harvest.

    Attributes:
        source: The source, as given by the user.
        folder: The name that its folder would have.
        outcome, cause: How the attempt ended.
        requests: Requests that it took.
        stopped: Why there is no harvest.
    """

    source: str
    folder: str
    outcome: Outcome | Literal[""] = ""
    cause: Cause = ""
    requests: int = 0
    stopped: str = ""


def sources_without_harvest(folder: Path) -> Iterator[WithoutHarvest]:
    """Yield the sources of a folder's list that have no harvest, though one was tried."""
    with suppress(OSError, msgspec.DecodeError):
        for line in (folder / ENDS).read_bytes().splitlines():
            known = msgspec.json.decode(line, type=WithoutHarvest)
            there = folder / known.folder
            if known.stopped and not ((there / STANDING).exists() or is_harvest(there)):
                yield known
