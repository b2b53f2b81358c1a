"""The loop language: the low-level IR between core ops and LLVM IR.

A program is a few functions over numbers, and over arrays that lie in memory in one piece, in the order of
their indices. Numbers have names and may be given others; an array is a name for a place in memory, and an
element of it is said by how far in it is. Everything prints::

    for i0 in range(n):
        y[i0] = x[i0] * f64(2.0)

What an operation on numbers means is said by the table of scalar functions (`runtime.ops.scalars`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Any, TypeAlias

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import DType
from runtime.executors import clocks
from runtime.executors.native.forms import Form
from runtime.executors.native.language.expressions import (
    Apply,
    Array,
    Cast,
    Expression,
    Load,
    Named,
    Number,
    Object,
    Variable,
    add,
    as_int64,
    expression_text,
    multiply,
    truth,
)
from runtime.executors.native.randomness.streams import Stream
from runtime.graph.graph import Node

__all__ = [
    "MOST_RANGES",
    "ROWS",
    "Alias",
    "Allocate",
    "Apply",
    "Array",
    "Block",
    "Break",
    "Call",
    "Cast",
    "Copy",
    "Draw",
    "Expression",
    "Fail",
    "Failed",
    "Fold",
    "For",
    "Function",
    "Host",
    "HostSite",
    "If",
    "Landing",
    "Lap",
    "Load",
    "Mark",
    "Matrices",
    "Named",
    "Number",
    "Object",
    "Part",
    "Program",
    "Release",
    "Remember",
    "Rows",
    "Set",
    "Share",
    "Site",
    "Statement",
    "Store",
    "Sums",
    "Try",
    "Variable",
    "While",
    "add",
    "as_int64",
    "expression_text",
    "multiply",
    "truth",
]


ROWS = 16
"""Turns that `Rows` are done at a time."""
MOST_RANGES = 256
"""Ranges that a `Share` has; where they would be more, they are longer."""


@dataclass(slots=True)
class Set:
    """A number gets a name, or another value."""

    variable: Variable
    value: Expression


@dataclass(slots=True)
class Fold:
    """A number is combined with many others of a loop, in any order and in any groups."""

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
    may_be_one: bool = False
    """Whether both names may be of one memory: then there is nothing to do."""


@dataclass(slots=True)
class Remember:
    """What an array that a caller has lent holds until now: a run that fails puts it back.

    `number` says which of the lent ones it is.
    """

    array: Array
    count: Expression
    number: int


class Block(tuple["Statement", ...]):  # noqa: SLOT001  # what is known of it is kept with it
    """Statements inside of another. Nobody changes a block: what it does is found out once (`walking`)."""

    facts: Any = None


def _block_of(statements: Iterable[Statement]) -> Block:
    return statements if isinstance(statements, Block) else Block(statements)


@dataclass(slots=True, init=False)
class For:
    """Statements for each whole number from 0 on, below `count`, where the index is when they are done."""

    index: Variable
    count: Expression
    body: Block

    def __init__(self, index: Variable, count: Expression, body: Iterable[Statement]) -> None:
        self.index, self.count, self.body = index, count, _block_of(body)


@dataclass(slots=True, init=False)
class While:
    """Statements again and again, as long as a test holds that has statements of its own.

    `most` says how many turns there are at most, where that is known.
    """

    before: Block
    test: Expression
    body: Block
    most: int | None

    def __init__(
        self,
        before: Iterable[Statement],
        test: Expression,
        body: Iterable[Statement],
        most: int | None = None,
    ) -> None:
        self.before, self.test, self.body, self.most = _block_of(before), test, _block_of(body), most


@dataclass(slots=True)
class Break:
    """Leaves the `While` around, at once."""


@dataclass(slots=True, init=False)
class Rows:
    """What turns of the loop behind it do, some at a time, while there are enough of them.

    `body` is computed for each row of a group, and is no more than numbers; then `after` is done row by row,
    and leaves the next number in `index`. Where a row fails, none of its group is done, and no other.
    """

    index: Variable
    count: Expression
    body: Block
    after: Block

    def __init__(
        self, index: Variable, count: Expression, body: Iterable[Statement], after: Iterable[Statement]
    ) -> None:
        self.index, self.count, self.body, self.after = index, count, _block_of(body), _block_of(after)


@dataclass(slots=True, init=False)
class If:
    """Statements where a test holds, and others where it does not; `is_rare` says that it seldom holds."""

    test: Expression
    then: Block
    orelse: Block
    is_rare: bool

    def __init__(
        self,
        test: Expression,
        then: Iterable[Statement],
        orelse: Iterable[Statement],
        *,
        is_rare: bool = False,
    ) -> None:
        self.test, self.then, self.orelse = test, _block_of(then), _block_of(orelse)
        self.is_rare = is_rare


@dataclass(frozen=True, slots=True)
class Failed:
    """What is known of an exception by number: the site that has raised it, and the numbers that this shows.

    Attributes
    ----------
    site : Variable
    bits, floats : tuple of Variable
        Each number as its 64 bits, and as the float that these are.
    """

    site: Variable
    bits: tuple[Variable, ...]
    floats: tuple[Variable, ...]

    @property
    def names(self) -> tuple[Variable, ...]:
        """What stands for it."""
        return (self.site, *self.bits, *self.floats)


@dataclass(frozen=True, slots=True)
class Landing:
    """Where a run goes on that has failed at a site, with an exception of one of some classes.

    Attributes
    ----------
    kinds : tuple of exception classes
        The first that fits counts; with others, the run ends as if nobody had caught anything.
    number : Variable
        Gets which of them it is, counted from 1.
    failed : Failed
    """

    kinds: tuple[type[BaseException], ...]
    number: Variable
    failed: Failed

    @property
    def names(self) -> tuple[Variable, ...]:
        """What it sets."""
        return (self.number, *self.failed.names)


@dataclass(slots=True, init=False)
class Try:
    """Statements, and others where they end the run: those are told of the exception.

    By an object, which may be any exception; by a landing, those that sites of the program raise.
    """

    body: Block
    error: Object | Landing
    handler: Block

    def __init__(
        self, body: Iterable[Statement], error: Object | Landing, handler: Iterable[Statement]
    ) -> None:
        self.body, self.error, self.handler = _block_of(body), error, _block_of(handler)


@dataclass(slots=True)
class Fail:
    """Ends the run: at this site, with these numbers to show; or at that of a failure, as this did."""

    site: int | Failed
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
class Draw:
    """The next number of a stream of random numbers that lies outside of the program.

    What it is, the table of draws says (`streams.DRAWS`).
    """

    variable: Variable
    function: str
    stream: Array
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """Elements of an array: where the first one is, and how far it is to the next one along each axis."""

    array: Array
    place: Expression
    steps: tuple[Expression, ...]


@dataclass(slots=True)
class Sums:
    """What NumPy's own loop adds up: products of two matrices or vectors, or the elements of one vector.

    Attributes
    ----------
    function : str
        ``matmul``, ``vecdot`` or ``add``.
    result : Part
    operands : tuple of Part
        The first axis of each counts sums, as that of the result does; of elements, there is one.
    lengths : tuple of Expression
        How many sums there are; then those of the axes: of rows, of what is added up and of columns, or of
        vectors.
    """

    function: str
    result: Part
    operands: tuple[Part, ...]
    lengths: tuple[Expression, ...]

    @property
    def parts(self) -> tuple[Part, ...]:
        """All of them, in NumPy's order."""
        return *self.operands, self.result


