"""`Building`: appends statements to a function of the loop language: elements, arrays, lists."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from runtime.analysis.ownership import Ownerships
from runtime.core.dtypes import DType, as_dtype, bool_, int64
from runtime.executors.clocks import Lines
from runtime.executors.native.beyond import Beyond, Unsupported
from runtime.executors.native.forms import is_computed
from runtime.executors.native.intrinsics import COMPLEX
from runtime.executors.native.language.expressions import folded
from runtime.executors.native.language.loops import (
    Allocate,
    Apply,
    Array,
    Copy,
    Expression,
    Fail,
    For,
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
    While,
    add,
    multiply,
)
from runtime.executors.native.language.walking import parts_of
from runtime.executors.native.layouts import Layouts
from runtime.executors.native.lower.values import (
    Dims,
    Elements,
    Growing,
    InMemory,
    Lowered,
    Nested,
    Opaque,
    Scalar,
    count_of,
    flat_place,
)
from runtime.graph.graph import Node
from runtime.graph.module import Module
from runtime.ops.core import Check
from runtime.ops.tensor_list import TensorListPlace

__all__ = [
    "LIST_ROOM",
    "TABLE_HEAD",
    "Building",
    "Shared",
    "require_function",
    "supported",
]


TABLE_HEAD = 2
"""Words of the table of a list before its places."""
LIST_ROOM = 8
"""Elements for which an empty list has room."""
_LEAST_TABLE = 16
"""Places that it has at least: a power of two, as always."""


_TRUE = Number(True, bool_)


class Shared:
    """What all functions of a program have in common.

    Parameters
    ----------
    module : Module
    beyond : Beyond
        Who computes what is beyond machine code.
    lines : Lines, optional
        Has the program say which line it has come to.
    """

    def __init__(self, module: Module, beyond: Beyond, lines: Lines | None = None) -> None:
        self.module = module
        self.beyond = beyond
        self.program = Program(lines=lines)
        self.ownerships = Ownerships(module)
        self.layouts = Layouts(module) if beyond is Beyond.ANOTHER else None
        """How NumPy has arrays in memory, where its bits are asked for."""
        self.called: list[str] = []
        """The functions of the module that are called by name, in the order in which they were met."""
        self._names: dict[str, int] = {}
        self.placed = frozenset(_placed(module))
        """The dtypes of lists whose elements are asked for by value."""
        self.has_sources = False
        """Whether generators that the module makes are only drawn from, so that they need not be objects."""
        self.has_nested = True
        """Whether lists of lists of numbers lie in memory, and are no objects."""
        self.keeps_gauss = True
        """Whether machine code may keep what a `random.Random` keeps of normal numbers, until it ends."""
        self.raising: dict[Node, int] = {}
        """The sites of nodes that raise exceptions of the program's own."""

    def site(self, site: Site) -> int:
        """The number of a place where the run may end."""
        self.program.sites.append(site)
        return len(self.program.sites) - 1

    @property
    def calls_python(self) -> bool:
        """Whether an op without machine code is called in Python, or refused."""
        return self.beyond is Beyond.PYTHON

    @property
    def has_parts(self) -> bool:
        """Whether threads may share loops: not where one thread's flags, or its clock, are looked at."""
        return self.beyond is not Beyond.ANOTHER and self.program.lines is None

    def fresh(self, stem: str) -> str:
        """A name that is new in the program."""
        number = self._names.get(stem, 0)
        self._names[stem] = number + 1
        return f"{stem}{number}"


