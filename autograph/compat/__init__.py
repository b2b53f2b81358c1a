"""The names that people know from other libraries, on this project's tensors."""
