"""One operation of a graph, from the trace to the program that runs: a larger graph costs no more."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import autograph as ag
import runtime as rt
from benchmarks.harness import Contender, Scene
from benchmarks.peer import Peer
from runtime.analysis.calls import entered_graphs
from runtime.executors.base import choose
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.module import Module
from runtime.passes.pipeline import optimise

_ROWS, _COLUMNS = 7, 8


def straight(count: int) -> Module:
    """So many operations in a row."""

    def chained(x: Any, y: Any) -> Any:
        for _ in range(count // 2):
            x = rt.sin(x * y)
        return x

    return _module(PolymorphicFunction(chained), rt.TensorSpec((3,)), rt.TensorSpec(()))


def nested(depth: int) -> Module:
    """So many branches inside one another."""

    def chosen(x: Any, depth: int) -> Any:
        if not depth:
            return x
        return rt.cond(x > float(depth), lambda: chosen(x + float(depth), depth - 1), lambda: x * 2.0)

    return _module(PolymorphicFunction(lambda x: chosen(x, depth)), rt.TensorSpec(()))


def distance(left: Any, right: Any) -> Any:
    rows = [list(range(_COLUMNS + 1))]
    for i in range(1, _ROWS + 1):
        row = [i]
        for j in range(1, _COLUMNS + 1):
            removed = rows[i - 1][j] + 1
            added = row[j - 1] + 1
            best = rows[i - 1][j - 1]
            if left[i - 1] != right[j - 1]:
                best = best + 1
            removed = min(removed, added)
            best = min(best, removed)
            row.append(best)
        rows.append(row)
    return rows[_ROWS][_COLUMNS]


def table() -> Module:
    """The table of an edit distance, of which each cell takes three branches."""
    specs = rt.TensorSpec((_ROWS,), rt.int64), rt.TensorSpec((_COLUMNS,), rt.int64)
    return _module(ag.function(distance), *specs)


def _module(function: Any, *specs: rt.TensorSpec) -> Module:
    module: Module = function.get_concrete_function(*specs).module
    return module


def scene(_: Peer | None) -> Scene:
    """Straight lines of several lengths, branches inside one another, and the table of a dynamic program."""
    contenders = [
        Contender("20 in a row", partial(_per_operation, partial(straight, 20))),
        Contender("500 in a row", partial(_per_operation, partial(straight, 500))),
        Contender("5,000 in a row", partial(_per_operation, partial(straight, 5000))),
        Contender("50 branches inside one another", partial(_per_operation, partial(nested, 50))),
        Contender(f"a table of {_ROWS * _COLUMNS} cells", partial(_per_operation, table)),
    ]
    return Scene("optimise and plan, one operation", contenders, "at most 60 µs, whatever the graph")


def _per_operation(make: Callable[[], Module]) -> float:
    module = make()
    count = sum(len(graph.nodes) for graph in entered_graphs(module))
    start = time.process_time()
    choose("numpy").compile(optimise(module))
    return (time.process_time() - start) / count
