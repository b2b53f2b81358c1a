"""Text that is no graph."""

from runtime.graph.parser import from_text

# fails
from_text("x: f64[2]\ny = Sin(z)\nreturn y")

# works
from_text("x: f64[2]\ny = Sin(x)\nreturn y")
