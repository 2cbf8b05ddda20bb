"""Documents to put behind a simulated search box, and their words."""

from longline.simulate.documents.words import marks_of, reading, snippet, words

__all__ = [
    "marks_of",
    "reading",
    "snippet",
    "words",
]
