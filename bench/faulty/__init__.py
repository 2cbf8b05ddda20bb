"""A simulated source that lies, fails, or searches otherwise: what harvests are tried with."""
