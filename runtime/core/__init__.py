"""Basic types: dtypes, shapes, dims, specs, tensors, nested structures."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "exceptions",
    "float_errors",
)
