"""Backends: one room per library that can stage converted code."""
