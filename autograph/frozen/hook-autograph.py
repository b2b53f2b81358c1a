"""Frozen applications keep the text of this package: programs that call `itertools` are converted with it."""

module_collection_mode = {"autograph": "pyz+py"}
