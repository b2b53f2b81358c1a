"""Facts about a tree: who reads what, who binds what, and what is still needed when."""
