"""Floor 5, how a graph runs: executors that are interchangeable, and checked against each other."""
