"""`Try`: a graph whose exceptions are caught, and the nodes that keep what it had done until then.

What a program does after an exception depends on how far it had come. So a graph in a `Try` leaves a
*checkpoint* in a cell before every node that may raise: the values that its variables have there. Where the
graph ends, the outputs of the `Try` are the graph's; where it raises, they are those of the last checkpoint.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

import numpy as np

from runtime.core.dtypes import int64
from runtime.core.lists import ListValue
from runtime.core.spec import ArraySpec, CellSpec, ErrorSpec, ListSpec, Spec, TextSpec, as_array_spec
from runtime.core.tensor import Array
from runtime.errors import GraphError, IndexOutOfRange, as_pythons, is_caught
from runtime.graph.builder import Builder
from runtime.graph.graph import Graph
from runtime.graph.op import Const, Effects, Op
from runtime.graph.region import Region, Runs
from runtime.ops.arithmetic import FloorDiv
from runtime.ops.checks import CheckDivisor
from runtime.ops.control_flow.nodes import Construct, Execute
from runtime.ops.facts import GraphDef, Sample, Samples, raising

__all__ = [
    "Caught",
    "CaughtForm",
    "Checkpoint",
    "Evaluated",
    "Form",
    "NewCell",
    "NoError",
    "Row",
    "Step",
    "Try",
    "form_of",
    "part_at",
]


class _Part(Op, abstract=True):
    """What belongs to a `Try`, and is nowhere else."""

    is_core = True

    why_no_graphdef: ClassVar[str] = "its graphs catch no exceptions"


class NewCell(_Part):
    """A cell for checkpoints: no two are the same."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__
    raises = raising()
    samples = (Sample(()),)

    def infer(self) -> Spec:
        return CellSpec()

    def kernel(self) -> list[Any]:
        return []


class Checkpoint(_Part):
    """Leaves values in a cell. Inputs: the cell, the values."""

    number: int
    """Which of the checkpoints of its cell it is."""
    raises = raising()
    samples = Samples(lambda: [Sample(([], np.array(1.5), np.arange(2)), {"number": 0})])

    @property
    def effects(self) -> Effects:
        return Effects.MARKS

    def infer(self, cell: Spec, *values: Spec) -> tuple[Spec, ...]:
        _require(cell, CellSpec())
        return ()

    def kernel(self, cell: list[Any], *values: Any) -> tuple[Array, ...]:
        cell[:] = (self.number, *values)
        return ()


class Evaluated(_Part):
    """Says that its inputs are needed, if only for what they may raise."""

    raises = raising()
    samples = (Sample((np.array(1.5),)),)
    graphdef = GraphDef("IdentityN", types={"T": "in*"})

    @property
    def effects(self) -> Effects:
        return Effects.CHECKS

    def infer(self, *values: Spec) -> tuple[Spec, ...]:
        del values
        return ()

    def kernel(self, *values: Any) -> tuple[Array, ...]:
        del values
        return ()


class NoError(_Part):
    """The exception of a graph that has raised none; or a text, or what else has no shape, for nobody."""

    spec: Spec = ErrorSpec()

    raises = raising()
    samples = (Sample((), {"spec": ErrorSpec()}), Sample((), {"spec": TextSpec()}))

    def infer(self) -> Spec:
        return self.spec

    def kernel(self) -> str | None:
        return "" if isinstance(self.spec, TextSpec) else None


Row: TypeAlias = tuple[int | Const | None, ...]
"""Where each variable of a `Try` is found at a checkpoint: a place in the cell, or the value itself.

None stands for a list without elements, or for what has no value there: nobody reads that.
"""


def _divisions() -> list[Sample]:
    """A quotient that is -1 where the divisor is 0."""
    body = Builder("body")
    cell, x = body.input(CellSpec(), "cell"), body.input(ArraySpec((), int64), "x")
    fallback = body.constant(np.array(-1))
    body.add(Checkpoint(0), [cell, fallback])
    ten = body.constant(np.array(10))
    body.add(CheckDivisor("//"), [ten, x])
    number, error = body.constant(np.array(0)), body.add(NoError(), ()).outputs[0]
    quotient = body.add(FloorDiv(), [ten, x]).outputs
    fields = {
        "body": body.finish([number, error, *quotient]),
        "kinds": (ZeroDivisionError,),
        "specs": (ArraySpec((), int64),),
        "rows": ((0, (0,)),),
    }
    cells: list[list[Any]] = [[], []]
    return [
        Sample((cell, cell, np.array(number)), fields) for cell, number in zip(cells, (3, 0), strict=True)
    ]


