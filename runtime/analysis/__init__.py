"""What is known of graphs before they run: which values are used, how long they live, how large they get.

Passes and executors both read it. What an op says of itself is in its facets, its regions among them.
"""
