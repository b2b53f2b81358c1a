"""`Builder`: a graph while it is built, and all that only the building needs to know."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from runtime.core.dtypes import NUMPY_DEFAULTS, Defaults, DType
from runtime.core.spec import ArraySpec, Spec
from runtime.core.tensor import Array
from runtime.core.text import Slot
from runtime.errors import KindsMeetWarning, Notice
from runtime.graph.arrays import Arrays
from runtime.graph.dim_names import DimNames, completed
from runtime.graph.graph import Graph, Node, Value, effects_of
from runtime.graph.location import UNKNOWN, Location, caller_location
from runtime.graph.op import Const, Effects, Op, Placeholder
from runtime.graph.symbol import refuse_leak
from runtime.graph.trace_context import TraceContext

__all__ = ["Builder", "Watcher", "share_captures"]


class Watcher(Protocol):
    """Hears of every node that is added to a graph, or to a graph inside of it, while it is being built."""

    began: int
    """When it did, as whoever traces counts time."""

    around: Watcher | None
    """The one that heard before it did, and does again behind it."""

    builder: Builder
    """Of the graph whose nodes it hears of, with those of graphs inside."""

    when_forgotten: list[Callable[[], None]]
    """What is called when the nodes are taken away again that it has heard of."""

    def before(self, builder: Builder, op: Op, inputs: Sequence[Value]) -> None:
        """A node is about to be added."""

    def after(self, builder: Builder, node: Node) -> None:
        """A node was added."""


class Builder:
    """Builds one graph: takes inputs and nodes, captures what comes from outside, and finishes.

    >>> from runtime.core.dtypes import float32
    >>> from runtime.core.spec import ArraySpec
    >>> from runtime.ops.arithmetic import Neg
    >>> builder = Builder("opposite")
    >>> x = builder.input(ArraySpec((3,), float32), "x")
    >>> print(builder.finish(builder.add(Neg(), [x]).outputs))
    x: f32[3]
    a = Neg(x)                                        # f32[3]
    return a

    Parameters
    ----------
    name : str
    parent : Builder, optional
        Of the graph around it, whose values it may capture. A graph inside is as the one around it: of the
        same defaults, as strict, with the same watcher.
    defaults : Defaults, optional
        The dtypes of Python numbers that no tensor decides.

    Attributes
    ----------
    graph : Graph
        What it builds; nothing is in it yet.
    context : TraceContext
        What is known while it is traced: one for the graph and all around it.
    inputs, nodes : list
        Those of the graph so far.
    captures : dict of Value to Value
        Values of the graphs around it, and the inputs they come in as, in order: the last ones.
    owner_tests : dict of Whose to Tensor
        The truth values of this graph that say whose a number is.
    rolls : bool
        Whether long loops of Python may become loops of the graph.
    copies : int
        How often what is traced now is in the graph in the end, as the loops around it are unrolled.
    allows_variables : bool
        Whether variables may be created while it is traced.
    makes_variables : bool
        Whether variables have been created while it, or a graph inside of it, was traced.
    strict : bool
        Whether what TensorFlow refuses is refused.
    effects_run : bool
        Whether what the program does beside computing, such as printing, happens when the graph runs. If not,
        it happens while it is traced.
    watcher : Watcher or None
        Hears of its nodes.
    print_options : dict
        NumPy's, as they were when the outermost of the graphs was begun.
    dim_names : DimNames
        The names of lengths that only a run knows; those of a graph inside are among them.
    """

    rolls: bool = True
    copies: int = 1
    allows_variables: bool = True
    makes_variables: bool = False
    strict: bool = False
    effects_run: bool = True
    watcher: Watcher | None = None

    def __init__(self, name: str, parent: Builder | None = None, defaults: Defaults | None = None) -> None:
        self.graph = Graph(name)
        self.parent = parent
        self.inputs: list[Value] = []
        self.nodes: list[Node] = []
        self.captures: dict[Value, Value] = {}
        self.owner_tests: dict[Any, Any] = {}
        self._constants: dict[tuple[int, DType], tuple[Array, Value]] = {}
        if parent is None:
            self.context = TraceContext()
            self.dim_names = DimNames()
            self.defaults = NUMPY_DEFAULTS
            self.print_options: Any = np.get_printoptions()
        else:
            self._be_as(parent)
        if defaults is not None:
            self.defaults = defaults
        self.context.begun.add(self.graph)

    def _be_as(self, parent: Builder) -> None:
        """Takes what holds for the graph around it."""
        self.context = parent.context
        self.dim_names = parent.dim_names
        self.defaults = parent.defaults
        self.print_options = parent.print_options
        self.rolls, self.copies = parent.rolls, parent.copies
        self.allows_variables = parent.allows_variables
        self.strict = parent.strict
        self.effects_run = parent.effects_run
        self.watcher = parent.watcher

    @cached_property
    def arrays(self) -> Arrays:
        """What the arrays of the graph, and of all around it, hold that were written to."""
        return self.context.arrays

    @property
    def name(self) -> str:
        """The name of the graph."""
        return self.graph.name

    @property
    def effects(self) -> Effects:
        """What running the nodes so far does beside computing."""
        return effects_of(self.nodes)

    def input(self, spec: Spec, label: str = "arg", location: Location = UNKNOWN) -> Value:
        """Adds an input."""
        spec = self.dim_names.specified(spec, label)
        node = Node(self.graph, Placeholder(label, spec), (), (spec,), location)
        self.inputs.append(node.outputs[0])
        return node.outputs[0]

    def add(
        self,
        op: Op,
        inputs: Iterable[Value] = (),
        location: Location = UNKNOWN,
        known: Sequence[Spec | None] = (),
    ) -> Node:
        """Appends a node; `inputs` are values of this graph.

        The lengths that its op cannot infer are as they are `known`, or get names.
        """
        arguments = tuple(inputs)
        if self.watcher is not None:
            self.watcher.before(self, op, arguments)
        found = op.infer(*[value.node.specs[value.index] for value in arguments])
        specs = found if isinstance(found, tuple) else (found,)
        if known:
            pairs = zip(specs, known, strict=False)
            specs = completed(specs, [spec if told is None else told for spec, told in pairs])
        names = self.dim_names
        if len(specs) == 1:
            if not arguments or specs[0] is not arguments[0].node.specs[arguments[0].index]:
                specs = (names.specified(specs[0], op),)
        else:
            specs = tuple([names.specified(spec, op) for spec in specs])
        node = Node(self.graph, op, arguments, specs, location)
        self.nodes.append(node)
        if self.watcher is not None:
            self.watcher.after(self, node)
        return node

    def constant(self, array: Array, location: Location | None = None) -> Value:
        """The value of a constant; one node per array and graph."""
        key = id(array), array.dtype
        found = self._constants.get(key)  # type: ignore[arg-type]  # keyed by the NumPy dtype: cheaper to look up
        if found is not None:
            return found[1]
        op = Const(array)
        if self.watcher is None:  # nothing is to be found out of what is known already
            node = Node(self.graph, op, (), (op.infer(),), location or caller_location())
            self.nodes.append(node)
        else:
            node = self.add(op, (), location or caller_location())
        value = node.outputs[0]
        self._constants[key] = array, value  # type: ignore[index]  # as above; holding the array keeps its id
        return value

    def add_notice(self, notice: Notice, values: Iterable[Value] = ()) -> None:
        """Has something said of the graph; with values, if it matters of what kind one of them is."""
        self.context.notices.append((self.graph, notice, tuple(values)))

    def note_array_told(self) -> None:
        """Warns of an array without axes that a list of the graph holds: a program asks what it is."""
        notice = KindsMeetWarning(
            "an array without axes that was put into a list may be a number of NumPy's in a graph",
            where=caller_location(),
            why="A list of the graph holds the numbers that are in them.",
            way_out="Put numbers into it: `x[()]` is one.",
        )
        self.add_notice(notice)

    def constants_around(self) -> list[Value]:
        """The constants of graphs around it that it has anew."""
        captured = self.arrays.captured
        return [captured[own] for _, own in self._constants.values() if own in captured]

    def resolve(self, value: Value) -> Value:
        """`value` as this graph sees it: itself, or the input through which it is captured.

        Raises
        ------
        LeakedTensor
            When `value` belongs neither to this graph nor to one around it.
        """
        found, around = self.known(value), self
        within: list[Builder] = []
        while found is None:
            within.append(around)
            if around.parent is None:
                refuse_leak(value, around.graph)
            around = around.parent
            found = around.known(value)
        for each in reversed(within):
            inner = each.captures.get(found)
            if inner is None:
                inner = each.capture(found, value.label("capture"), value.node.location)
            found = inner
        return found

    def known(self, value: Value) -> Value | None:
        """`value` as this graph sees it, where it does without those around it."""
        if value.node.graph is self.graph:
            return value
        found = self.captures.get(value)
        if found is None and isinstance(value.op, Const) and self.sees(value.node.graph):
            found = self.constant(value.op.value, value.node.location)
            self.arrays.captured[found] = value
        return found

    def capture(self, outer: Value, label: str, location: Location) -> Value:
        """Adds an input that stands for a value of the graph around it."""
        inner = self.captures[outer] = self.input(outer.spec, label, location)
        self.arrays.captured[inner] = outer
        self.context.note_copy(inner, outer)
        return inner

    def slot_of(self, value: Value) -> Slot:
        """The place of a value in a text or among arguments, which says what plain Python has there."""
        spec = value.spec
        if value in self.context.weak or not (isinstance(spec, ArraySpec) and spec.shape == ()):
            return Slot(is_number=value in self.context.weak)
        return Slot(is_array=not self.strict and self.arrays.is_array(value))

    def sees(self, graph: Graph) -> bool:
        """Whether a graph is the one that it builds, or one around it."""
        return graph is self.graph or any(graph is each.graph for each in self.ancestors())

    def is_around(self, value: Value) -> bool:
        """Whether a value is one of a graph around the one that it builds."""
        return value.node.graph is not self.graph and self.sees(value.node.graph)

    def owner_of(self, values: Collection[Value]) -> Builder | None:
        """The innermost of the graphs that some values are in, of this one and those around it.

        None where one of them is in no such graph any more.
        """
        around = [self, *self.ancestors()]
        depths = {each.graph: depth for depth, each in enumerate(around)}
        places = [(depths.get(value.node.graph), value) for value in values]
        if any(depth is None or not around[depth]._has(value) for depth, value in places):  # noqa: SLF001  # of this class
            return None
        return around[min(depth for depth, _ in places if depth is not None)]

    def _has(self, value: Value) -> bool:
        return value.node in self.nodes or value in self.inputs

    def ancestors(self) -> Iterator[Builder]:
        """The builders of the graphs around this one, nearest first."""
        builder = self.parent
        while builder is not None:
            yield builder
            builder = builder.parent

    def checkpoint(self) -> Callable[[], None]:
        """What takes back all that is done from now on to the graph and those around it.

        Returns
        -------
        callable
            To be called once, when no graph is open that was begun meanwhile.
        """
        notices, weak, arrays, names, functions = (
            len(self.context.notices),
            set(self.context.weak),
            self.arrays.copy(),
            self.dim_names.copy(),
            dict(self.context.functions),
        )
        parts = [
            (each, len(each.inputs), len(each.nodes), each.captures.copy(), each._constants.copy())  # noqa: SLF001  # of this class
            for each in (self, *self.ancestors())
        ]
        tests = [(each, each.owner_tests.copy()) for each in (self, *self.ancestors())]

        def go_back() -> None:
            for each, inputs, nodes, captures, constants in parts:
                del each.inputs[inputs:], each.nodes[nodes:]
                each.captures, each._constants = captures, constants  # noqa: SLF001  # of this class
            for each, known in tests:
                each.owner_tests = known
            del self.context.notices[notices:]
            self.context.weak.intersection_update(weak)
            self.arrays.go_back_to(arrays)
            self.dim_names.forget(names)
            for name in self.context.functions.keys() - functions:
                del self.context.functions[name]

        return go_back

    @contextmanager
    def unwatched(self) -> Iterator[None]:
        """Nobody hears of the nodes that are added inside: they raise nothing that was not raised before."""
        watcher, self.watcher = self.watcher, None
        try:
            yield
        finally:
            self.watcher = watcher

    def finish(self, outputs: Iterable[Value]) -> Graph:
        """The graph, with these outputs; from now on nothing can be added."""
        self.graph.finish(self.inputs, self.nodes, outputs)
        return self.graph

    def __repr__(self) -> str:
        return f"<Builder of {self.name}, {len(self.nodes)} nodes>"


def share_captures(builders: Sequence[Builder]) -> list[Value]:
    """Gives every graph the captures of all, in one order, and returns the captured values."""
    captured = list(dict.fromkeys(outer for builder in builders for outer in builder.captures))
    for builder in builders:
        inner = set(builder.captures.values())
        own = [value for value in builder.inputs if value not in inner]
        for outer in captured:
            if outer not in builder.captures:
                builder.capture(outer, "capture", outer.node.location)
        builder.captures = {outer: builder.captures[outer] for outer in captured}
        builder.inputs = [*own, *builder.captures.values()]
    return captured
