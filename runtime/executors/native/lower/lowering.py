"""`Lowering`: one function of the loop language in the making, and what its values are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from runtime.analysis.liveness import last_uses, running
from runtime.analysis.ownership import Ownership, Ownerships
from runtime.core.dtypes import LOW_PRECISION, DType, bool_, int64
from runtime.core.spec import ArraySpec, ListSpec, Spec
from runtime.executors.native.loops import (
    Alias,
    Allocate,
    Apply,
    Array,
    Copy,
    Expression,
    Fail,
    For,
    Function,
    If,
    Number,
    Program,
    Set,
    Site,
    Statement,
    Store,
    Variable,
)
from runtime.executors.native.lower.values import (
    Dims,
    Elements,
    Growing,
    InMemory,
    Lowered,
    Scalar,
    count_of,
    flat_place,
)
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.module import Module
from runtime.graph.op import Const, Op

__all__ = ["Lowering", "Module", "Unsupported", "lowers", "lowers_regions", "require_form"]


class Unsupported(Exception):  # a signal within the executors
    """A graph has no machine code, or shall have none where nobody asked for it.

    Parameters
    ----------
    why : str
    node : Node, optional
        What it is about; filled in by whoever walks the graph.
    """

    def __init__(self, why: str, node: Node | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.node = node


Lower: TypeAlias = Callable[["Lowering", Node], Sequence[Lowered]]
_LOWERS: dict[type[Op], Lower] = {}
_LOWERS_REGIONS: list[Lower] = []


def lowers(*kinds: type[Op]) -> Callable[[Lower], Lower]:
    """Says that a function lowers the nodes of some ops."""

    def register(function: Lower) -> Lower:
        _LOWERS.update(dict.fromkeys(kinds, function))
        return function

    return register


def lowers_regions(function: Lower) -> Lower:
    """Says that a function lowers what has graphs inside of it, and calls by name."""
    _LOWERS_REGIONS.append(function)
    return function


class Shared:
    """What all functions of a program have in common."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.program = Program()
        self.ownerships = Ownerships(module)
        self.called: list[str] = []
        """The functions of the module that are called by name, in the order in which they were met."""
        self._names: dict[str, int] = {}

    def fresh(self, stem: str) -> str:
        """A name that is new in the program."""
        number = self._names.get(stem, 0)
        self._names[stem] = number + 1
        return f"{stem}{number}"


