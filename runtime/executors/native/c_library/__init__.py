"""A graph as a function in C: what is called how, its header, its code, and the files they go into."""
