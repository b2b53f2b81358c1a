"""Floor 2, the intermediate representation: ops, graphs, and `bind()`, which makes them."""