class Try(Construct):
    """A graph whose exceptions are caught.

    Inputs: the cell, then what the graph captures. Outputs: which kind of exception was caught, counted from
    1, or 0 for none; the exception; the variables.
    """

    body: Graph
    kinds: tuple[type[BaseException], ...]
    """What it catches: the first kind that fits counts. Anything else it lets go."""
    specs: tuple[Spec, ...]
    """Of the variables."""
    rows: tuple[tuple[int, Row], ...]
    """The number of each checkpoint, and where the variables are found there."""
    why_no_graphdef: ClassVar[str] = "its graphs catch no exceptions"
    samples = Samples(_divisions)

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        operands, results = range(1, 1 + len(self.body.inputs)), range(len(self.body.outputs))
        return (Region("body", self.body, Runs.ONCE, operands, results, catches=self.kinds),)

    def with_results(self, indices: Sequence[int]) -> Op:
        kept = [index - _FOUND for index in indices if index >= _FOUND]
        rows = tuple([(number, tuple([row[place] for place in kept])) for number, row in self.rows])
        return Try(self.body, self.kinds, tuple([self.specs[place] for place in kept]), rows)

    def found_at(self, output: int) -> Mapping[int, int]:
        rows = self.rows if output >= _FOUND else ()
        places = {number: row[output - _FOUND] for number, row in rows}
        return {number: at for number, at in places.items() if isinstance(at, int)}

    def run(self, execute: Execute, *operands: Any) -> Sequence[Any]:
        cell, *captures = operands
        try:
            return execute(self.body, captures)
        except BaseException as error:  # noqa: BLE001  # raised again unless it is caught
            outputs = self.caught(error, cell)
            return [
                ListValue([], spec.element) if isinstance(spec, ListSpec) and value is None else value
                for value, spec in zip(outputs, (None, None, *self.specs), strict=True)
            ]

    def infer(self, cell: Spec, *captures: Spec) -> tuple[Spec, ...]:
        _require(cell, CellSpec())
        del captures
        return ArraySpec((), int64), ErrorSpec(), *self.specs

    def caught(self, error: BaseException, cell: Sequence[Any]) -> tuple[Any, ...]:
        """The outputs where the graph has raised `error`, which goes on where it is of no kind here.

        A list without a value is None: each executor has its own lists.
        """
        number = next((n for n, kind in enumerate(self.kinds, 1) if is_caught(type(error), kind)), None)
        if number is None:
            raise error
        row = dict(self.rows)[cell[0]] if cell else ()
        values = [cell[1 + at] if isinstance(at, int) else None if at is None else at.value for at in row]
        return (np.int64(number), error, *map(_cast, values, self.specs))


_FOUND = 2
"""Outputs of a `Try` in front of its variables: the number of the kind, and the exception."""


def _require(found: Spec, wanted: Spec) -> None:
    """Refuses an input of another kind."""
    if found != wanted:
        raise GraphError(f"{found.noun} stands where {wanted.noun} belongs")


def _cast(value: Any, spec: Spec) -> Any:
    """A value in the form that all checkpoints share."""
    return np.asarray(value, spec.dtype.numpy)[()] if isinstance(spec, ArraySpec) else value


def _with_cause() -> BaseException:
    error = ValueError("outer")
    error.__cause__ = KeyError("inner")
    return error


Step: TypeAlias = str | int | tuple[str | int]
"""From an exception to a part of it: an attribute, an item of a list or a tuple, one of a dict by its key."""


def part_at(value: Any, step: Step) -> Any:
    """The part of a value that a step leads to."""
    if isinstance(step, tuple):
        return value[step[0]]
    return value[step] if isinstance(step, int) else getattr(value, step)


class Caught(_Part):
    """A part of an exception: an argument, an attribute, one behind it, or what it says as text."""

    path: tuple[Step, ...]
    spec: Spec
    is_pythons: bool = False
    """Whether an error of ours is the one that Python raises in its place."""
    input_names: ClassVar[tuple[str, ...]] = ("error",)
    raises = raising()
    samples = Samples(
        lambda: [
            Sample(
                (ValueError("no", 3),),
                {"path": ("args", 1), "spec": ArraySpec((), int64), "is_pythons": False},
            ),
            Sample((ValueError("no", 3),), {"path": (), "spec": TextSpec(), "is_pythons": False}),
            Sample((_with_cause(),), {"path": ("__cause__",), "spec": ErrorSpec(), "is_pythons": False}),
            Sample((IndexOutOfRange("far"),), {"path": (), "spec": TextSpec(), "is_pythons": True}),
        ]
    )

    def infer(self, error: Spec) -> Spec:
        _require(error, ErrorSpec())
        return self.spec

    def kernel(self, error: BaseException) -> Any:
        found: Any = as_pythons(error) if self.is_pythons else error
        for step in self.path:
            found = part_at(found, step)
        if isinstance(self.spec, ErrorSpec):
            return found
        if isinstance(self.spec, TextSpec):
            return str(found)
        return np.asarray(found, as_array_spec(self.spec).dtype.numpy)


Form: TypeAlias = tuple[tuple[bool, ...], tuple[tuple[str, bool], ...]]
"""Whether each argument of an exception is a text; the names of its attributes, and whether those are."""


class CaughtForm(_Part):
    """Which of several forms an exception has: how many arguments and which attributes. The last, if none."""

    forms: tuple[Form, ...]
    input_names: ClassVar[tuple[str, ...]] = ("error",)
    raises = raising()
    samples = Samples(
        lambda: [Sample((ValueError("no", 3),), {"forms": (((True,), ()), ((True, False), ()))})]
    )

    def infer(self, error: Spec) -> Spec:
        _require(error, ErrorSpec())
        return ArraySpec((), int64)

    def kernel(self, error: BaseException) -> Any:
        form = form_of(error.args, vars(error))
        return np.int64(self.forms.index(form) if form in self.forms else len(self.forms) - 1)


def form_of(args: Sequence[Any], attributes: Mapping[str, Any], texts: tuple[type, ...] = (str,)) -> Form:
    """The form of an exception with these arguments and attributes, but for those that are for Python."""
    own = [(name, isinstance(attributes[name], texts)) for name in sorted(attributes) if name[:2] != "__"]
    return tuple([isinstance(each, texts) for each in args]), tuple(own)
