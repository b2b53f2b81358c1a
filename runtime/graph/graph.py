"""The intermediate representation: a `Graph` of `Node`s whose outputs are `Value`s.

Nothing here changes once it is made. Nodes stand in program order, which is also the order of their effects.
A graph inside another one (a branch, a loop's body) is a field of the op that runs it; what it uses of the
graph around it comes in as its last inputs. Graphs are made by a `runtime.graph.builder.Builder`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NoReturn

from runtime.core.dtypes import DType
from runtime.core.shapes import Shape
from runtime.core.spec import ArraySpec, Spec, as_array_spec
from runtime.graph import printer
from runtime.graph.location import UNKNOWN, Location, caller_location
from runtime.graph.op import Const, Effects, Op, Placeholder

__all__ = ["Graph", "Node", "Value", "effects_of", "size_of"]


class Value:
    """Output `index` of `node`. Compared by identity; ``case Value(Cast(to), [x])`` matches its making."""

    __slots__ = ("__weakref__", "index", "node")
    __match_args__ = ("op", "inputs")

    def __init__(self, node: Node, index: int) -> None:
        self.node = node
        self.index = index

    @property
    def op(self) -> Op:
        """The op that makes it."""
        return self.node.op

    @property
    def inputs(self) -> tuple[Value, ...]:
        """The inputs of the op that makes it."""
        return self.node.inputs

    @property
    def spec(self) -> Spec:
        """What is known of it: of a tensor, its shape and dtype."""
        return self.node.specs[self.index]

    @property
    def array_spec(self) -> ArraySpec:
        """Shape and dtype.

        Raises
        ------
        DTypeError
            When it is no tensor.
        """
        return as_array_spec(self.node.specs[self.index])

    def label(self, otherwise: str = "arg") -> str:
        """What it is called as an input of its graph; `otherwise` where it is none."""
        op = self.node.op
        return op.label if isinstance(op, Placeholder) else otherwise

    def origin(self) -> str:
        """Where it comes from, in a sentence for messages."""
        if self.node.location is UNKNOWN and isinstance(self.node.op, Placeholder):
            return f"The tensor is {self.spec}, the argument `{self.node.op.label}`."
        made, now = self.node.location, caller_location()
        if made is UNKNOWN:
            return f"The tensor is {self.spec}."
        if (made.filename, made.line) == (now.filename, now.line):
            return f"The tensor is {self.spec}, made in this line."
        return f"The tensor is {self.spec}, made here:\n{made.describe()}"

    @property
    def dtype(self) -> DType:
        """The element type; only a tensor has one."""
        return self.array_spec.dtype

    @property
    def shape(self) -> Shape:
        """The length of each axis: a number, or a symbolic dim; only a tensor has axes."""
        return self.array_spec.shape

    def __repr__(self) -> str:
        return f"<Value {self.index} of {self.node.op!r}: {self.spec}>"


class Node:
    """One operation on values: immutable once made."""

    __slots__ = ("graph", "inputs", "location", "op", "outputs", "specs")

    def __init__(
        self,
        graph: Graph,
        op: Op,
        inputs: tuple[Value, ...],
        specs: tuple[Spec, ...],
        location: Location,
    ) -> None:
        self.graph = graph
        self.op = op
        self.inputs = inputs
        self.specs = specs
        self.location = location
        count = len(specs)
        self.outputs = (
            (Value(self, 0),) if count == 1 else tuple([Value(self, index) for index in range(count)])
        )

    def __repr__(self) -> str:
        return f"<Node {self.op!r}: {', '.join(map(str, self.specs))}>"


class Graph:
    """A computation: inputs, nodes in program order, outputs.

    Its values name it, so it is there before they are: until its builder has finished it, it has a name and
    nothing else. From then on it never changes.

    Attributes
    ----------
    name : str
    inputs : tuple of Value
        Each the output of a `Placeholder` node.
    nodes : tuple of Node
        In program order; placeholders are not among them.
    outputs : tuple of Value
    """

    __slots__ = ("__weakref__", "_effects", "_kinds", "inputs", "name", "nodes", "outputs")
    name: str
    inputs: tuple[Value, ...]
    nodes: tuple[Node, ...]
    outputs: tuple[Value, ...]
    _effects: Effects | None
    _kinds: frozenset[type[Op]] | None

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "name", name)

    def finish(self, inputs: Iterable[Value], nodes: Iterable[Node], outputs: Iterable[Value]) -> None:
        """Gives it all that it consists of, once: for builders."""
        assert not hasattr(self, "nodes"), f"`{self.name}` is finished"
        for name, part in (("inputs", inputs), ("nodes", nodes), ("outputs", outputs)):
            object.__setattr__(self, name, tuple(part))
        object.__setattr__(self, "_effects", None)
        object.__setattr__(self, "_kinds", None)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{self!r} cannot get another {name}: a graph never changes")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{self!r} cannot lose {name}: a graph never changes")

    @property
    def effects(self) -> Effects:
        """What running this graph does beside computing its outputs."""
        if self._effects is None:
            unknown, pending = dict.fromkeys([self]), [self]
            while pending:
                inside = [graph for node in pending.pop().nodes for graph in node.op.graphs]
                own = [graph for graph in inside if graph._effects is None and graph not in unknown]  # noqa: SLF001
                unknown |= dict.fromkeys(own)
                pending += own
            for graph in reversed(unknown):  # the innermost first
                object.__setattr__(graph, "_effects", effects_of(graph.nodes))
        assert self._effects is not None, "it was just found"
        return self._effects

    @property
    def kinds(self) -> frozenset[type[Op]]:
        """The classes of the ops in it, and in the graphs inside of it."""
        if self._kinds is None:
            found = {type(node.op) for node in self.nodes}
            for node in self.nodes:
                for graph in node.op.graphs:
                    found |= graph.kinds
            object.__setattr__(self, "_kinds", frozenset(found))
        assert self._kinds is not None, "it was just found"
        return self._kinds

    @property
    def depth(self) -> int:
        """How many graphs are inside one another, this one counted."""
        depth, level, seen = 0, [self], {self}
        while level:
            depth += 1
            nodes = [node for graph in level for node in graph.nodes]
            inside = dict.fromkeys([graph for node in nodes for graph in node.op.graphs])
            level = [graph for graph in inside if graph not in seen]
            seen.update(level)
        return depth

    @property
    def input_specs(self) -> tuple[Spec, ...]:
        """The spec of each input."""
        return tuple([value.spec for value in self.inputs])

    @property
    def output_specs(self) -> tuple[Spec, ...]:
        """The spec of each output."""
        return tuple([value.spec for value in self.outputs])

    @property
    def ops(self) -> list[str]:
        """The names of the nodes' ops, in program order, constants left out."""
        return [node.op.name for node in self.nodes if not isinstance(node.op, Const)]

    def walk(self) -> Iterable[Graph]:
        """The graph itself and every graph inside it: once each, though several calls may share one."""
        pending, seen = [self], set()
        while pending:
            graph = pending.pop()
            if graph not in seen:
                seen.add(graph)
                yield graph
                pending += reversed([inner for node in graph.nodes for inner in node.op.graphs])

    def text(self, *, show_specs: bool = True, show_locations: bool = False) -> str:
        """The graph as a person reads it; see `runtime.graph.printer`.

        Parameters
        ----------
        show_specs : bool
            Ends each line with the shape and dtype of what the node gives.
        show_locations : bool
            Ends each line with the user's file and line.
        """
        return printer.to_text(self, show_specs=show_specs, show_locations=show_locations)

    def __str__(self) -> str:
        return self.text()

    def __copy__(self) -> Graph:
        return self

    def __deepcopy__(self, memo: object) -> Graph:
        return self  # nothing changes once it is finished

    if TYPE_CHECKING:  # written by `runtime.interchange.methods`

        def as_graph_def(self) -> Any: ...
        def to_dot(self) -> str: ...
        def to_svg(self) -> str: ...
        def to_html(self) -> str: ...
        def _repr_html_(self) -> str: ...

    def __repr__(self) -> str:
        if not hasattr(self, "nodes"):
            return f"<Graph {self.name}, being built>"
        arguments = ", ".join(map(str, self.input_specs))
        results = ", ".join(map(str, self.output_specs))
        return f"<Graph {self.name}({arguments}) -> ({results}), {len(self.nodes)} nodes>"


def effects_of(nodes: Iterable[Node]) -> Effects:
    """What running nodes does beside computing their outputs."""
    found = Effects.NONE
    for node in nodes:
        effects = node.op.effects
        if effects is not Effects.NONE:
            found |= effects
    return found


def size_of(nodes: Iterable[Node]) -> int:
    """How many operations these nodes are, with those of the graphs inside of them; constants are none."""
    pending, found, seen = [*nodes], 0, set[Graph]()
    while pending:
        node = pending.pop()
        found += not isinstance(node.op, Const)
        for inner in node.op.graphs:
            if inner not in seen:
                seen.add(inner)
                pending += inner.nodes
    return found
