"""Made-up search sites, and how much discovery finds out about each."""
