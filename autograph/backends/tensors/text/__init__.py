"""Strings of the graph and of choices, and how values become text."""
