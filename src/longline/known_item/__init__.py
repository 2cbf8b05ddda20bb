"""One page in a site, found by downloading few others: best first, as published, or at random."""
