"""Tensors, graphs, an optimiser and executors."""
