"""The loop language: the low-level IR between core ops and LLVM IR.

A program is a few functions over numbers, and over arrays that lie in memory in one piece, in the order of
their indices. Numbers have names and may be given others; an array is a name for a place in memory, and an
element of it is said by how far in it is. Everything prints::

    for i0 in range(n):
        y[i0] = x[i0] * f64(2.0)

What an operation on numbers means is said by the table of scalar functions (`runtime.ops.scalars`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from runtime.core.dtypes import DType, int64
from runtime.executors.clocks import Lines
from runtime.executors.native.forms import Form
from runtime.graph.graph import Node

__all__ = [
    "MOST_RANGES",
    "ROWS",
    "Alias",
    "Allocate",
    "Apply",
    "Array",
    "Call",
    "Cast",
    "Copy",
    "Expression",
    "Fail",
    "Fold",
    "For",
    "Function",
    "Host",
    "HostSite",
    "If",
    "Lap",
    "Load",
    "Mark",
    "Named",
    "Number",
    "Object",
    "Program",
    "Release",
    "Rows",
    "Set",
    "Share",
    "Site",
    "Statement",
    "Store",
    "Try",
    "Variable",
    "While",
    "add",
    "multiply",
]


ROWS = 16
"""Turns that `Rows` are done at a time."""
MOST_RANGES = 256
"""Ranges that a `Share` has; where they would be more, they are longer."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A number by name."""

    name: str
    dtype: DType


@dataclass(frozen=True, slots=True)
class Number:
    """A number that is known."""

    value: bool | float
    dtype: DType


@dataclass(frozen=True, slots=True)
class Array:
    """An array by name: a place in memory."""

    name: str
    dtype: DType


@dataclass(frozen=True, slots=True)
class Object:
    """An object of Python's by name: what has no form in machine code is handed from call to call."""

    name: str


Named: TypeAlias = "Variable | Array | Object"


@dataclass(frozen=True, slots=True)
class Load:
    """An element."""

    array: Array
    place: Expression

    @property
    def dtype(self) -> DType:
        """That of the array."""
        return self.array.dtype


@dataclass(frozen=True, slots=True)
class Apply:
    """A scalar function of numbers."""

    function: str
    arguments: tuple[Expression, ...]
    dtype: DType


@dataclass(frozen=True, slots=True)
class Cast:
    """A number as one of another dtype."""

    of: Expression
    dtype: DType


Expression: TypeAlias = "Variable | Number | Load | Apply | Cast"


@dataclass(slots=True)
class Set:
    """A number gets a name, or another value."""

    variable: Variable
    value: Expression


@dataclass(slots=True)
class Fold:
    """A number is combined with another, of which a loop has many: in any order, and in any groups."""

    variable: Variable
    function: str
    value: Expression


@dataclass(slots=True)
class Store:
    """An element gets a value."""

    array: Array
    place: Expression
    value: Expression


@dataclass(slots=True)
class Allocate:
    """A name for new memory of so many elements."""

    array: Array
    count: Expression


@dataclass(slots=True)
class Alias:
    """A name for the memory that another array names now, or for the same object."""

    array: Array | Object
    of: Array | Object


@dataclass(slots=True)
class Copy:
    """So many elements, from one array to another."""

    array: Array
    of: Array
    count: Expression


@dataclass(slots=True)
class For:
    """Statements for each whole number from 0 on, below `count`, where the index is when they are done."""

    index: Variable
    count: Expression
    body: list[Statement]


@dataclass(slots=True)
class While:
    """Statements again and again, as long as a test holds that has statements of its own."""

    before: list[Statement]
    test: Expression
    body: list[Statement]


@dataclass(slots=True)
class Rows:
    """What turns of the loop behind it do, some at a time, while there are enough of them.

    `body` is computed for each row of a group, and is no more than numbers; then `after` is done row by row,
    and leaves the next number in `index`. Where a row fails, none of its group is done, and no other.
    """

    index: Variable
    count: Expression
    body: list[Statement]
    after: list[Statement]


@dataclass(slots=True)
class If:
    """Statements where a test holds, and others where it does not."""

    test: Expression
    then: list[Statement]
    orelse: list[Statement]


@dataclass(slots=True)
class Try:
    """Statements, and others where they end the run: those are told of the exception."""

    body: list[Statement]
    error: Object
    handler: list[Statement]


@dataclass(slots=True)
class Fail:
    """Ends the run: at this site, with these numbers to show."""

    site: int
    shown: tuple[Expression, ...] = ()


@dataclass(slots=True)
class Call:
    """A call of a function of the program."""

    function: str
    arguments: tuple[Expression | Array | Object, ...]
    results: tuple[Named, ...]


