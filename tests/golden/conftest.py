"""What stands in `errors/` is run by `test_errors.py`: half of each program is there to fail."""

collect_ignore_glob = ["errors/*"]
