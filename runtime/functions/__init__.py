"""Tracing functions to graphs, one `ConcreteFunction` per signature; calls, caches and effects."""
