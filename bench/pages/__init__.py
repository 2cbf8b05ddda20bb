"""Generate documentation pages from the code: the reference, llms.txt, the pictures."""
