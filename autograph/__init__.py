"""Ordinary Python in, staged Python out."""
