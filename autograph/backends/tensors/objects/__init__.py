"""One of several Python objects, picked by a tensor; classes and attributes, and who asks for them."""