class Building:
    """One function in the making.

    Attributes
    ----------
    held : list of Array or Object
        What a turn of a loop does not give back, though no variable of the loop is it.
    """

    def __init__(self, shared: Shared) -> None:
        self.shared = shared
        self.held: list[Array | Object] = []
        self._statements: list[Statement] = []
        self._elements: dict[Hashable, Expression] = {}
        """Elements that the block that is open has computed, by what they are."""
        self._ranges: dict[str, tuple[int, int]] = {}
        """The least and the most of indices, where they are known."""
        self._named: list[dict[Expression, Expression]] = [{}]
        """Whole numbers that have a name, by what they are, in each block that is open."""
        self._lasting: set[Expression] = set()
        """Names that stand for one number as long as they are there."""

    def emit(self, statement: Statement) -> None:
        """Adds a statement to the block that is open."""
        self._statements.append(statement)

    @contextmanager
    def block(self) -> Iterator[list[Statement]]:
        """Opens a block: what is emitted meanwhile is in the list."""
        outer, self._statements = self._statements, []
        known, self._elements = self._elements, {}
        self._named.append({})
        try:
            yield self._statements
        finally:
            self._statements, self._elements = outer, known
            self._named.pop()

    def name(self, value: Expression, stem: str = "t") -> Expression:
        """An expression under a name, so that it is computed once; lengths that are alike have one name."""
        value = folded(value)
        if isinstance(value, Variable | Number):
            return value
        is_lasting = value.dtype in {int64, bool_} and all(map(self._lasts, parts_of(value)))
        if is_lasting:
            for names in reversed(self._named):
                if value in names:
                    return names[value]
        variable = Variable(self.shared.fresh(stem), value.dtype)
        self.emit(Set(variable, value))
        self._lasting.add(variable)
        if is_lasting:
            self._named[-1][value] = variable
            if isinstance(value, Apply) and value.function == "maximum":  # again it changes nothing
                self._named[-1][Apply("maximum", (variable, value.arguments[1]), value.dtype)] = variable
        return variable

    def _lasts(self, part: Expression) -> bool:
        """Whether a part of an expression is the same wherever it stands."""
        return isinstance(part, Number | Apply) or part in self._lasting

    def once(self, element: Hashable, computed: Callable[[], Expression]) -> Expression:
        """An element, which is computed where the block that is open asks for it first."""
        found = self._elements.get(element)
        if found is None:
            found = self._elements[element] = self.name(computed())
        return found

    def variable(self, dtype: DType, stem: str = "v") -> Variable:
        """A new name for a number."""
        return Variable(self.shared.fresh(stem), supported(dtype))

    def array(self, dtype: DType, stem: str = "a") -> Array:
        """A new name for an array."""
        return Array(self.shared.fresh(stem), supported(dtype))

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

    @contextmanager
    def holding(self, groups: Sequence[Sequence[Named]]) -> Iterator[None]:
        """Has the loops inside hold what is under some names."""
        before = list(self.held)
        self.held += [each for names in groups for each in names if not isinstance(each, Variable)]
        try:
            yield
        finally:
            self.held = before

    def fail_unless(
        self, holds: Expression, node: Node, error: str, message: str, *shown: Expression
    ) -> None:
        """Ends the run with an exception where something does not hold."""
        kind = Check(error, message).kind
        self._end_unless(holds, Site(node, error, message, _dtypes(shown), kind=kind), shown)

    def raise_unless(self, holds: Expression, node: Node, kind: type[Exception], message: str) -> None:
        """As `fail_unless`, with an exception that no check raises."""

        def raising() -> None:
            raise kind(message)

        self._end_unless(holds, Site(node, kind.__name__, message, raising=raising, kind=kind), ())

    def refuse_unless(
        self,
        holds: Expression,
        node: Node,
        error: str,
        message: str,
        raising: Callable[..., Any],
        shown: Expression,
    ) -> None:
        """As `fail_unless`, where the exception says more: `raising` raises it, told what is shown."""
        kind = Check(error, message).kind
        self._end_unless(holds, Site(node, error, message, (shown.dtype,), raising, kind), (shown,))

    def give_up_unless(self, holds: Expression, node: Node, error: str, message: str) -> None:
        """Ends the run where something does not hold, and nothing in the program catches that."""
        self._end_unless(holds, Site(node, error, message), ())

    def give_up(self, node: Node, error: str, message: str) -> None:
        """Ends the run: where it is in the place of another program's, that says what there is to say."""
        self.emit(Fail(self.shared.site(Site(node, error, message))))

    def _end_unless(self, holds: Expression, site: Site, shown: tuple[Expression, ...]) -> None:
        holds = folded(holds)
        if any(names.get(holds) == _TRUE for names in self._named):  # it was asked before
            return
        if not (isinstance(holds, Number) and holds.value):
            fail = Fail(self.shared.site(site), shown)
            self.emit(If(Apply("logical_not", (holds,), bool_), [fail], []))
            if holds in self._lasting:
                self._named[-1][holds] = _TRUE

    def known(self, value: object) -> Opaque:
        """An object that is known."""
        known = Object(self.shared.fresh("constant"))
        self.shared.program.objects[known.name] = value
        return Opaque(known)

    def constant(self, value: Any) -> Lowered:
        """A value that is known."""
        dtype = as_dtype(value.dtype)
        if not is_computed(dtype):
            return self.known(value)
        if value.ndim == 0:
            return Scalar(Number(value.item(), dtype))
        array = self.array(dtype, "constant")
        self.shared.program.constants[array.name] = np.ascontiguousarray(value)
        return InMemory(array, tuple([Number(size, int64) for size in value.shape]))

    def at(self, value: Lowered, indices: Sequence[Expression]) -> Expression:
        """An element."""
        assert isinstance(value, Scalar | InMemory | Elements), "an array has elements"
        return value.value if isinstance(value, Scalar) else value.at(indices)

    def stored(self, value: Lowered) -> InMemory:
        """Elements, computed into new memory."""
        assert isinstance(value, Scalar | InMemory | Elements), "it has elements"
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
        if isinstance(value, Elements) and value.seams:
            self._fill_pieces(result, value, [])
            return
        with self.nest(result.dims) as indices:
            self.store(result, indices, self.at(value, indices))

    def _fill_pieces(self, result: InMemory, value: Elements, places: list[Expression]) -> None:
        """Fills memory in pieces without seams, from the places along the first axes on."""
        axis = len(places)
        if axis == len(result.dims):
            self.store(result, places, value.at(places))
            return
        dim = result.dims[axis]
        if not (isinstance(dim, Number) and value.seams[axis]):
            with self.loop(dim) as index:
                self._fill_pieces(result, value, [*places, index])
            return
        bounds = [0, *sorted(value.seams[axis]), int(dim.value)]
        for start, stop in pairwise(bounds):
            with self.loop(Number(stop - start, int64)) as index:
                self._ranges[index.name] = 0, stop - start - 1
                self._fill_pieces(result, value, [*places, add(index, start)])

    def range_of(self, index: Expression) -> tuple[int, int] | None:
        """The least and the most that an index may be, where that is known."""
        match index:
            case Number(value):
                return int(value), int(value)
            case Variable(name):
                return self._ranges.get(name)
            case Apply("add", (one, other)):
                first, second = self.range_of(one), self.range_of(other)
                if first is not None and second is not None:
                    return first[0] + second[0], first[1] + second[1]
        return None

    def store(self, result: InMemory, indices: Sequence[Expression], element: Expression) -> None:
        """Writes an element into memory."""
        self.emit(Store(result.array, flat_place(indices, result.dims), element))

    def copied(self, value: InMemory) -> InMemory:
        """An array in new memory."""
        result = self.allocated(value.dims, value.dtype)
        self.emit(Copy(result.array, value.array, count_of(result.dims)))
        return result

    def blank(self) -> Growing:
        """A list of which nobody knows what it would be of."""
        return replace(self.empty_list(int64), is_blank=True)

    def empty_list(self, dtype: DType, shape: tuple[int, ...] = ()) -> Growing:
        """A list without elements, with room for a few."""
        array = self.array(dtype, "l")
        found = Growing(array, Number(0, int64), Number(LIST_ROOM, int64), shape=shape)
        self.emit(Allocate(array, found.numbers(LIST_ROOM)))
        return found

    def empty_like(self, value: Nested) -> Nested:
        """A list of lists of the same kind, without any."""
        inner = value.inner
        heads = self.empty_list(int64, value.heads.shape)
        if isinstance(inner, Nested):
            return Nested(heads, self.empty_like(inner))
        return Nested(heads, self.blank() if inner.is_blank else self.empty_list(inner.dtype))

    def copied_nested(self, value: Nested) -> Nested:
        """A list of lists in new memory."""
        inner = value.inner
        own = self.copied_nested(inner) if isinstance(inner, Nested) else self.copied_list(inner)
        return Nested(self.copied_list(value.heads), own)

    def copied_list(self, value: Growing) -> Growing:
        """A list in new memory, without room for more."""
        length = self.name(value.length, "n")
        array, count = self.array(value.dtype, "l"), self.name(value.numbers(length), "n")
        self.emit(Allocate(array, count))
        self.emit(Copy(array, value.array, count))
        return self.indexed(replace(value, array=array, length=length, room=length, index=None))

    def indexed(self, found: Growing) -> Growing:
        """A list, with a table (`tables.py`) where elements of its dtype are asked for by value."""
        if found.shape or found.is_blank or found.dtype not in self.shared.placed:
            return found
        index, places = self.array(int64, "table"), self.variable(int64, "places")
        self.emit(Set(places, Number(_LEAST_TABLE, int64)))
        is_small = Apply("less", (places, multiply(2, found.room)), bool_)
        self.emit(While([], is_small, [Set(places, add(places, places))]))
        self.emit(Allocate(index, add(places, TABLE_HEAD)))
        self.emit(Store(index, Number(0, int64), Number(0, int64)))
        self.emit(Store(index, Number(1, int64), add(places, -1)))
        return Growing(found.array, found.length, found.room, index)

    def forget(self, found: Growing, test: Expression | None = None) -> None:
        """Says that nothing is in the table of a list, where a test holds."""
        if found.index is not None:
            none = Store(found.index, Number(0, int64), Number(0, int64))
            self.emit(none if test is None else If(test, [none], [], is_rare=True))

    def renamed(self, length: Expression) -> Expression:
        """A length under another name."""
        if isinstance(length, Number):
            return length
        variable = self.variable(int64, "n")
        self.emit(Set(variable, length))
        return variable


def _placed(module: Module) -> Iterator[DType]:
    for each in (module.entry, *module.functions.values()):
        for graph in each.walk():
            for node in graph.nodes:
                if isinstance(node.op, TensorListPlace):
                    yield node.inputs[node.op.columns].dtype


def _dtypes(shown: Sequence[Expression]) -> tuple[DType, ...]:
    return tuple([each.dtype for each in shown])


def require_function(function: str, dtype: DType) -> None:
    """Refuses functions of complex numbers that have no machine code."""
    if dtype.is_complex and function not in COMPLEX:
        raise Unsupported(f"`{function}` of complex numbers is computed by NumPy")


def supported(dtype: DType) -> DType:
    """A dtype that machine code computes with; others are refused."""
    if not is_computed(dtype):
        raise Unsupported(f"{dtype} is computed by NumPy")
    return dtype
