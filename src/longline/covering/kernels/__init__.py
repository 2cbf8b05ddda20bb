"""The loops of set covering over arrays, compiled on first use; solvers import them one by one."""
