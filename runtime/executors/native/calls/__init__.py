"""Calls from Python into machine code, and from machine code into Python."""
