"""The programs are for a type checker to read; what is wrong in them is meant."""

collect_ignore_glob = ["programs/*"]
