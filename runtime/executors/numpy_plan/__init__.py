"""The NumPy executor: a graph as one flat program of NumPy calls, which runs and can be printed."""
