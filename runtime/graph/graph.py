"""The intermediate representation: a `Graph` of `Node`s whose outputs are `Value`s.

Nodes are immutable and stand in program order, which is also the order of their effects. A sub-graph (a
branch, a loop's body) is a field of the op that runs it; what it uses of the graph around it is listed in
`captures` and comes in as its last inputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from runtime.core.dtypes import NUMPY_DEFAULTS, Defaults, DType
from runtime.core.shapes import Shape
from runtime.core.spec import ArraySpec, Spec, as_array_spec
from runtime.core.tensor import Array, Tensor, print_options
from runtime.core.text import mark
from runtime.errors import LeakedTensor, NoConcreteValue, NotASequence, RefusedType
from runtime.graph.location import UNKNOWN, Location, caller_location
from runtime.graph.op import Const, Effects, Op, Placeholder
from runtime.graph.printer import to_text

__all__ = ["Graph", "Node", "Symbol", "Value", "Watcher"]


class Value:
    """Output `index` of `node`. Compared by identity; ``case Value(Cast(to), [x])`` matches its making."""

    __slots__ = ("index", "node")
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

    def origin(self) -> str:
        """Where it comes from, in a sentence for messages."""
        if self.node.location is UNKNOWN and isinstance(self.node.op, Placeholder):
            return f"The tensor is {self.spec}, the argument `{self.node.op.label}`."
        made, now = self.node.location, caller_location()
        if (made.filename, made.line) == (now.filename, now.line):
            return f"The tensor is {self.spec}, made in this line."
        return f"The tensor is {self.spec}, made here:\n{made.describe()}"

    @property
    def dtype(self) -> DType:
        """The element type; only a tensor has one."""
        return self.array_spec.dtype

    @property
    def shape(self) -> Shape:
        """The length of each axis, None where it is not known; only a tensor has axes."""
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
        self.outputs = tuple([Value(self, index) for index in range(len(specs))])

    def __repr__(self) -> str:
        return f"<Node {self.op!r}: {', '.join(map(str, self.specs))}>"


class Watcher(Protocol):
    """Hears of every node that is added to a graph, or to a graph inside of it, while it is being built."""

    def before(self, graph: Graph, op: Op, inputs: Sequence[Value]) -> None:
        """A node is about to be added."""

    def after(self, graph: Graph, node: Node) -> None:
        """A node was added."""


class Graph:
    """A computation: inputs, nodes in program order, outputs.

    Attributes
    ----------
    name : str
    parent : Graph or None
        The graph around it, while it is being built.
    inputs : list of Value
        Each the output of a `Placeholder` node; captured ones come last.
    nodes : list of Node
        In program order; placeholders are not among them.
    outputs : list of Value
    captures : dict of Value to Value
        Values of the graph around it, and the inputs they come in as, in order.
    weak : set of Value
        Values that stand for Python numbers (a counter that became a loop variable): they promote as such.
    defaults : Defaults
        The dtypes of Python numbers that no tensor decides.
    allows_variables : bool
        Whether variables may be created while it is traced.
    strict : bool
        Whether what TensorFlow refuses is refused; a graph inside is as this one.
    watcher : Watcher or None
        Hears of its nodes; a graph inside has the same one.
    """

    def __init__(self, name: str, parent: Graph | None = None, defaults: Defaults | None = None) -> None:
        self.name = name
        self.parent = parent
        self.defaults: Defaults = defaults or (parent.defaults if parent else NUMPY_DEFAULTS)
        self.inputs: list[Value] = []
        self.nodes: list[Node] = []
        self.outputs: list[Value] = []
        self.captures: dict[Value, Value] = {}
        self.weak: set[Value] = set()
        self.allows_variables: bool = parent.allows_variables if parent else True
        self.strict: bool = parent.strict if parent else False
        self.watcher: Watcher | None = parent.watcher if parent else None
        self._constants: dict[tuple[int, DType], tuple[Array, Value]] = {}

    def input(self, spec: Spec, label: str = "arg", location: Location = UNKNOWN) -> Value:
        """Adds an input."""
        node = Node(self, Placeholder(label, spec), (), (spec,), location)
        self.inputs.append(node.outputs[0])
        return node.outputs[0]

    def add(self, op: Op, inputs: Iterable[Value] = (), location: Location = UNKNOWN) -> Node:
        """Appends a node; `inputs` are values of this graph."""
        arguments = tuple(inputs)
        if self.watcher is not None:
            self.watcher.before(self, op, arguments)
        specs = op.infer(*[value.spec for value in arguments])
        node = Node(self, op, arguments, specs if isinstance(specs, tuple) else (specs,), location)
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
        value = self.add(Const(array), (), location or caller_location()).outputs[0]
        self._constants[key] = array, value  # type: ignore[index]  # as above; holding the array keeps its id
        return value

    def resolve(self, value: Value) -> Value:
        """`value` as this graph sees it: itself, or the input through which it is captured.

        Raises
        ------
        LeakedTensor
            When `value` belongs neither to this graph nor to one around it.
        """
        owner = value.node.graph
        if owner is self:
            return value
        found = self.captures.get(value)
        if found is not None:
            return found
        if isinstance(value.op, Const) and owner in self.ancestors():
            return self.constant(value.op.value, value.node.location)
        if self.parent is None:
            _refuse_leak(value, self)
        outer = self.parent.resolve(value)
        inner = self.captures.get(outer)
        if inner is None:
            label = value.op.label if isinstance(value.op, Placeholder) else "capture"
            inner = self.captures[outer] = self.input(value.spec, label, value.node.location)
            if outer in self.parent.weak:
                self.weak.add(inner)
        return inner

    def ancestors(self) -> Iterable[Graph]:
        """The graphs around this one, nearest first."""
        graph = self.parent
        while graph is not None:
            yield graph
            graph = graph.parent

    @property
    def effects(self) -> Effects:
        """What running this graph does beside computing its outputs."""
        found = Effects.NONE
        for node in self.nodes:  # an op with graphs has asked them once, and knows
            effects = node.op.effects
            if effects is not Effects.NONE:
                found |= effects
        return found

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
        return to_text(self, show_specs=show_specs, show_locations=show_locations)

    def __str__(self) -> str:
        return self.text()

    def __copy__(self) -> Graph:
        return self

    def __deepcopy__(self, memo: object) -> Graph:
        return self  # nothing changes once it is finished

    if TYPE_CHECKING:  # written by `runtime.interchange.methods`

        def as_graph_def(self) -> Any: ...

    def __repr__(self) -> str:
        arguments = ", ".join(map(str, self.input_specs))
        results = ", ".join(map(str, self.output_specs))
        return f"<Graph {self.name}({arguments}) -> ({results}), {len(self.nodes)} nodes>"


def _refuse_leak(value: Value, graph: Graph | None) -> NoReturn:
    here = f"the graph `{graph.name}`" if graph else "eager code, outside any graph"
    raise LeakedTensor(
        f"a tensor of the graph `{value.node.graph.name}` was used in {here}, which cannot see it",
        origin=value.origin(),
        why="It was made while the graph was traced, and has no value of its own.",
        way_out="Return it from the function, or write it to a variable, instead of keeping it in a list, an "
        "attribute or a global.",
    )


class Symbol(Tensor):
    """A tensor of a graph: it has a shape and a dtype, but its value only exists when the graph runs."""

    __slots__ = ("value",)
    value: Value

    def __init__(self, value: Value) -> None:
        self.value = value

    @property
    def spec(self) -> Spec:
        return self.value.spec

    @property
    def dtype(self) -> DType:
        return self.value.array_spec.dtype

    @property
    def static_shape(self) -> Shape:
        return self.value.array_spec.shape

    @property
    def ndim(self) -> int:
        rank = self.value.array_spec.rank
        if rank is None:
            raise NoConcreteValue(
                "the rank of a tensor of unknown shape was asked for",
                origin=self.value.origin(),
                why="The number of its axes is only known when the graph runs.",
                way_out="Give the function an `input_signature` with a shape, or use `rt.size(x)`.",
            )
        return rank

    @property
    def graph(self) -> Graph:
        """The graph it belongs to."""
        return self.value.node.graph

    def _refuse(self, wanted: str, way_out: str) -> NoReturn:
        raise NoConcreteValue(
            f"a tensor of a graph was used as {wanted}",
            origin=self.value.origin(),
            way_out=way_out,
        )

    def __bool__(self) -> NoReturn:  # noqa: PLE0304  # it has no value to give
        if self.graph.strict:
            raise RefusedType(
                "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed.",
                origin=self.value.origin(),
                way_out="Let AutoGraph convert the function, or write `rt.cond` or `rt.where`.",
            )
        self._refuse(
            "a Python bool",
            "Let AutoGraph convert the function (`autograph=True`, and no `do_not_convert` on the way), "
            "or write `rt.cond`, `rt.where` or `rt.while_loop`.",
        )

    def numpy(self) -> NoReturn:
        self._refuse("a NumPy array", "Call NumPy on what the function returns, or use the function of `rt`.")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoReturn:
        self._refuse("a NumPy array", "Use the function of `rt` in place of NumPy's.")

    def tolist(self) -> NoReturn:
        self._refuse("a Python list", "Call `tolist` on what the function returns.")

    def item(self) -> NoReturn:
        self._refuse("a Python number", "Call `item` on what the function returns.")

    def __int__(self) -> NoReturn:
        self._refuse(
            "a Python int", "Write `rt.astype(x, rt.int64)`, or convert the function with AutoGraph."
        )

    def __index__(self) -> NoReturn:  # noqa: PLE0305  # it has no value to give
        self._refuse("a Python int", "Let AutoGraph convert the function, or index with `rt.take`.")

    def __float__(self) -> NoReturn:
        self._refuse(
            "a Python float", "Write `rt.astype(x, rt.float64)`, or convert the function with AutoGraph."
        )

    def __complex__(self) -> NoReturn:
        self._refuse("a Python complex", "Write `rt.astype(x, rt.complex128)`.")

    def __contains__(self, item: object) -> NoReturn:
        self._refuse("the right side of `in`", "Write `rt.any(x == item)`.")

    def __len__(self) -> int:
        shape = self.static_shape
        if shape == ():
            raise NotASequence("a tensor without axes has no len()")
        if shape is None or shape[0] is None:
            self._refuse(
                "the argument of len()", "Write `rt.shape(x)[0]`, or convert the function with AutoGraph."
            )
        return shape[0]

    def __iter__(self) -> Any:
        shape = self.static_shape
        if shape == ():
            raise NotASequence("a tensor without axes has nothing to iterate over")
        if shape is None or shape[0] is None:
            self._refuse(
                "an iterable of Python",
                "Its length is not known before the run: let AutoGraph convert the `for`, "
                "or use `rt.while_loop`.",
            )
        return (self[index] for index in range(shape[0]))

    def _marked(self, function: str, *arguments: str) -> str | None:
        return mark(self, function, *arguments, is_number=self.value in self.graph.weak)

    def __format__(self, spec: str) -> str:
        marked = self._marked("format", spec)
        if marked is None and spec:
            self._refuse("formatted text", "Print it with `rt.print`, which runs with the graph.")
        return repr(self) if marked is None else marked

    def __str__(self) -> str:
        return self._marked("str") or repr(self)

    def __repr__(self) -> str:
        marked = self._marked("repr")
        if marked is not None:
            return marked
        name = f"{print_options.prefix}Tensor"
        known = self.spec
        shown = f"shape={known.shape}, dtype={known.dtype}" if isinstance(known, ArraySpec) else str(known)
        return f"<{name}: {shown}, in graph `{self.graph.name}`>"

    def __reduce__(self) -> NoReturn:
        self._refuse("pickled data", "Save what the function returns.")


def unpack(values: Sequence[Value]) -> list[Symbol]:
    """A symbol for each value."""
    return [Symbol(value) for value in values]
