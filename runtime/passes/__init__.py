"""Optimisation passes: each maps a valid graph to a valid graph that computes the same."""
