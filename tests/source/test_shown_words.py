from hypothesis import given
from hypothesis import strategies as st

from longline.pool import Analyzer
from longline.source.trust.shown_words import shows

PIECES = st.sampled_from(
    ["sea", "seas", "deep", "x", "the", "web", "weber", "ünder", " ", "-", ".", "7", "Sea", "DEEP"]
)
TEXTS = st.lists(PIECES, max_size=12).map("".join)


@given(text=TEXTS, said=TEXTS, share=st.sampled_from([0.3, 1 / 3, 0.5, 1.0]))
def test_a_text_shows_a_share_of_words_as_its_terms_do(text: str, said: str, share: float) -> None:
    """Searching for words one by one gives the same result as tokenising the complete text."""
    terms = Analyzer().terms
    wanted, there = terms(said).keys(), terms(text).keys()
    expected = bool(wanted) and len(wanted & there) >= share * len(wanted)
    assert shows(text, said, share) is expected