@dataclass(slots=True)
class Share:
    """Calls of a function for ranges of whole numbers, which make up those from 0 on, below `count`.

    The function takes the arguments, and where a range begins and ends; ranges are done in any order, and by
    several threads. `size` is how many numbers a range has, at least: it decides which there are, and threads
    do not. Each gives something for each of `folds`; these are combined in the order of the ranges.
    """

    function: str
    arguments: tuple[Variable | Array, ...]
    count: Expression
    size: Expression
    folds: tuple[tuple[Variable, str], ...]


@dataclass(slots=True)
class Host:
    """A call of Python: of this site, which may raise."""

    site: int
    arguments: tuple[Expression | Array | Object, ...]
    results: tuple[Named, ...]


@dataclass(slots=True)
class Mark:
    """Notes how much memory there is."""

    mark: str


@dataclass(slots=True)
class Release:
    """Gives back all memory and all objects since a mark but these."""

    mark: str
    keep: tuple[Array | Object, ...] = ()


@dataclass(slots=True)
class Lap:
    """A line of the user's begins, by its number: for programs with clocks."""

    line: int


Statement: TypeAlias = (
    "Set | Fold | Store | Allocate | Alias | Copy | For | While | Rows | If | Try"
    " | Fail | Call | Share | Host | Mark | Release | Lap"
)


@dataclass
class Function:
    """Statements with a name: what they take, and what they leave.

    Attributes
    ----------
    own : frozenset of str
        Arrays among the parameters whose memory no other name stands for.
    """

    name: str
    parameters: list[Named]
    body: list[Statement]
    results: list[Named]
    own: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Site:
    """A place where a run may end.

    Attributes
    ----------
    node : Node
        Of the graph: it knows the user's line.
    error : str
        The exception, as a `Check` names it.
    message : str
        With ``{0}``, ``{1}``, … for what is shown.
    dtypes : tuple of DType
        Those of what is shown.
    """

    node: Node
    error: str
    message: str
    dtypes: tuple[DType, ...] = ()


@dataclass(frozen=True)
class HostSite:
    """A place where Python is called.

    Attributes
    ----------
    node : Node or None
        Of the graph: it knows the user's line.
    call : callable
        Takes the values of a run, and gives one, or a tuple of them.
    takes, gives : tuple of Form
        How they are passed.
    why : str
        Why it is no machine code.
    copies : bool
        Whether an argument may be held by somebody when the call is over.
    """

    node: Node | None
    call: Callable[..., Any]
    takes: tuple[Form, ...]
    gives: tuple[Form, ...]
    why: str
    copies: bool

    @property
    def name(self) -> str:
        """The op that is called, or for which something is passed on."""
        return "passes on" if self.node is None else f"{self.node.op!r}"


@dataclass
class Program:
    """Functions, the last of which is the entry, and what they refer to.

    Attributes
    ----------
    functions : list of Function
    constants : dict of str to array
        By the names of arrays.
    objects : dict of str to object
        By the names of objects.
    sites : list of Site
        What `Fail` counts.
    hosts : list of HostSite
        What `Host` counts.
    lines : Lines or None
        What `Lap` counts; None in a program without clocks.
    """

    functions: list[Function] = field(default_factory=list)
    constants: dict[str, Any] = field(default_factory=dict)
    objects: dict[str, Any] = field(default_factory=dict)
    sites: list[Site] = field(default_factory=list)
    hosts: list[HostSite] = field(default_factory=list)
    lines: Lines | None = None

    def __str__(self) -> str:
        constants = [
            f"{name} = constant {array.dtype}{list(array.shape)}" for name, array in self.constants.items()
        ]
        constants += [f"{name} = {each!r}" for name, each in self.objects.items()]
        constants += [f"python{index} = {site.name}" for index, site in enumerate(self.hosts)]
        return "\n\n".join(
            [*(["\n".join(constants)] if constants else []), *map(_function_text, self.functions)]
        )


# ── making expressions ──


def add(*parts: Expression | int) -> Expression:
    """A sum of whole numbers, in which the known ones are added up."""
    known, unknown = 0, list[Expression]()
    for part in parts:
        if isinstance(part, int):
            known += part
        elif isinstance(part, Number):
            known += int(part.value)
        else:
            unknown.append(part)
    if known or not unknown:
        unknown.append(Number(known, int64))
    total = unknown[0]
    for part in unknown[1:]:
        total = Apply("add", (total, part), int64)
    return total


