"""Floor 6: Python functions traced to graphs, one `ConcreteFunction` per signature."""
