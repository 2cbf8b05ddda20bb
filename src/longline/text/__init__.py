"""Letters, words, languages, character sets, and the small text formats of the web."""
