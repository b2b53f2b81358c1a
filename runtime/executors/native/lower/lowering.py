"""`Lowering`: one function of the loop language in the making, and what its values are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

from runtime.analysis.aliasing import KEEPS_NOTHING
from runtime.analysis.liveness import last_uses, running
from runtime.analysis.ownership import Ownership, Ownerships
from runtime.core.dtypes import DType, bool_, int64
from runtime.core.spec import ArraySpec, ListSpec, Spec
from runtime.executors.native.forms import (
    Anything,
    ArrayForm,
    Form,
    ListForm,
    NumberForm,
    form_of,
    is_computed,
    missing,
)
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
    Host,
    HostSite,
    If,
    Named,
    Number,
    Object,
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
    Opaque,
    Scalar,
    count_of,
    flat_place,
)
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.module import Module
from runtime.graph.op import Const, Effects, Op
from runtime.ops.core import HostCall

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
    """What all functions of a program have in common.

    Parameters
    ----------
    module : Module
    calls_python : bool
        Whether an op without machine code is called in Python, or refused.
    """

    def __init__(self, module: Module, *, calls_python: bool) -> None:
        self.module = module
        self.calls_python = calls_python
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
        self._stored: list[tuple[Value, Lowered]] = []
        """What values were before they were put into memory."""
        self._uses: dict[Value, int] = {}
        self._position = 0
        self._node: Node | None = None

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
        assert not isinstance(found, Growing | Opaque), "an array has axes"
        return () if isinstance(found, Scalar) else found.dims

    def at(self, value: Lowered, indices: Sequence[Expression]) -> Expression:
        """An element."""
        assert not isinstance(value, Growing | Opaque), "an array has elements"
        return value.value if isinstance(value, Scalar) else value.at(indices)

    def in_memory(self, value: Value) -> InMemory:
        """A value as an array in memory; it is one from then on."""
        found = self.values[value]
        if not isinstance(found, InMemory):
            self._stored.append((value, found))
            found = self.values[value] = self.stored(found)
        return found

    def stored(self, value: Lowered) -> InMemory:
        """Elements, computed into new memory."""
        assert not isinstance(value, Growing | Opaque), "it has elements"
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
        self._node = node
        has_graphs = node.op.regions or node.op.callee is not None
        results = _LOWERS_REGIONS[0](self, node) if has_graphs else self._computed(node)
        self.values.update(zip(node.outputs, results, strict=True))

    def _computed(self, node: Node) -> Sequence[Lowered]:
        """What an op gives: by machine code where that is there, or else by a call of Python."""
        before = len(self._stored)
        try:
            with self.block() as block:
                results = self._by_machine_code(node)
        except Unsupported as unsupported:
            if not self.shared.calls_python:
                raise Unsupported(unsupported.why, node) from None
            for value, found in reversed(self._stored[before:]):  # what was added to the block is gone
                self.values[value] = found
            return self._by_python(node, unsupported.why)
        self._statements += block
        return results

    def _by_machine_code(self, node: Node) -> Sequence[Lowered]:
        for spec in (*node.specs, *[value.spec for value in node.inputs]):
            if why := missing(spec):
                raise Unsupported(why)
        lower = _LOWERS.get(type(node.op))
        if lower is None:
            raise Unsupported("it runs in Python")
        return lower(self, node)

    def _by_python(self, node: Node, why: str) -> Sequence[Lowered]:
        op = node.op.called if isinstance(node.op, HostCall) else node.op
        if isinstance(op, Const):
            constant = Object(self.shared.fresh("constant"))
            self.shared.program.objects[constant.name] = op.value
            return [Opaque(constant)]
        operands = [self.fitted(self.values[value], value.spec) for value in node.inputs]
        for value, operand in zip(node.inputs, operands, strict=True):
            self.values[value] = operand
        keeps = bool(op.effects & ~(KEEPS_NOTHING | Effects.CHECKS))
        return self.host(node, op.kernel, operands, node.specs, why, keeps=keeps)

    # ── Python ──

    def host(
        self,
        node: Node | None,
        call: Callable[..., Any],
        operands: Sequence[Lowered],
        specs: Sequence[Spec],
        why: str,
        *,
        keeps: bool,
    ) -> list[Lowered]:
        """What a call of Python gives, of these specs.

        Parameters
        ----------
        node : Node or None
            Whose line is to blame for what it raises.
        call : callable
        operands : sequence of Lowered
        specs : sequence of Spec
        why : str
            Why it is no machine code; empty where it only passes a value on.
        keeps : bool
            Whether it may hold its arguments when it is over.
        """
        passed = [self._passed(operand) for operand in operands]
        received = [self.received(spec) for spec in specs]
        takes, gives = tuple([form for form, _ in passed]), tuple(map(form_of, specs))
        copies = keeps or any(isinstance(form, Anything) for form in gives)
        site = len(self.shared.program.hosts)
        self.shared.program.hosts.append(HostSite(node, call, takes, gives, why, copies))
        given = tuple([part for _, parts in passed for part in parts])
        self.emit(Host(site, given, tuple([name for _, names in received for name in names])))
        return [value for value, _ in received]

    def _passed(self, value: Lowered) -> tuple[Form, list[Expression | Array | Object]]:
        """How a value is handed to Python, and what stands for it."""
        match value:
            case Scalar(number):
                return NumberForm(number.dtype), [number]
            case Growing(array, length, room):
                return ListForm(array.dtype), [array, length, room]
            case Opaque(found):
                return Anything(), [found]
        memory = self.stored(value)
        dims = [int(dim.value) if isinstance(dim, Number) else None for dim in memory.dims]
        unknown = [dim for dim in memory.dims if not isinstance(dim, Number)]
        return ArrayForm(memory.dtype, tuple(dims)), [memory.array, *unknown]

    def fitted(self, value: Lowered, spec: Spec) -> Lowered:
        """A value in the form of a spec."""
        form = form_of(spec)
        is_object = isinstance(form, Anything)
        if is_object is not isinstance(value, Opaque) or (
            isinstance(form, ListForm) and isinstance(value, Growing) and value.dtype is not form.dtype
        ):
            if not self.shared.calls_python:
                raise Unsupported(f"it becomes a {spec}", self._node)
            (value,) = self.host(self._node, _itself, [value], [spec], "", keeps=is_object)
        elif isinstance(value, Elements):
            value = self.stored(value)
        return value

    def function(self, name: str, graph: Graph) -> Function:
        """A graph as a function: of numbers, arrays and those of their lengths that are not known."""
        parameters: list[Named] = []
        for value in graph.inputs:
            self.values[value], names = self.received(value.spec)
            parameters += names
        with self.block() as body:
            outputs = self.run(graph, self.shared.ownerships.of(graph))
            results: list[Named] = []
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

    def received(self, spec: Spec) -> tuple[Lowered, list[Named]]:
        """A value that comes from elsewhere, and the names that stand for it.

        These are a number; or an array and those of its lengths that are not known; or the memory of a list,
        its length and its room; or an object.
        """
        match form_of(spec):
            case NumberForm(dtype):
                number = self.variable(dtype)
                return Scalar(number), [number]
            case ArrayForm(dtype, lengths):
                array = self.array(dtype)
                dims = [self.variable(int64, "n") if dim is None else Number(dim, int64) for dim in lengths]
                unknown = [dim for dim in dims if isinstance(dim, Variable)]
                return InMemory(array, tuple(dims)), [array, *unknown]
            case ListForm(dtype):
                memory = self.array(dtype, "l")
                length, room = self.variable(int64, "n"), self.variable(int64, "room")
                return Growing(memory, length, room), [memory, length, room]
        if not self.shared.calls_python:
            raise Unsupported(missing(spec), self._node)
        found = Object(self.shared.fresh("o"))
        return Opaque(found), [found]

    def parts(self, value: Lowered, spec: Spec) -> list[Expression | Array | Object]:
        """What stands for a value of a spec elsewhere: as `received` names it."""
        match self.fitted(value, spec):
            case Opaque(found):
                return [found]
            case Growing(array, length, room):
                return [array, length, room]
            case Scalar(number):
                return [number]
            case fitted:
                memory = self.stored(fitted)
        assert isinstance(spec, ArraySpec), "it is of an array"
        dims = zip(spec.shape or (), memory.dims, strict=True)
        return [memory.array, *[length for dim, length in dims if not isinstance(dim, int)]]

    def assign(self, names: Sequence[Named], value: Lowered, spec: Spec) -> None:
        """Gives names that were `received` the parts of another value."""
        for name, part in zip(names, self.parts(value, spec), strict=True):
            if isinstance(name, Variable):
                assert not isinstance(part, Array | Object), "both are of one spec"
                self.emit(Set(name, part))
            else:
                assert isinstance(part, Array | Object), "both are of one spec"
                self.emit(Alias(name, part))

    def truth(self, value: Lowered) -> Expression:
        """What a test says."""
        fitted = self.fitted(value, ArraySpec((), bool_))
        assert isinstance(fitted, Scalar), "a test is one bool"
        return fitted.value

    def renamed(self, length: Expression) -> Expression:
        """A length under another name."""
        if isinstance(length, Number):
            return length
        variable = self.variable(int64, "n")
        self.emit(Set(variable, length))
        return variable


def require_form(spec: Spec, node: Node | None) -> None:
    """Refuses what is an object of Python's in machine code."""
    if why := missing(spec):
        raise Unsupported(why, node)


def _itself(value: Any) -> Any:
    return value


def _supported(dtype: DType) -> DType:
    if not is_computed(dtype):
        raise Unsupported(f"{dtype} is computed by NumPy")
    return dtype
