"""The NumPy executor: a graph becomes one flat Python program of NumPy calls, which runs and can be printed."""
