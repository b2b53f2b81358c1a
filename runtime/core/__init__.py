"""Basic types: dtypes, shapes, dims, specs, tensors, nested structures."""
