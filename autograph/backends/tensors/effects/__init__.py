"""Calls with effects, output, and what is heard of warnings."""
