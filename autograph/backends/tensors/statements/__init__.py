"""Statements: tracing of paths, and joins of what they leave."""
