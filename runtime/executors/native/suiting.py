"""What is asked of a graph before machine code is made of it by default: its loops, and how large it is."""

from __future__ import annotations

from collections.abc import Container

from runtime.core.spec import ArraySpec
from runtime.graph.graph import Node
from runtime.graph.module import Module
from runtime.graph.op import Const, Effects

__all__ = [
    "has_loops",
    "has_nests",
    "run_once",
    "seconds_to_compile",
    "stays_inside",
]

_FOR_NODE, _FOR_AXIS = 1e-3, 2e-3
"""Seconds that it takes to make machine code of a node, and more of one for each axis of an array."""


def has_loops(module: Module) -> bool:
    """Whether anything runs again and again: a loop, or a function that is called by name."""
    nodes = (node for graph in module.graphs() for inner in graph.walk() for node in inner.nodes)
    return any(
        node.op.callee is not None or any(region.runs.repeatedly for region in node.op.regions)
        for node in nodes
    )


def has_nests(module: Module, apart: Container[Node] = ()) -> bool:
    """Whether there are loops inside of loops: how often the inner ones run, nobody says.

    Loops `apart` do not count.
    """
    loops = (
        region.graph
        for graph in module.graphs()
        for inner in graph.walk()
        for node in inner.nodes
        for region in node.op.regions
        if region.runs.repeatedly and node not in apart
    )
    return any(
        region.runs.repeatedly
        for loop in loops
        for inner in loop.walk()
        for node in inner.nodes
        for region in node.op.regions
    )


def run_once(module: Module) -> int:
    """How many nodes a call runs once at most: those in no loop, and in no function called by name."""
    count, pending = 0, [module.entry]
    while pending:
        graph = pending.pop()
        count += len(graph.nodes)
        pending += [
            region.graph for node in graph.nodes for region in node.op.regions if not region.runs.repeatedly
        ]
    return count


def seconds_to_compile(module: Module) -> float:
    """About how long it takes to make machine code of a module.

    Each node takes a millisecond to lower and to compile; what gives an array becomes a loop for each of its
    axes, for which LLVM takes more.
    """
    nodes = (node for graph in module.graphs() for inner in graph.walk() for node in inner.nodes)
    return sum(_FOR_NODE + _FOR_AXIS * _most_axes(node) for node in nodes)


def _most_axes(node: Node) -> int:
    """How many axes an array has that a node computes."""
    if node.op.regions or type(node.op) is Const:
        return 0
    shapes = [each.shape for each in node.specs if isinstance(each, ArraySpec)]
    return max((1 if shape is None else len(shape) for shape in shapes), default=0)


def stays_inside(module: Module) -> bool:
    """Whether a run that is given up has left nothing behind, and read nothing that it may change."""
    nodes = (node for graph in module.graphs() for inner in graph.walk() for node in inner.nodes)
    allowed = Effects.CHECKS | Effects.MARKS
    return not any(
        node.op.effects & ~allowed for node in nodes if not node.op.regions and node.op.callee is None
    )
