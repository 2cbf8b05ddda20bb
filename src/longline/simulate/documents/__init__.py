"""Documents for a simulated search box, and their words."""

from longline.simulate.documents.words import marks_of, reading, snippet, words
