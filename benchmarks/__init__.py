"""Timed scenes: ``python -m benchmarks`` runs them and prints a table."""
