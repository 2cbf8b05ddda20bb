"""A simulated source that lies, fails, searches otherwise or offers more, to try harvests with."""
