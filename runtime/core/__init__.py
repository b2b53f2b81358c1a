"""Floor 1, the nouns: dtypes, shapes, specs, tensors, structures."""
