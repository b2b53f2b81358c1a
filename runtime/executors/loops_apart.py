"""Loops of a module that is no machine code as a whole, each as machine code of its own.

::

    heap = sorted(rows, key=...)   Python's order       heap = sorted(rows, key=...)   NumPy program
    while heap:                    numbers         ⇒    heap, found = <machine code>(heap)
        ...                                             print(found)                   NumPy program
    print(found)                   output

A text, a print or a list of lists keeps a module from being machine code, but not the loops beside it. What
a loop gets and gives is copied, arrays and lists too.

A loop inside of such a one is a part of the NumPy program, and becomes machine code when it has taken as long
as that takes to make.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf
from time import perf_counter
from typing import Any

import numpy as np

from runtime.core.spec import ArraySpec, CellSpec, ListSpec
from runtime.executors.native.lower.building import Unsupported
from runtime.executors.native.suiting import seconds_to_compile
from runtime.executors.numpy_plan.handles import taking_items
from runtime.executors.program import Program, Step
from runtime.graph.builder import Builder
from runtime.graph.dim_names import DimNames
from runtime.graph.graph import Graph, Node
from runtime.graph.module import Module, called
from runtime.graph.op import Const
from runtime.graph.region import guard_of

__all__ = ["LoopsApart", "Relay", "given_by"]

_MOST_TRIED = 8
"""Loops that are tried: to lower one takes milliseconds."""
_MOST_VALUES = 32
"""Values that a loop takes and gives: to hand one over takes as long as some turns of a short loop."""


class LoopsApart:
    """What runs loops of a module in the place of a NumPy program.

    A call of a function that calls itself counts as a loop.

    Parameters
    ----------
    module : Module
    compiled : callable
        The program that runs a loop, as a module; raises `Unsupported` where there is none.
    """

    def __init__(self, module: Module, compiled: Callable[[Module], Program]) -> None:
        self._module = module
        self._compiled = compiled
        self._tried = 0
        self._of_calls: dict[Hashable, Program | None] = {}
        self._sure: dict[Node, Relay] | None = None

    def of(self, node: Node, is_in_turns: bool) -> Relay | None:
        """What may run a node, or runs it always; None where that is sure to take longer, or is not known."""
        if node in self.sure():
            return self.sure()[node]
        if not (is_in_turns and node.outputs and _repeats(node)):
            return None
        if not all(isinstance(value.spec, _HANDED_OVER) for value in (*node.inputs, *node.outputs)):
            return None
        if not _is_small(node):
            return None
        loop, places = _alone(node, self._module)
        return Relay(node, loop, places, self._compiled)

    def sure(self) -> Mapping[Node, Relay]:
        """Those that run nodes which are no part of a loop, always."""
        if self._sure is None:
            calls_itself = any(graph is self._module.entry for graph in self._module.functions.values())
            self._sure = {}  # what is in a function that calls itself may run as often as what is in a loop
            if not calls_itself:
                self._find(self._module.entry, self._sure)
        return self._sure

    def _find(self, graph: Graph, found: dict[Node, Relay]) -> None:
        """Adds the nodes of a graph that machine code runs; an exception passes through branches alone."""
        for node in graph.nodes:
            if guard_of(node.op) is not None:
                for each in node.op.graphs:
                    self._find(each, found)
            elif _repeats(node) and _is_small(node) and not _has_cells(node):
                loop, places = _alone(node, self._module)
                program = self._program(node, loop)
                if program is not None:
                    found[node] = Relay(node, loop, places, self._compiled, program)

    def _program(self, node: Node, loop: Module) -> Program | None:
        """Machine code for a node alone: one for all calls of a function that are alike."""
        key = _told_of_call(node)
        if key is not None and key in self._of_calls:
            return self._of_calls[key]
        program = None
        if self._tried < _MOST_TRIED:
            self._tried += 1
            with suppress(Unsupported):
                program = self._compiled(loop)
        if key is not None:
            self._of_calls[key] = program
        return program


def _told_of_call(node: Node) -> Hashable | None:
    """What tells a call of a function from others of it; None of a loop, and where constants are given."""
    function = node.op.callee or next((each.graph for each in node.op.regions if each.is_function), None)
    if function is None or any(isinstance(value.op, Const) for value in node.inputs):
        return None
    values = list(node.inputs)
    return function, tuple([(values.index(value), value.spec) for value in values])


class Relay:
    """A loop that machine code runs in the place of a NumPy program, or a call.

    One inside of others the program runs until machine code is worth its while.

    Parameters
    ----------
    node : Node
    loop : Module
        The loop alone.
    places : sequence of int
        Which inputs of the node the loop takes.
    compiled : callable
        As for `LoopsApart`.
    program : Program, optional
        Machine code that runs the loop always.
    """

    def __init__(
        self,
        node: Node,
        loop: Module,
        places: Sequence[int],
        compiled: Callable[[Module], Program],
        program: Program | None = None,
    ) -> None:
        self.is_sure = program is not None
        self.places = places
        self.weighed = [place for place in places if _is_copied(node, place)]
        self._loop = loop
        self._compiled = compiled
        self._left = inf if self.is_sure else seconds_to_compile(loop)
        self._program = program
        self._is_ready = self.is_sure
        self._began = self._lasted = 0.0
        self._unasked = 0
        takes = [node.inputs[place].spec for place in places]
        self.run = taking_items(self._run, takes, node.specs, only_reads=True)

    def is_ready(self, *weighed: Any) -> bool:
        """Whether machine code runs the loop now: there is some, and what it copies takes less time."""
        if self._unasked:
            self._unasked -= 1
            return False
        if self._left <= 0:
            self._compile()
        is_there = self._program is not None
        self._is_ready = is_there and self._lasted > _TO_HAND_OVER + sum(map(_to_copy, weighed))
        if not self._is_ready:
            self._began = perf_counter()
        return self._is_ready

    def _compile(self) -> None:
        """Makes machine code, once."""
        if self._left != inf:
            self._left = inf
            with suppress(Unsupported):  # it stays as it is
                self._program = self._compiled(self._loop)

    def last(self) -> None:
        """Takes it that the next run will last."""
        self._compile()
        self._unasked, self._lasted, self._is_ready = 0, inf, self._program is not None

    def ran(self) -> None:
        """The loop has run as a part of the NumPy program."""
        if self._began:
            self._lasted, self._began = perf_counter() - self._began, 0.0
            self._left -= self._lasted
            if self._left == inf:  # it has been looked at, and goes on as it does
                self._unasked = _UNASKED

    def _run(self, *values: Any) -> Any:
        assert self._program is not None, "it was ready"
        if self.is_sure:
            return given_by(self._program, values)
        began = perf_counter()
        found = given_by(self._program, values)
        if perf_counter() - began > self._lasted:  # or what NumPy took before was something else's time
            self._lasted = 0.0
        return found

    def steps(self, depth: int) -> Sequence[Step]:
        """How machine code runs it, at this depth."""
        if self._program is None or not self._is_ready:
            return ()
        return [replace(step, depth=step.depth + depth) for step in self._program.report().steps]


def given_by(program: Program, values: Sequence[Any]) -> Any:
    """What another program gives for values of a NumPy program."""
    try:
        return program.entry(*map(_as_array, values))
    except Exception as error:
        explained = program.explain(error)
        if explained is error:
            raise
        raise explained from None


def _as_array(value: Any) -> Any:
    """A value of a NumPy program as others take it the fastest."""
    return np.asarray(value) if isinstance(value, np.generic) else value


def _repeats(node: Node) -> bool:
    """Whether a node runs something again and again: it is a loop, or calls a function that calls itself."""
    if node.op.callee is not None or any(region.runs.repeatedly for region in node.op.regions):
        return True
    return any(region.is_function and called(region.graph) for region in node.op.regions)


def _is_small(node: Node) -> bool:
    """Whether to hand over what a node takes and gives takes no longer than some turns of a short loop."""
    takes = {value for value in node.inputs if not isinstance(value.op, Const)}
    return len(takes) + len(node.outputs) <= _MOST_VALUES


def _has_cells(node: Node) -> bool:
    """Whether a node marks how far it is for a `try` around it."""
    return any(isinstance(value.spec, CellSpec) for value in node.inputs)


_HANDED_OVER = ArraySpec | ListSpec
_TO_HAND_OVER = 5e-6
"""Seconds that it takes to hand a loop over, about: what it takes, and what it gives."""
_UNASKED = 15
"""Runs of a NumPy program between two looks at how long they take."""
_FOR_BYTE, _FOR_ITEM = 2e-10, 1e-7
"""Seconds for each byte of an array that is copied, and for each item of a list."""


def _is_copied(node: Node, place: int) -> bool:
    """Whether machine code copies an input of a loop: a list, or an array that it may write into."""
    spec = node.inputs[place].spec
    if not isinstance(spec, ArraySpec):
        return True
    is_loop = any(region.runs.repeatedly for region in node.op.regions)
    return spec.shape != () and (place < len(node.outputs) or not is_loop)


def _to_copy(value: Any) -> float:
    """About how long it takes to copy an array or a list."""
    if not isinstance(value, list):
        return float(value.nbytes * _FOR_BYTE)
    return _FOR_ITEM * sum([len(each) + 1 if isinstance(each, list) else 1 for each in value])


def _alone(node: Node, module: Module) -> tuple[Module, tuple[int, ...]]:
    """One node of a module and its constants as a module, and which inputs of the node are inputs of that."""
    builder = Builder(node.graph.name)
    builder.dim_names = DimNames(of=node.graph)
    values, places = {}, []
    for place, value in enumerate(node.inputs):
        if value in values:
            continue
        if isinstance(value.op, Const):
            constant = Node(builder.graph, value.op, (), value.node.specs, value.node.location)
            builder.nodes.append(constant)
            values[value] = constant.outputs[0]
        else:
            values[value] = builder.input(value.spec, value.label(), value.node.location)
            places.append(place)
    inputs = tuple([values[value] for value in node.inputs])
    alone = Node(builder.graph, node.op, inputs, node.specs, node.location)
    builder.nodes.append(alone)
    return Module(builder.finish(alone.outputs), module.functions), tuple(places)
