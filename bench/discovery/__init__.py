"""Made-up search sites, and how much of each discovery finds."""
