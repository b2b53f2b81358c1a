"""Floor 4: one file per library that AutoGraph can speak to."""
