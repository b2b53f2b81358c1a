"""Graphs as pictures: Graphviz's DOT, SVG, and a page to look around in."""
