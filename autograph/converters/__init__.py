"""One construct per file: the picture, the template, and the operator that generated code calls."""
