"""Compare set covering with other solvers, bounds and published instances."""
