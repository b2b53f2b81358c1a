"""Lowering of core ops to the loop language: one file for each kind of op."""
