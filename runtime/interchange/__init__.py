"""Floor 9, other people's files: graphs in the formats that other tools read."""
