"""What generated code meets when it runs: backends, the dispatch between them, and the state they work on."""
