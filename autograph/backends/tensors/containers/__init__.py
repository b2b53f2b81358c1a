"""Lists, dicts, sets and deques whose length, keys or items the graph knows; instances that loops make."""
