"""Floor 5: `ag.function`."""
