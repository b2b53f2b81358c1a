"""Ideas about each promise, reached in every way: by those who try to break it."""
