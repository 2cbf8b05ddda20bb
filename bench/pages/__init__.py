"""Pages of the documentation that are made from the code: the reference, llms.txt, the pictures."""
