"""Tables and figures of the five papers, measured again."""
