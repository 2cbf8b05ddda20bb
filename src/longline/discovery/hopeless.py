"""Where nothing can be learnt: what is said of it, and what remains to be done."""

from __future__ import annotations

BY_HAND = (
    "search once in a browser, and give the address of the results page; or write a source.toml: "
    "[ask] url is that address with {query} for the words, [results] hit and link are selectors "
    "(docs/how-to/sources/none-of-these.md)"
)
BY_WORDS = (
    "give words of the site's language, as in `longline discover URL --words FILE -o source.toml`, "
    "and harvest that file"
)
BY_POST = (
    "if the form only searches, let it be sent, as in `longline discover URL --post -o "
    "source.toml`, and harvest that file"
)
"""What remains to be done where nothing can be learnt."""


class HopelessError(Exception):
    """Nothing can be learnt here; the message says what was tried, `advice` what to do."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice
