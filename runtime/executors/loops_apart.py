"""Loops of a module that is no machine code as a whole, each as machine code of its own.

::

    heap = sorted(rows, key=...)   Python's order       heap = sorted(rows, key=...)   NumPy program
    while heap:                    numbers         ⇒    heap, found = <machine code>(heap)
        ...                                             print(found)                   NumPy program
    print(found)                   output

A text, a print or a list of lists keeps a module from being machine code, but not the loops beside it. What
a loop gets and gives is copied, arrays and lists too.

A loop inside of such a one is a part of the NumPy program, and becomes machine code when it has taken as long
as that takes to make, also in the middle of a run. One over lists that has turned out to be short is NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf
from time import perf_counter
from typing import Any

import numpy as np

from runtime.core.spec import ArraySpec, CellSpec, ListSpec, Spec
from runtime.executors.native.beyond import Unsupported
from runtime.executors.native.suiting import seconds_to_compile
from runtime.executors.numpy_plan import control
from runtime.executors.numpy_plan.handles import taking_items
from runtime.executors.program import Program, Step
from runtime.graph.builder import Builder
from runtime.graph.dim_names import DimNames
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.module import Module, called
from runtime.graph.op import Const
from runtime.graph.region import guard_of

__all__ = ["LoopsApart", "Relay"]

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
        self._lasting: dict[Node, Relay] | None = None

    def of(self, node: Node, is_in_turns: bool) -> Relay | None:
        """What may run a node in the place of the program, if anything may."""
        if node in self.lasting():
            return self.lasting()[node]
        if not (is_in_turns and node.outputs and _repeats(node)):
            return None
        if not (_is_handed_over(node) and _is_small(node)):
            return None
        return Relay(node, self._module, self._compiled)

    def lasting(self) -> Mapping[Node, Relay]:
        """Those of nodes that are no part of a loop, which have machine code and are expected to last."""
        if self._lasting is None:
            calls_itself = any(graph is self._module.entry for graph in self._module.functions.values())
            self._lasting = {}
            if not calls_itself:  # what is in such a function may run as often as what is in a loop
                self._find(self._module.entry, self._lasting)
        return self._lasting

    def _find(self, graph: Graph, found: dict[Node, Relay]) -> None:
        """Adds the nodes of a graph that machine code runs; an exception passes through branches alone."""
        for node in graph.nodes:
            if guard_of(node.op) is not None:
                for each in node.op.graphs:
                    self._find(each, found)
            elif _repeats(node) and _is_small(node) and not _has_cells(node):
                program = self._program(node)
                if program is not None:
                    found[node] = Relay(node, self._module, self._compiled, program)

    def _program(self, node: Node) -> Program | None:
        """Machine code for a node alone: one for all calls of a function that are alike."""
        key = _told_of_call(node)
        if key is not None and key in self._of_calls:
            return self._of_calls[key]
        program = None
        if self._tried < _MOST_TRIED:
            self._tried += 1
            with suppress(Unsupported):
                program = self._compiled(_alone(node, self._module)[0])
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
    """A loop that machine code runs in the place of a NumPy program, where it lasts; or a call.

    Parameters
    ----------
    node : Node
    module : Module
        What it is a node of.
    compiled : callable
        As for `LoopsApart`.
    program : Program, optional
        Machine code for the node alone, which is expected to last.
    """

    def __init__(
        self,
        node: Node,
        module: Module,
        compiled: Callable[[Module], Program],
        program: Program | None = None,
    ) -> None:
        loop, self.places = _alone(node, module)
        rest, self.rest_places = _alone(node, module, is_begun=True)
        self.weighed = [place for place in self.places if _is_copied(node, place)]
        self.is_sure = program is not None and not _may_be_short(node)
        self._code = _Code(loop, compiled, program)
        self._code_of_rest = _Code(rest, compiled)
        self._rest_takes = rest.entry.input_specs
        self._left = seconds_to_compile(loop) if program is None else 0.0
        """Seconds that NumPy takes until machine code is made."""
        self._is_ready = program is not None
        self._lasted = inf if self._is_ready else 0.0
        """Seconds of NumPy's last run; without end where it is not known how long it would be."""
        self._began = 0.0
        """When NumPy's run began, where the clock was looked at."""
        self._copying = self._least = 0.0
        """Seconds to copy what is handed over, and those of the shortest run of machine code."""
        self._unasked = 0
        """Runs of NumPy's until the clock is looked at."""
        self._short, self._most_short = 0, _MOST_SHORT
        """Short runs of machine code since NumPy's last one, and those after which there is one."""
        self.run = taking_items(self._run, loop.entry.input_specs, node.specs, only_reads=True)
        self.go_on = taking_items(self._go_on, self._rest_takes, node.specs, only_reads=True)

    def is_ready(self, *weighed: Any) -> bool:
        """Whether machine code runs the loop now: there is some, and what it copies takes less time."""
        if self._unasked:
            self._unasked -= 1
            self._began = 0.0
            return False
        self._is_ready = self._lasted > self._to_hand_over(weighed) and self._may_run(self._code)
        self._began = 0.0 if self._is_ready else perf_counter()
        return self._is_ready

    def _to_hand_over(self, weighed: Sequence[Any]) -> float:
        """Seconds that it takes to hand the loop over."""
        self._copying = sum(map(_to_copy, weighed))
        return max(self._least, _TO_HAND_OVER + self._copying)

    def _may_run(self, code: _Code) -> bool:
        """Whether there is machine code, which is made where NumPy has taken as long."""
        return code.program is not None or (self._left <= 0 and code.is_there())

    def last(self) -> None:
        """Takes it that the next run will last."""
        self._unasked, self._lasted, self._left = 0, inf, 0.0
        self._is_ready = self._may_run(self._code)

    def ran(self) -> None:
        """The loop has run as a part of the NumPy program."""
        if self._began:
            self._lasted, self._began = perf_counter() - self._began, 0.0
            self._left -= self._lasted
            self._most_short = _MOST_SHORT
            if self._code.is_made:  # it has been looked at, and goes on as it does
                self._unasked = _UNASKED

    def lasts(self, *weighed: Any) -> bool:
        """Whether machine code goes on with a run of the NumPy program, and runs the loop from then on."""
        now = perf_counter()
        self._began = self._began or now
        lasted = now - self._began
        is_long = self._code.is_made or lasted > self._left
        if not (is_long and lasted > 2 * self._to_hand_over(weighed)):
            return False
        self._left = min(self._left, 0.0)
        self._is_ready = self._may_run(self._code_of_rest)
        if self._is_ready:
            self._began, self._lasted, self._short = 0.0, inf, 0
        return self._is_ready

    def _go_on(self, *values: Any) -> Any:
        takes = self._rest_takes
        return self._code_of_rest.run([_of_spec(*each) for each in zip(values, takes, strict=True)])

    def _run(self, *values: Any) -> Any:
        began = perf_counter()
        found = self._code.run(values)
        took = perf_counter() - began
        self._least = min(took, self._least or inf)
        if took > self._lasted:  # or what NumPy took before was something else's time
            self._lasted = 0.0
        elif self._lasted == inf and took < _SHORT + 2 * self._copying:
            self._try_numpy()
        return found

    def _try_numpy(self) -> None:
        """Has NumPy run the loop again, and be measured, where runs have been short: ever less often."""
        self._short += 1
        if self._short >= self._most_short:
            self._most_short *= 2
            self._short, self._lasted = 0, 0.0

    def steps(self, depth: int) -> Sequence[Step]:
        """How machine code runs it, at this depth."""
        if not self._is_ready:
            return ()
        program = self._code.program or self._code_of_rest.program
        assert program is not None, "it was ready"
        return [replace(step, depth=step.depth + depth) for step in program.report().steps]


