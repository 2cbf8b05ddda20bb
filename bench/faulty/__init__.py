"""A simulated source that lies, fails, searches differently or offers more, to test harvests."""