def multiply(*parts: Expression | int) -> Expression:
    """A product of whole numbers, in which the known ones are multiplied."""
    known, unknown = 1, list[Expression]()
    for part in parts:
        if isinstance(part, int):
            known *= part
        elif isinstance(part, Number):
            known *= int(part.value)
        else:
            unknown.append(part)
    if known == 0:
        return Number(0, int64)
    if known != 1 or not unknown:
        unknown.append(Number(known, int64))
    total = unknown[0]
    for part in unknown[1:]:
        total = Apply("multiply", (total, part), int64)
    return total


# ── text ──


def _function_text(function: Function) -> str:
    parameters = ", ".join(f"{each.name}: {_kind(each)}" for each in function.parameters)
    results = ", ".join(each.name for each in function.results)
    lines = [*_lines(function.body, 1), f"    return {results}".rstrip()]
    return "\n".join([f"def {function.name}({parameters}):", *lines])


def _kind(each: Named) -> str:
    if isinstance(each, Object):
        return "object"
    return f"{each.dtype.short}*" if isinstance(each, Array) else each.dtype.short


def _lines(statements: Sequence[Statement], depth: int) -> Iterator[str]:
    for statement in statements:
        for line in _statement(statement):
            yield f"{'    ' * depth}{line}"


def _block(statements: Sequence[Statement]) -> Iterator[str]:
    return _lines(statements, 1) if statements else iter(["    pass"])


def _statement(statement: Statement) -> Iterator[str]:
    match statement:
        case Set(variable, value):
            yield f"{variable.name} = {expression_text(value)}"
        case Fold(variable, function, value):
            yield f"{variable.name} = fold({function}, {variable.name}, {expression_text(value)})"
        case Store(array, place, value):
            yield f"{array.name}[{expression_text(place)}] = {expression_text(value)}"
        case Allocate(array, count):
            yield f"{array.name} = memory({array.dtype.short}, {expression_text(count)})"
        case Alias(array, of):
            yield f"{array.name} = {of.name}"
        case Copy(array, of, count):
            yield f"{array.name}[:] = {of.name}[:{expression_text(count)}]"
        case For(index, count, body):
            yield f"for {index.name} in range({expression_text(count)}):"
            yield from _block(body)
        case While(before, test, body):
            yield "while True:"
            yield from _lines(before, 1)
            yield f"    if not {expression_text(test)}: break"
            yield from _lines(body, 1)
        case Rows(index, count, body, after):
            yield f"rows {index.name} below {expression_text(count)}:"
            yield from _block(body)
            yield "then:"
            yield from _block(after)
        case If():
            yield from _if_text(statement)
        case Try(body, error, handler):
            yield "try:"
            yield from _block(body)
            yield f"except as {error.name}:"
            yield from _block(handler)
        case Fail(site, shown):
            yield f"fail({', '.join([str(site), *map(expression_text, shown)])})"
        case Call(function, arguments, results):
            yield _call_text(function, arguments, results)
        case Share():
            yield _share_text(statement)
        case Host(site, arguments, results):
            yield _call_text(f"python{site}", arguments, results)
        case Mark(mark):
            yield f"{mark} = mark()"
        case Release(mark, keep):
            yield f"release({', '.join([mark, *[each.name for each in keep]])})"
        case Lap(line):
            yield f"lap({line})"


def _if_text(branch: If) -> Iterator[str]:
    yield f"if {expression_text(branch.test)}:"
    yield from _block(branch.then)
    if branch.orelse:
        yield "else:"
        yield from _block(branch.orelse)


def _share_text(share: Share) -> str:
    call = _call_text(share.function, share.arguments, [variable for variable, _ in share.folds])
    how = f" by {', '.join([each for _, each in share.folds])}" if share.folds else ""
    return f"{call} for ranges of {expression_text(share.size)} below {expression_text(share.count)}{how}"


def _call_text(
    function: str, arguments: Sequence[Expression | Array | Object], results: Sequence[Named]
) -> str:
    given = [each.name if isinstance(each, Array | Object) else expression_text(each) for each in arguments]
    call = f"{function}({', '.join(given)})"
    return f"{', '.join(each.name for each in results)} = {call}" if results else call


_SIGNS = {
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "floor_divide": "//",
    "remainder": "%",
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
    "equal": "==",
    "not_equal": "!=",
}


def expression_text(expression: Expression) -> str:
    """An expression as text."""
    match expression:
        case Variable(name):
            return name
        case Number(value, dtype):
            return repr(value) if dtype is int64 else f"{dtype.short}({value!r})"
        case Load(array, place):
            return f"{array.name}[{expression_text(place)}]"
        case Cast(of, dtype):
            return f"{dtype.short}({expression_text(of)})"
        case Apply(function, (left, right)) if function in _SIGNS:
            return f"({expression_text(left)} {_SIGNS[function]} {expression_text(right)})"
        case Apply(function, arguments):
            return f"{function}({', '.join(map(expression_text, arguments))})"