@dataclass(slots=True)
class Matrices:
    """What NumPy's own loop computes of a stack of matrices.

    Attributes
    ----------
    function : str
        What NumPy calls the loop, as ``solve``.
    results, operands : tuple of Array
        In order, each from its beginning.
    lengths : tuple of Expression
        How many matrices there are; then those of the axes, as the loop's signature names them.
    is_solved : Variable
        Whether there is a solution, for each of them.
    """

    function: str
    results: tuple[Array, ...]
    operands: tuple[Array, ...]
    lengths: tuple[Expression, ...]
    is_solved: Variable


@dataclass(slots=True)
class Mark:
    """Notes how much memory there is."""

    mark: str


@dataclass(slots=True)
class Release:
    """Gives back all memory and all objects since a mark but these; `is_rare` says that it seldom has to."""

    mark: str
    keep: tuple[Array | Object, ...] = ()
    is_rare: bool = False


@dataclass(slots=True)
class Lap:
    """A line of the user's begins, by its number: for programs with clocks."""

    line: int


Statement: TypeAlias = (
    "Set | Fold | Store | Allocate | Alias | Copy | Remember | For | While | Break | Rows | If | Try"
    " | Fail | Call | Share | Host | Draw | Sums | Matrices | Mark | Release | Lap"
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

    def with_body(self, body: Iterable[Statement]) -> Function:
        """The same function, of other statements."""
        return Function(self.name, self.parameters, [*body], self.results, self.own)


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
    raising : callable or None
        Raises it, told what is shown; None where a check does that.
    kind : type or None
        The class of the exception, as handlers know it; None where no exception of the program ends the run.
    """

    node: Node
    error: str
    message: str
    dtypes: tuple[DType, ...] = ()
    raising: Callable[..., Any] | None = None
    kind: type[BaseException] | None = None


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
    """Functions, the last one being the entry, and what they refer to.

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
    streams : dict of str to Stream
        What `Draw` draws from, by name.
    draws : dict of str to None
        The ways in which it draws, in the order in which they were met.
    lines : Lines or None
        What `Lap` counts; None in a program without clocks.
    lent : dict of int to int
        The inputs that are written into where they are, by the outputs of the graph that say what they hold
        in the end: these are no results.
    is_in_order : bool
        Whether bits of what it gives depend on that arrays lie in the order of their indices.
    is_flagless : bool
        Whether no run raises any of the processor's flags of floats.
    has_nested : bool
        Whether lists of lists of numbers that it takes and gives lie in memory, and are no objects.
    """

    functions: list[Function] = field(default_factory=list)
    constants: dict[str, Any] = field(default_factory=dict)
    objects: dict[str, Any] = field(default_factory=dict)
    sites: list[Site] = field(default_factory=list)
    hosts: list[HostSite] = field(default_factory=list)
    streams: dict[str, Stream] = field(default_factory=dict)
    draws: dict[str, None] = field(default_factory=dict)
    lines: clocks.Lines | None = None
    lent: Mapping[int, int] = field(default_factory=dict)
    is_in_order: bool = False
    is_flagless: bool = False
    has_nested: bool = False
