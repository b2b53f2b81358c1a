"""The command line: ``python -m autograph``, and the script ``autograph``."""
