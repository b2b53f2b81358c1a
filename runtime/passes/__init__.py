"""Floor 4, the passes: a valid graph in, a better valid graph out."""
