"""Executors: interchangeable ways to run a module, checked against each other."""
