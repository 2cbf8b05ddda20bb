"""Set covering against other solvers, bounds and instances of others."""
