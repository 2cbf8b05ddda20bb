"""Do not collect `warm`: importing it runs a harvest, which only forked processes need."""

collect_ignore = ["warm.py"]
