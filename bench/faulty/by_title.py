"""A search box that searches titles only, as many catalogues and wikis do."""

from collections.abc import Iterable
from typing import Any

import msgspec

from longline.model import Document, Hit, Query
from longline.simulate.documents import marks_of, snippet
from longline.simulate.search.index import Numbers
from longline.simulate.search.searcher import Searcher


class ByTitle(Searcher):
    """Search titles, but show complete documents, with snippets of their texts.

    Args:
        documents: At least one; all keys differ.
        source: Options of `Searcher`.

    >>> box = ByTitle([Document("a", title="deep", text="a web"), Document("b", title="web")])
    >>> [hit.key for hit in box.search(Query(("web",))).hits], box.document("a").text
    (['b'], 'a web')
    """

    def __init__(self, documents: Iterable[Document], **source: Any) -> None:
        self._whole = {each.key: each for each in documents}
        titles = (msgspec.structs.replace(each, text="") for each in self._whole.values())
        super().__init__(titles, **source)

    def document(self, key: str) -> Document | None:
        """Return the document with its text."""
        return self._whole.get(key)

    def _rows(self, numbers: Numbers, query: Query) -> tuple[Hit, ...]:
        hits = super()._rows(numbers, query)
        if not self.snippets:
            return hits
        marks = marks_of(query.wanted)
        texts = (snippet(self._whole[hit.key].text, marks) for hit in hits)
        return tuple(
            msgspec.structs.replace(hit, snippet=text)
            for hit, text in zip(hits, texts, strict=True)
        )
