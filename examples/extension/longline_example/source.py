"""A source: a full-text table of an SQLite database, which shows ten rows of a search a page."""

import sqlite3

from longline.extend import MORE, Document, Hit, Page, Query, Searchable, Total


class FullTextTable(Searchable):
    """Search the FTS5 table `documents` (title, text) of a database.

    Args:
        address: What stands after `fts:`, the path of the database.
    """

    name = "fts"
    page_size = 10
    limit = 100
    negation = True

    def __init__(self, address: str) -> None:
        self._path = address

    def search(self, query: Query, number: int) -> Page:
        """Return a page of rows; it runs in a thread, and may be called from several."""
        words = " AND ".join(f'"{term}"' for term in query.required)
        words += "".join(f' NOT "{term}"' for term in query.excluded)
        first = (number - 1) * self.page_size
        size = max(0, min(self.page_size, self.limit - first))
        with sqlite3.connect(self._path) as database:
            rows = database.execute(
                "SELECT rowid, title FROM documents(?) ORDER BY rank LIMIT ? OFFSET ?",
                (words, size, first),
            ).fetchall()
            (count,) = database.execute("SELECT count(*) FROM documents(?)", (words,)).fetchone()
        database.close()
        hits = tuple(Hit(str(key), title=title) for key, title in rows)
        shown = min(count, self.limit)
        return Page(hits, Total(count), next=MORE if first + len(rows) < shown else None)

    def read(self, hit: Hit) -> Document:
        """Return the whole row behind a hit."""
        with sqlite3.connect(self._path) as database:
            title, text = database.execute(
                "SELECT title, text FROM documents WHERE rowid = ?", (hit.key,)
            ).fetchone()
        database.close()
        return Document(hit.key, title=title, text=text)
