"""Export: graphs in the formats that other tools read."""
