"""`warm` harvests when it is imported, which only processes that are forked from it need."""

collect_ignore = ["warm.py"]
