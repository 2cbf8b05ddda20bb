"""Letters, words, languages, texts as points, charsets, and small text formats of the web."""
