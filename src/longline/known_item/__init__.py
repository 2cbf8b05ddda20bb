"""Find one page on a site with few downloads: best first, as published, or at random."""
