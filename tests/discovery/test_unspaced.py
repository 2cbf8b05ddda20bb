"""A site in a language without spaces between words."""

from tests.discovery.engines import Rules
from tests.discovery.grade import FIELDS, grade
from tests.discovery.servers import WORDS, Make

# fmt: off
WORDS["ja"] = {
    "search": "検索", "none": "該当なし:", "next": "次へ", "prev": "前へ", "results": "件",
    "of": "/", "about": "約", "limit": "最初の{}件", "page": "ページ",
}
# fmt: on
SITE = Make(
    "toshokan",
    corpus="ja",
    language="ja",
    rules=Rules(substrings=True, nots=("-",), stops=False),
    total="results",
)


def test_japanese_site_is_learnt_by_pairs_of_characters() -> None:
    """Words of two characters are queried, never clauses."""
    grades, said, discoverer = grade(SITE)
    assert not [name for name in FIELDS if grades[name] is False], said
    assert discoverer.requests <= 40
