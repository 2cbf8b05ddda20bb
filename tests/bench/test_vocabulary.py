"""Test words for generated sites."""

from pathlib import Path

import numpy as np
import pytest
from bench.sites.vocabulary import english_words, los_words

from longline.errors import CorpusError


def test_los_gives_words_for_the_longest_text(shared: Path) -> None:
    """The paper's vocabulary has about two thousand different words."""
    words = los_words((shared / "los" / "los.json").read_bytes())
    assert 1500 < len(words) < 2500
    assert len(set(words)) == len(words)


@pytest.mark.parametrize("text", [b"", b"{}", b"[1]", b'[{"pref": 1}]', b'[{"pref": {}}]'])
def test_what_is_not_los_is_refused(text: bytes) -> None:
    """A different file is refused without an error of a library."""
    with pytest.raises(CorpusError):
        los_words(text)


def test_english_words_are_drawn_without_repeats() -> None:
    """The same generator state gives the same words, all different."""
    first, second = (english_words(np.random.default_rng(4), 500) for _ in range(2))
    assert first == second
    assert len(set(first)) == 500