class _Code:
    """Machine code of a module, made when it is first asked whether there is some.

    Parameters
    ----------
    module : Module
    compiled : callable
        As for `LoopsApart`.
    program : Program, optional
        The machine code, where it is made already.

    Attributes
    ----------
    program : Program, optional
        The machine code, if it is made.
    is_made : bool
        Whether it is, or cannot be.
    """

    def __init__(
        self, module: Module, compiled: Callable[[Module], Program], program: Program | None = None
    ) -> None:
        self._module = module
        self._compiled = compiled
        self.program = program
        self.is_made = program is not None

    def is_there(self) -> bool:
        """Whether there is machine code."""
        if not self.is_made:
            with suppress(Unsupported):
                self.program = self._compiled(self._module)
            self.is_made = True
        return self.program is not None

    def run(self, values: Sequence[Any]) -> Any:
        """What it gives for values of a NumPy program."""
        assert self.program is not None, "it was ready"
        try:
            return self.program.entry(*map(_as_array, values))
        except Exception as error:
            explained = self.program.explain(error)
            if explained is error:
                raise
            raise explained from None


def _as_array(value: Any) -> Any:
    """A value of a NumPy program as others take it the fastest."""
    return np.asarray(value) if isinstance(value, np.generic) else value


def _of_spec(value: Any, spec: Spec) -> Any:
    """A value that a turn of a NumPy program has left, as the loop says it is."""
    return np.asarray(value, spec.dtype.numpy) if isinstance(spec, ArraySpec) else value


