"""NumPy's own functions on tensors: `np.sum(tensor)` is an operation, recorded where a graph is built."""
