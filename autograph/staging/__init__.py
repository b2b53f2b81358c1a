"""What converted code calls when it runs: operators (`ag__`), dispatch to backends, and state."""
