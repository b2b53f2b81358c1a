"""The intermediate representation: ops, graphs, modules, and `bind()`, which records ops."""
