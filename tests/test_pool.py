"""Test tokens, matrices, samples and pools."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longline.covering import cover, matches_of
from longline.errors import CorpusError, InputError, UncoverableError
from longline.pool import (
    STOP_WORDS,
    Analyzer,
    TermMatrix,
    df_between,
    document_term_matrix,
    query_pool,
    sample_db,
)

TEXTS = ["deep web deep", "The deep sea", "web of the sea", "harvest", "and"]


def zipf_texts(rng, documents=200, words=80):
    vocabulary = [f"w{chr(97 + number % 26)}{chr(97 + number // 26)}" for number in range(300)]
    chance = 1 / np.arange(1, 301)
    chance /= chance.sum()
    return [" ".join(rng.choice(vocabulary, size=words, p=chance)) for _ in range(documents)]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Deep-Web crawling, 2009!", ["deep", "web", "crawling"]),
        ("the THE The of", []),
        ("don't re_use x2y", ["don", "t", "re", "use", "x", "y"]),
        ("Ærøskøbing ÉCOLE", ["ærøskøbing", "école"]),
        ("e\u0301cole", ["école"]),
        ("Глубокая сеть", ["глубокая", "сеть"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("深網 ٣٤ كتاب", ["深網", "كتاب"]),
        ("km² ½ Ⅷ", ["km"]),
        ("", []),
    ],
)
def test_default_terms(text, terms):
    """The default terms are lower-case runs of letters of any script, without stop words."""
    assert list(Analyzer().terms(text)) == terms


def test_lucene_has_33_stop_words():
    """The stop words are Lucene's 33."""
    assert len(STOP_WORDS) == 33


def test_an_analyzer_of_your_own():
    """The user can set pattern, stop words, minimum length and case."""
    analyzer = Analyzer(r"\w+", stop_words=frozenset({"Web"}), min_length=3, lower=False)
    assert list(analyzer.terms("Deep Web web 42 2009")) == ["Deep", "web", "2009"]


@pytest.mark.parametrize("pattern", ["[a-z", "(a|b)+"])
def test_a_pattern_that_cannot_be(pattern):
    """A pattern that does not compile, or has groups, is refused at once."""
    with pytest.raises(InputError, match="pattern"):
        Analyzer(pattern)


def test_matrix_of_texts():
    """Columns are terms in alphabetical order, rows are texts, cells say what occurs where."""
    found = document_term_matrix(TEXTS)
    assert found.terms == ["deep", "harvest", "sea", "web"]
    assert found.matrix.dense().astype(int).tolist() == [
        [1, 0, 0, 1],
        [1, 0, 1, 0],
        [0, 0, 1, 1],
        [0, 1, 0, 0],
        [0, 0, 0, 0],
    ]
    assert found.df.tolist() == [2, 1, 2, 2]
    assert found.documents == 5
    assert found.left_out() == [4]


@settings(max_examples=50)
@given(st.lists(st.text("abc dé", max_size=30), min_size=1, max_size=12))
def test_the_matrix_says_what_the_texts_say(texts):
    """A cell is true exactly where the term is in the text; every term is used."""
    found = document_term_matrix(texts)
    cells = found.matrix.dense()
    assert cells.shape == (len(texts), len(found.terms))
    for row, text in zip(cells, texts, strict=True):
        assert {found.terms[column] for column in np.flatnonzero(row)} == set(
            Analyzer().terms(text)
        )
    assert found.terms == sorted(set(found.terms))
    assert (found.df > 0).all()


def test_the_matrix_is_ready_for_a_cover():
    """A cover uses the matrix without a copy; its rows ascend in each column."""
    matrix = document_term_matrix(TEXTS).matrix
    assert matches_of(matrix) is matrix
    assert (matrix.starts.dtype, matrix.rows.dtype) == (np.int64, np.int32)
    columns = np.split(matrix.rows, matrix.starts[1:-1])
    assert all((np.diff(rows) > 0).all() for rows in columns)


def test_texts_may_be_a_generator():
    """Texts are read once, so a generator is accepted."""
    assert document_term_matrix(text for text in TEXTS).terms == document_term_matrix(TEXTS).terms


def test_no_text_is_no_corpus():
    """An empty collection is refused."""
    with pytest.raises(CorpusError):
        document_term_matrix([])


def test_df_ceiling():
    """Terms in a larger share of documents than the ceiling are left out."""
    assert document_term_matrix(TEXTS, df_ceiling=0.2).terms == ["harvest"]
    assert document_term_matrix(TEXTS, df_ceiling=0.4).terms == ["deep", "harvest", "sea", "web"]
    for share in (-0.1, 1.1, float("nan")):
        with pytest.raises(InputError):
            document_term_matrix(TEXTS, df_ceiling=share)


def test_df_range():
    """Both ends of the range are inclusive."""
    found = document_term_matrix(TEXTS)
    assert df_between(found, 2, 2).terms == ["deep", "sea", "web"]
    assert df_between(found, most=1).terms == ["harvest"]
    assert df_between(found, least=3).terms == []


def test_a_sample_is_drawn_without_return():
    """The sample has the requested size, each document once, and depends on the seed."""
    documents = list(range(1000))
    drawn = sample_db(documents, 300, np.random.default_rng(5))
    assert len(set(drawn)) == 300
    assert drawn == sample_db(documents, 300, np.random.default_rng(5))
    assert drawn != sample_db(documents, 300, np.random.default_rng(6))
    assert 400 < np.mean(drawn) < 600


@pytest.mark.parametrize("size", [0, -1, 4])
def test_a_sample_that_cannot_be_drawn(size):
    """Fewer than one document, or more than there are, is refused."""
    with pytest.raises(InputError):
        sample_db(["a", "b", "c"], size, np.random.default_rng(0))


def test_a_pool_reaches_its_relative_size_and_no_more():
    """The df of the pool sum to the relative size, and would not without its largest term."""
    found = document_term_matrix(zipf_texts(np.random.default_rng(0)))
    for seed in range(5):
        pool = query_pool(found, 5, np.random.default_rng(seed))
        assert pool.df.sum() >= 5 * found.documents
        assert pool.df.sum() - pool.df.max() < 5 * found.documents
        assert set(pool.terms) < set(found.terms)
        assert pool.terms == sorted(pool.terms)


def test_a_pool_of_terms_that_do_not_suffice_is_all_of_them():
    """If the terms within a df range do not reach the relative size, all are drawn."""
    found = df_between(document_term_matrix(zipf_texts(np.random.default_rng(0))), 10, 50)
    assert query_pool(found, 1000, np.random.default_rng(0)).terms == found.terms


@pytest.mark.parametrize("relative_size", [0, -1, float("nan")])
def test_a_pool_of_nothing(relative_size):
    """A relative size that is not above 0 is refused."""
    with pytest.raises(InputError):
        query_pool(document_term_matrix(TEXTS), relative_size, np.random.default_rng(0))


def test_what_a_pool_leaves_out_a_cover_cannot_reach():
    """The documents left out are those that the cover names, or lists when allowed."""
    found = document_term_matrix(TEXTS).pick([0, 1])
    assert isinstance(found, TermMatrix)
    assert found.left_out() == [2, 4]
    with pytest.raises(UncoverableError) as caught:
        cover(found.matrix)
    assert (caught.value.document, caught.value.documents) == (2, 2)
    assert cover(found.matrix, allow_uncovered=True).uncovered == [2, 4]
