"""Find one page in real and made-up sites."""
