"""`ag.explain` and `ag.profile`: what became of a function, line by line, and how long each line takes."""
