"""Text where numbers belong."""

import runtime as rt

# fails
rt.asarray(["1.5", "2.5"])

# works
rt.asarray([float(text) for text in ["1.5", "2.5"]])