class Lowering:
    """One function in the making.

    Attributes
    ----------
    values : dict of Value to Lowered
    ownership : Ownership
        Of the graph that is being lowered.
    """

    def __init__(self, shared: Shared) -> None:
        self.shared = shared
        self.values: dict[Value, Lowered] = {}
        self.ownership = Ownership()
        self._statements: list[Statement] = []
        self._uses: dict[Value, int] = {}
        self._position = 0

    # ── statements ──

    def emit(self, statement: Statement) -> None:
        """Adds a statement to the block that is open."""
        self._statements.append(statement)

    @contextmanager
    def block(self) -> Iterator[list[Statement]]:
        """Opens a block: what is emitted meanwhile is in the list."""
        outer, self._statements = self._statements, []
        try:
            yield self._statements
        finally:
            self._statements = outer

    def name(self, value: Expression, stem: str = "t") -> Expression:
        """An expression under a name, so that it is computed once."""
        if isinstance(value, Variable | Number):
            return value
        variable = Variable(self.shared.fresh(stem), value.dtype)
        self.emit(Set(variable, value))
        return variable

    def variable(self, dtype: DType, stem: str = "v") -> Variable:
        """A new name for a number."""
        return Variable(self.shared.fresh(stem), _supported(dtype))

    def array(self, dtype: DType, stem: str = "a") -> Array:
        """A new name for an array."""
        return Array(self.shared.fresh(stem), _supported(dtype))

    def allocated(self, dims: Dims, dtype: DType) -> InMemory:
        """New memory for an array."""
        dims = tuple([self.name(dim, "n") for dim in dims])
        result = InMemory(self.array(dtype), dims)
        self.emit(Allocate(result.array, count_of(dims)))
        return result

    @contextmanager
    def loop(self, count: Expression) -> Iterator[Variable]:
        """Opens the body of a loop; gives its index."""
        index = Variable(self.shared.fresh("i"), int64)
        with self.block() as body:
            yield index
        self.emit(For(index, count, body))

    @contextmanager
    def nest(self, dims: Dims) -> Iterator[list[Variable]]:
        """Opens the body of a loop for each axis; gives their indices."""
        indices = [Variable(self.shared.fresh("i"), int64) for _ in dims]
        with self.block() as body:
            yield indices
        for index, dim in zip(reversed(indices), reversed(dims), strict=True):
            body = [For(index, dim, body)]
        self._statements += body

    def fail_unless(
        self, holds: Expression, node: Node, error: str, message: str, *shown: Expression
    ) -> None:
        """Ends the run with an exception where something does not hold."""
        if isinstance(holds, Number) and holds.value:
            return
        site = len(self.shared.program.sites)
        self.shared.program.sites.append(Site(node, error, message, tuple([each.dtype for each in shown])))
        self.emit(If(Apply("logical_not", (holds,), bool_), [Fail(site, shown)], []))

    # ── values ──

    def scalar(self, value: Value) -> Expression:
        """The number that a value without axes is."""
        found = self.values[value]
        if not isinstance(found, Scalar):
            raise Unsupported(f"{value.spec} is asked for as a number")
        return found.value

    def dims(self, value: Value) -> Dims:
        """The lengths of a value's axes."""
        found = self.values[value]
        assert not isinstance(found, Growing), "a list has no axes"
        return () if isinstance(found, Scalar) else found.dims

    def at(self, value: Lowered, indices: Sequence[Expression]) -> Expression:
        """An element."""
        assert not isinstance(value, Growing), "a list has no axes"
        return value.value if isinstance(value, Scalar) else value.at(indices)

    def in_memory(self, value: Value) -> InMemory:
        """A value as an array in memory; it is one from then on."""
        found = self.values[value]
        if not isinstance(found, InMemory):
            found = self.values[value] = self.stored(found)
        return found

    def stored(self, value: Lowered) -> InMemory:
        """Elements, computed into new memory."""
        assert not isinstance(value, Growing), "a list is in memory"
        if isinstance(value, InMemory):
            return value
        if isinstance(value, Scalar):
            result = self.allocated((), value.dtype)
            self.emit(Store(result.array, Number(0, int64), value.value))
            return result
        result = self.allocated(value.dims, value.dtype)
        self.fill(result, value)
        return result

    def fill(self, result: InMemory, value: Lowered) -> None:
        """Computes elements into memory that is there."""
        if isinstance(value, Elements) and value.at_place is not None:
            with self.loop(self.name(count_of(result.dims), "n")) as place:
                self.emit(Store(result.array, place, value.at_place(place)))
            return
        with self.nest(result.dims) as indices:
            self.store(result, indices, self.at(value, indices))

    def store(self, result: InMemory, indices: Sequence[Expression], element: Expression) -> None:
        """Writes an element into memory."""
        self.emit(Store(result.array, flat_place(indices, result.dims), element))

    def copied(self, value: InMemory) -> InMemory:
        """An array in new memory."""
        result = self.allocated(value.dims, value.dtype)
        self.emit(Copy(result.array, value.array, count_of(result.dims)))
        return result

    def copied_list(self, value: Growing) -> Growing:
        """A list in new memory, without room for more."""
        length = self.name(value.length, "n")
        array = self.array(value.dtype, "l")
        self.emit(Allocate(array, length))
        self.emit(Copy(array, value.array, length))
        return Growing(array, length, length)

    def settle(self) -> None:
        """Computes all that is yet to be computed and still wanted: memory is about to be written into."""
        for value, found in list(self.values.items()):
            if isinstance(found, Elements) and self._uses.get(value, -1) >= self._position:
                self.in_memory(value)

    # ── graphs ──

    def run(self, graph: Graph, ownership: Ownership) -> list[Lowered]:
        """Lowers the nodes of a graph whose inputs are there already; gives its outputs."""
        around = self.ownership, self._uses, self._position
        self.ownership, self._uses = ownership, last_uses(graph)
        for node in graph.nodes:
            if type(node.op) is Const:
                self._lower(node)
        users = Counter([value for node in graph.nodes for value in node.inputs])
        positions = {node: position for position, node in enumerate(graph.nodes)}
        for node in running(graph, self._uses):
            self._position = positions[node]
            self._lower(node)
            for output in node.outputs:
                found = self.values[output]
                if isinstance(found, Elements) and (
                    node in ownership.detached or (users[output] > 1 and not found.is_cheap)
                ):
                    self.in_memory(output)
        results = [self.values[value] for value in graph.outputs]
        self.ownership, self._uses, self._position = around
        return results

    def _lower(self, node: Node) -> None:
        for spec in node.specs:
            require_form(spec, node)
        has_graphs = node.op.regions or node.op.callee is not None
        lower = _LOWERS_REGIONS[0] if has_graphs else _LOWERS.get(type(node.op))
        if lower is None:
            raise Unsupported("it runs in Python", node)
        try:
            results = lower(self, node)
        except Unsupported as error:
            raise Unsupported(error.why, error.node or node) from None
        self.values.update(zip(node.outputs, results, strict=True))

    def function(self, name: str, graph: Graph) -> Function:
        """A graph as a function: of numbers, arrays and those of their lengths that are not known."""
        parameters: list[Variable | Array] = []
        for value in graph.inputs:
            require_form(value.spec, value.node)
            self.values[value], names = self.received(value.spec)
            parameters += names
        with self.block() as body:
            outputs = self.run(graph, self.shared.ownerships.of(graph))
            results: list[Variable | Array] = []
            for output, value in zip(outputs, graph.outputs, strict=True):
                _, names = self.received(value.spec)
                self.assign(names, output, value.spec)
                results += names
        return Function(name, parameters, body, results)

    def element(self, spec: Spec) -> ArraySpec:
        """What is known of the elements of a list."""
        assert isinstance(spec, ListSpec), "it is one"
        assert isinstance(spec.element, ArraySpec), "its elements are numbers"
        return spec.element

    def received(self, spec: Spec) -> tuple[Lowered, list[Variable | Array]]:
        """A value that comes from elsewhere, and the names that stand for it.

        These are a number, or an array and those of its lengths that are not known; or the memory of a list,
        its length and its room.
        """
        if isinstance(spec, ListSpec):
            memory = self.array(self.element(spec).dtype, "l")
            length, room = self.variable(int64, "n"), self.variable(int64, "room")
            return Growing(memory, length, room), [memory, length, room]
        assert isinstance(spec, ArraySpec), "there is nothing else"
        if spec.shape is None:
            raise Unsupported(f"the rank of {spec} is not known")
        if not spec.shape:
            number = self.variable(spec.dtype)
            return Scalar(number), [number]
        array = self.array(spec.dtype)
        dims = [
            Number(dim, int64) if isinstance(dim, int) else self.variable(int64, "n") for dim in spec.shape
        ]
        return InMemory(array, tuple(dims)), [array, *[dim for dim in dims if isinstance(dim, Variable)]]

    def parts(self, value: Lowered, spec: Spec) -> list[Expression | Array]:
        """What stands for a value of a spec elsewhere: as `received` names it."""
        if isinstance(value, Growing):
            if value.dtype is not self.element(spec).dtype:
                raise Unsupported(f"a list of {value.dtype} becomes one of {self.element(spec).dtype}")
            return [value.array, value.length, value.room]
        if isinstance(value, Scalar):
            return [value.value]
        memory = self.stored(value)
        assert isinstance(spec, ArraySpec), "it is of an array"
        dims = zip(spec.shape or (), memory.dims, strict=True)
        return [memory.array, *[length for dim, length in dims if not isinstance(dim, int)]]

    def assign(self, names: Sequence[Variable | Array], value: Lowered, spec: Spec) -> None:
        """Gives names that were `received` the parts of another value."""
        for name, part in zip(names, self.parts(value, spec), strict=True):
            if isinstance(name, Array):
                assert isinstance(part, Array), "both are of one spec"
                self.emit(Alias(name, part))
            else:
                assert not isinstance(part, Array), "both are of one spec"
                self.emit(Set(name, part))

    def renamed(self, length: Expression) -> Expression:
        """A length under another name."""
        if isinstance(length, Number):
            return length
        variable = self.variable(int64, "n")
        self.emit(Set(variable, length))
        return variable


def require_form(spec: Spec, node: Node | None) -> None:
    """Refuses what is neither an array of known rank nor a list of numbers."""
    if isinstance(spec, ListSpec) and isinstance(spec.element, ArraySpec) and spec.element.is_scalar:
        spec = spec.element
    if not isinstance(spec, ArraySpec):
        raise Unsupported(f"it gives a {spec}", node)
    if spec.shape is None:
        raise Unsupported("the rank of its result is not known", node)
    try:
        _supported(spec.dtype)
    except Unsupported as unsupported:
        raise Unsupported(unsupported.why, node) from None


def _supported(dtype: DType) -> DType:
    if dtype.is_complex or dtype in LOW_PRECISION or dtype.name == "float16":
        raise Unsupported(f"{dtype} is computed by NumPy")
    return dtype