def _is_handed_over(node: Node) -> bool:
    """Whether all that a node takes and gives may be handed over between two turns."""
    return all(isinstance(value.spec, ArraySpec | ListSpec) for value in (*node.inputs, *node.outputs))


def _may_be_short(node: Node) -> bool:
    """Whether NumPy may run a loop sooner than it is handed over: there are lists, and no loops inside."""
    if control.form_of(node.op) is not control.Form.WHILE or not _is_handed_over(node):
        return False
    inside = [each for graph in node.op.graphs for inner in graph.walk() for each in inner.nodes]
    return not any(map(_repeats, inside)) and any(
        isinstance(value.spec, ListSpec) for value in (*node.inputs, *node.outputs)
    )


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


_TO_HAND_OVER = 5e-6
"""Seconds that it takes to hand a loop over, about: what it takes, and what it gives."""
_UNASKED = 15
"""Runs of a NumPy program between two looks at how long they take."""
_SHORT = 5e-5
"""Seconds below which a run of machine code is short: what is handed over may have taken most of them."""
_MOST_SHORT = 4
"""Short runs until NumPy runs a loop once more."""
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


def _alone(node: Node, module: Module, *, is_begun: bool = False) -> tuple[Module, tuple[int, ...]]:
    """One node of a module and its constants as a module, and which inputs of the node are inputs of that.

    Those of a loop that has begun are all of its variables, as a turn leaves them.
    """
    builder = Builder(node.graph.name)
    builder.dim_names = DimNames(of=node.graph)
    values: dict[Value, Value] = {}
    inputs, places = [], []
    variables = next((each.graph.inputs[: each.variables] for each in node.op.regions if each.results), ())
    for place, value in enumerate(node.inputs):
        if is_begun and place < len(variables):
            inputs.append(builder.input(variables[place].spec, value.label(), value.node.location))
            places.append(place)
            continue
        if value in values:
            pass
        elif isinstance(value.op, Const):
            constant = Node(builder.graph, value.op, (), value.node.specs, value.node.location)
            builder.nodes.append(constant)
            values[value] = constant.outputs[0]
        else:
            values[value] = builder.input(value.spec, value.label(), value.node.location)
            places.append(place)
        inputs.append(values[value])
    alone = Node(builder.graph, node.op, tuple(inputs), node.specs, node.location)
    builder.nodes.append(alone)
    return Module(builder.finish(alone.outputs), module.functions), tuple(places)
