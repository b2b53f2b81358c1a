"""`Builder`: a graph while it is built, and all that only the building needs to know."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Protocol
from weakref import WeakSet

import numpy as np

from runtime.core.dtypes import NUMPY_DEFAULTS, Defaults, DType
from runtime.core.exceptions import Parts
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
    inputs, nodes : list
        Those of the graph so far.
    captures : dict of Value to Value
        Values of the graphs around it, and the inputs they come in as, in order: the last ones.
    functions : dict of str to Graph
        The functions that it, or a graph around it, calls by name, as far as they are finished.
    weak : set of Value
        Values that stand for Python numbers (a counter that became a loop variable): they promote as such.
        One set for the graph and all around it.
    asked : set of Value
        Values that were computed to see of what kind they are: tests of loops, which compute them again. One
        set for the graph and all around it.
    told_of_kind : set of Value
        Values of which the program has been told of what kind they are: `type(x)` is answered in the trace.
        One set for the graph and all around it.
    mixed : dict of Value to Whose
        Values that stand for Python numbers on some paths and for NumPy's on others, and when: see
        `whose_numbers.py`. One dict for the graph and all around it.
    owner_tests : dict of Whose to Tensor
        The truth values of this graph that say whose a number is.
    own_numbers : dict of Value to number
        What such a value is where it is Python's, if that is one number which is known. One dict likewise.
    alike : dict of int to function
        Functions that one line has made and that read the same, by their ids: what paths have left of several
        is one of them, whichever it was. One dict for the graph and all around it.
    truths : dict of Value to bool
        Truth values that are known, where only the run tells whether they are Python's. One dict for the
        graph and all around it.
    begun : set of Graph
        The graph, those around it, and all that were begun inside of them, finished or not.
    loops : dict of Location to str
        What became of long loops of Python: why one was unrolled, or nothing where it is one of the graph.
        One dict for the graph and all around it.
    in_vain : set of (Location, int)
        Loops of Python that were tried as one of the graph in vain, and after how many turns: they are not
        tried so again. One for the graph and all around it.
    peeled : dict of Location to int
        How often the first turns of loops of Python's were done alone, and what was left was no loop, either.
        One for the graph and all around it.
    ended : dict of Location to bool
        Where loops over a range are that a tensor ends, and whose turns are long: whether the first turn may
        be one of the loop in the graph. One dict for the graph and all around it.
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
    notices : list of (Graph, Notice, tuple of Value)
        What is to be said of a graph if the trace keeps it, and if it matters of what kind one of the values
        is, where there are some. One list for the graph and all around it.
    real_on_paths : set of Value
        Complex numbers that are real ones in Python, where some path has made them.
    whole_on_paths : set of Value
        Floats that are integers on some paths, or in some turns. One set for the graph and all around it.
    started : dict of Value to (callable, number)
        Of sums, what says in a run that there was nothing to add, and the number of Python's that they then
        are. One dict for the graph and all around it.
    caught : dict of Value to Parts
        What exceptions that the graph has caught consist of, where that is known. One dict for the graph and
        all around it.
    raised : dict of int to (Op, Parts)
        By the id of an op that raises, what it raises: with what each object of Python's in it held then.
        One dict for the graph and all around it.
    changed_where_raised : list of Place
        What paths have changed, outside of variables, that raise in the end. One list for the graph and all
        around it.
    named : set of op
        Those that raise exceptions which the program may have under other names, too.
    dim_names : DimNames
        The names of lengths that only a run knows; those of a graph inside are among them.
    """

    def __init__(self, name: str, parent: Builder | None = None, defaults: Defaults | None = None) -> None:
        self.graph = Graph(name)
        self.parent = parent
        self.inputs: list[Value] = []
        self.nodes: list[Node] = []
        self.captures: dict[Value, Value] = {}
        self.defaults: Defaults = defaults or (parent.defaults if parent else NUMPY_DEFAULTS)
        self.functions: dict[str, Graph] = parent.functions if parent else {}
        self.weak: set[Value] = parent.weak if parent else set()
        self.asked: set[Value] = parent.asked if parent else set()
        self.told_of_kind: set[Value] = parent.told_of_kind if parent else set()
        self.mixed: dict[Value, Any] = parent.mixed if parent else {}
        self.owner_tests: dict[Any, Any] = {}
        self.own_numbers: dict[Value, complex] = parent.own_numbers if parent else {}
        self.truths: dict[Value, bool] = parent.truths if parent else {}
        self.alike: dict[int, Any] = parent.alike if parent else {}
        self.caught: dict[Value, Parts] = parent.caught if parent else {}
        self.named: set[Op] = parent.named if parent else set()
        self.raised: dict[int, tuple[Op, Parts]] = parent.raised if parent else {}
        if parent:
            self.arrays = parent.arrays
        self.begun: WeakSet[Graph] = parent.begun if parent else WeakSet()
        self.begun.add(self.graph)
        self.allows_variables: bool = parent.allows_variables if parent else True
        self.makes_variables = False
        self.loops: dict[Location, str] = parent.loops if parent else {}
        self.in_vain: set[tuple[Location, int]] = parent.in_vain if parent else set()
        self.peeled: dict[Location, int] = parent.peeled if parent else {}
        self.ended: dict[Location, bool] = parent.ended if parent else {}
        self.rolls: bool = parent.rolls if parent else True
        self.copies: int = parent.copies if parent else 1
        self.strict: bool = parent.strict if parent else False
        self.effects_run: bool = parent.effects_run if parent else True
        self.watcher: Watcher | None = parent.watcher if parent else None
        self.notices: list[tuple[Graph, Notice, tuple[Value, ...]]] = parent.notices if parent else []
        self.real_on_paths: set[Value] = parent.real_on_paths if parent else set()
        self.whole_on_paths: set[Value] = parent.whole_on_paths if parent else set()
        self.started: dict[Value, tuple[Callable[[], Any], Any]] = parent.started if parent else {}
        self.changed_where_raised: list[Any] = parent.changed_where_raised if parent else []
        self.print_options: Any = parent.print_options if parent else np.get_printoptions()
        self.dim_names: DimNames = parent.dim_names if parent else DimNames()
        self._constants: dict[tuple[int, DType], tuple[Array, Value]] = {}

    @cached_property
    def arrays(self) -> Arrays:
        """What the arrays of the graph, and of all around it, hold that were written to."""
        return Arrays()  # which most copies of graphs are finished without

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
        self.notices.append((self.graph, notice, tuple(values)))

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
        if outer in self.weak:
            self.weak.add(inner)
        if outer in self.mixed:
            self.mixed[inner] = self.mixed[outer]
        if outer in self.own_numbers:
            self.own_numbers[inner] = self.own_numbers[outer]
        if outer in self.truths:
            self.truths[inner] = self.truths[outer]
        if outer in self.caught:
            self.caught[inner] = self.caught[outer]
        return inner

    def slot_of(self, value: Value) -> Slot:
        """The place of a value in a text or among arguments, which says what plain Python has there."""
        spec = value.spec
        if value in self.weak or not (isinstance(spec, ArraySpec) and spec.shape == ()):
            return Slot(is_number=value in self.weak)
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
            len(self.notices),
            set(self.weak),
            self.arrays.copy(),
            self.dim_names.copy(),
            dict(self.functions),
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
            del self.notices[notices:]
            self.weak.intersection_update(weak)
            self.arrays.go_back_to(arrays)
            self.dim_names.forget(names)
            for name in self.functions.keys() - functions:
                del self.functions[name]

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
