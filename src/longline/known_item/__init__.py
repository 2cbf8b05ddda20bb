"""One page in a site, found by downloading few others: the Lost Sheep, its rivals, a hound."""
