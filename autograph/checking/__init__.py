"""`ag.check`: whether a graph does what the function does that it was made from."""
