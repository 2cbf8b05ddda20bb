"""Which roots brought a document: two should not, as the later one excludes the earlier."""

from array import array
from collections.abc import Iterable

from longline.planner.cells import Cell
from longline.text.hashes import Hashes


class Origins:
    """Counts the documents that each root's cells brought, and those that an earlier root brought.

    >>> from longline.planner.cells import UNKNOWN
    >>> deep, rest = Cell(("deep",), (), UNKNOWN), Cell((), ("deep",), UNKNOWN)
    >>> origins = Origins()
    >>> origins.follow(deep)
    >>> origins.follow(rest)
    >>> origins.see(deep, ["d1", "d2"])
    >>> origins.see(rest, ["d2", "d3", "d4", "d5"])  # d2 came, although "deep" is excluded
    >>> origins.own_share(deep), origins.own_share(rest)
    (1.0, 0.75)
    """

    def __init__(self) -> None:
        self._documents = Hashes()
        self._first = array("i")  # by document, the number of the root that brought it first
        self._roots: dict[Cell, int] = {}
        self._own: list[int] = []  # by root, the documents that it brought first
        self._shared: list[set[int]] = []  # by root, those that an earlier root had brought

    def follow(self, root: Cell) -> None:
        """Count for a root from now on, and what its pages have shown."""
        self._roots[root] = len(self._own)
        self._own.append(0)
        self._shared.append(set())
        self.see(root, root.keys)

    def see(self, cell: Cell, keys: Iterable[str]) -> None:
        """Count the documents of a page; nothing if its cell is not part of a root."""
        top = cell
        while top not in self._roots:
            if top.parent is None:
                return
            top = top.parent
        root = self._roots[top]
        for key in keys:
            document = self._documents.number(key)
            if document == len(self._first):
                self._first.append(root)
                self._own[root] += 1
            elif self._first[document] != root:
                self._shared[root].add(document)

    def own_share(self, root: Cell) -> float:
        """Return the share of a root's documents that came by no earlier root; 1 if it has none."""
        number = self._roots[root]
        own, shared = self._own[number], len(self._shared[number])
        return own / (own + shared) if own else float(not shared)
