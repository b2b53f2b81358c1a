"""What `for` iterates over: items, iterators and generators."""
