"""Letters, words, languages, texts as points, character sets, and small text formats of the web."""
