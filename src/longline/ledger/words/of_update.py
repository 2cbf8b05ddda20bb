"""The results of an update, in words."""

from longline.estimate.drawn import most_share
from longline.events import UpdateCounts


def most_missed(counts: UpdateCounts) -> int:
    """Return how many more documents may have changed (95 % sure), by those that were read again.

    >>> most_missed(UpdateCounts(since="", unchanged=877, reread=17))
    138
    """
    if not counts.reread:
        return 0
    others = max(0, counts.unchanged - (counts.reread - counts.reread_changed))
    return int(others * most_share(counts.reread_changed, counts.reread))


def update_in_words(counts: UpdateCounts) -> tuple[str, tuple[str, ...]]:
    """Say how an update's documents compare with the previous harvest, and what is not sure.

    >>> for line in update_in_words(UpdateCounts(since="", unchanged=877, reread=17))[1]:
    ...     print(line)
    17 that looked unchanged were read again: 0 had changed
    up to 138 more may have changed (95 % sure); --reread 1 reads all again
    """
    more = []
    if counts.unchecked:
        more.append(f"{counts.unchecked:,} could not be checked; they are kept as they were")
    if counts.reread:
        were = "was" if counts.reread == 1 else "were"
        more.append(
            f"{counts.reread:,} that looked unchanged {were} read again: "
            f"{counts.reread_changed:,} had changed"
        )
        if most := most_missed(counts):
            more.append(
                f"up to {most:,} more may have changed (95 % sure); --reread 1 reads all again"
            )
    moved = f"{counts.moved:,} moved, " if counts.moved else ""
    return (
        f"since {counts.since[:10]}: {counts.new:,} new, {counts.changed:,} changed, "
        f"{counts.unchanged:,} unchanged, {moved}{counts.gone:,} gone",
        tuple(more),
    )
