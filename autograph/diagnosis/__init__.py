"""Floor 6: what became of a function, line by line: `ag.explain`."""
