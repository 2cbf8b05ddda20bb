"""Read the figures of a harvest from its folder, also repeatedly while it runs."""

from contextlib import closing
from pathlib import Path

from longline.harvester import Reading
from longline.ledger import Ledger
from longline.reports.course import Course
from longline.reports.figures import Figures, figures_of
from longline.reports.fullness import Fullness
from longline.store import Entry


class Live:
    """The figures of a harvest that may be running: each look reads only new entries.

    Args:
        folder: The harvest's folder.

    Raises:
        FolderError: There is no harvest in it, or it is damaged.
    """

    def __init__(self, folder: Path | str) -> None:
        self._course = Course()
        self.reading = Reading(Path(folder), self._observe)

    def _observe(self, entry: Entry, ledger: Ledger) -> None:
        self._course.tell(entry.event, entry.recorded_at, ledger)

    def look(self, *, fields: bool = False) -> Figures:
        """Read new entries since the last look, and return the figures.

        Args:
            fields: Also count how many documents have each field; that reads every document.
        """
        self.reading.catch_up()
        fullness = Fullness()
        for document in self.reading.store.documents() if fields else ():
            fullness.add(document)
        return figures_of(self.reading, self._course, fullness)

    def close(self) -> None:
        """Close the folder's store."""
        self.reading.close()


def read_figures(folder: Path | str) -> Figures:
    """Return the figures of a harvest as of now; it may be running.

    Raises:
        FolderError: There is no harvest in the folder, or it is damaged.
    """
    with closing(Live(folder)) as live:
        return live.look(fields=True)
