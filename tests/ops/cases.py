"""Every sample of every op as a case: an op on inputs, run by its kernel, by eager code and by executors."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

import runtime as rt
from runtime.core.dims import UNKNOWN
from runtime.core.lists import ListValue
from runtime.core.spec import ArraySpec, CellSpec, ErrorSpec, Spec, TextSpec
from runtime.core.tensor import Tensor
from runtime.errors import GraphError
from runtime.executors.base import choose
from runtime.executors.notes import located
from runtime.executors.numpy_plan.standalone import to_python
from runtime.graph.build import bind_all
from runtime.graph.builder import Builder
from runtime.graph.graph import Node
from runtime.graph.module import Module
from runtime.graph.op import REGISTRY, Op
from runtime.graph.parser import from_text
from runtime.ops.families import Contraction, Elementwise, Reduction
from runtime.ops.linalg.matrices import OfMatrices

__all__ = [
    "CASES",
    "Case",
    "Outcome",
    "as_tuple",
    "assert_same",
    "assert_same_values",
    "bad_inputs",
    "hidden",
    "quiet",
]


FUNCTIONS = {"double": from_text("x: f64[?]\na = AddV2(x, x)\nreturn a", name="double")}
"""What the ops of samples call by name."""


@dataclass(frozen=True)
class Outcome:
    """What a run gave, raised, printed, and left in the variable of the op."""

    results: tuple[Any, ...] = ()
    error: Exception | None = None
    printed: str = ""
    variable: Any = None


@dataclass(frozen=True, eq=False)
class Case:
    """An op, and inputs that it must handle."""

    kind: type[Op]
    op: Op = field(repr=False)
    operands: tuple[Any, ...]
    raises: type[BaseException] | None = None
    """What it is there to raise."""

    def __repr__(self) -> str:
        return f"{self.op!r} on {', '.join(map(repr, self.operands)) or 'nothing'}"

    @property
    def name(self) -> str:
        """What a test calls it: the op, what its inputs are, its fields."""
        fields = [f"{name}={_brief(value)}" for name, value in self.op.attributes().items()]
        return "-".join([self.kind.__name__, *map(str, self.specs), *fields])

    @cached_property
    def specs(self) -> tuple[Spec, ...]:
        """What is known of the inputs when all is known."""
        return tuple(map(_spec_of, self.operands))

    @property
    def has_kernel(self) -> bool:
        return hasattr(self.op, "kernel")

    @property
    def is_of_arrays(self) -> bool:
        """Whether all inputs are arrays."""
        return all(isinstance(each, np.ndarray) for each in self.operands)

    def by_kernel(self) -> Outcome:
        """What the kernel does, as a program meets it."""
        return self._run(lambda: as_tuple(self.op.kernel(*self.operands)))

    def by_eager_code(self) -> Outcome:
        """What eager code does."""

        def run() -> tuple[Any, ...]:
            return tuple([each._array for each in bind_all(self.op, *map(Tensor, self.operands))])

        return self._run(run)

    def by(self, executor: str, specs: tuple[Spec, ...]) -> Outcome:
        """What a graph does that knows so much of the inputs."""
        program = choose(executor).compile(self._module(specs))
        return self._run(lambda: tuple(program.run(list(self.operands))))

    def node(self, specs: tuple[Spec, ...]) -> Node:
        """The op as a node of a graph that knows so much of the inputs."""
        (node,) = self._module(specs).entry.nodes
        return node

    def _module(self, specs: tuple[Spec, ...]) -> Module:
        builder = Builder("program")
        node = builder.add(self.op, [builder.input(spec) for spec in specs])
        return Module(builder.finish(node.outputs), FUNCTIONS)

    def _run(self, run: Callable[[], tuple[Any, ...]]) -> Outcome:
        rt.random.set_seed(0)
        with self._kept() as variable:
            try:
                with redirect_stdout(io.StringIO()) as printed:
                    results = run()
            except Exception as error:  # noqa: BLE001  # it is part of the outcome
                return Outcome(error=located(error, self.node(self.specs), self.specs))
            after = variable.array if variable is not None else None
            return Outcome(results, None, printed.getvalue(), after)

    @contextmanager
    def _kept(self) -> Iterator[Any]:
        """The variable of the op, if it has one, which is left as it was: samples share theirs."""
        variable = getattr(self.op, "variable", None)
        before = variable.array if variable is not None else None
        try:
            yield variable
        finally:
            if variable is not None:
                variable.array = before

    def with_operands(self, operands: Sequence[Any]) -> Case:
        """The same op on other inputs."""
        return Case(self.kind, self.op, tuple(operands))

    def raised(self, node: Node) -> Exception | None:
        """What the kernel raises, as a program meets it; None where it does not."""
        with self._kept():
            try:
                self.op.kernel(*self.operands)
            except Exception as error:  # noqa: BLE001  # it is the answer
                told = located(error, node, self.specs)
                return None if type(told) is GraphError else told  # against the rules: no graph has it
        return None

    def shares(self, index: int) -> bool:
        """Whether a result lies in the memory of an input: the kernel's, or the program's."""
        if index >= len(self.operands):
            return False
        namespace: dict[str, Any] = {}
        exec(to_python(self._module(self.specs)), namespace)  # what executors run
        with self._kept():
            results = [*self.by_kernel().results, *as_tuple(namespace["program"](*self.operands))]
        return any(
            isinstance(each, np.ndarray) and np.shares_memory(each, self.operands[index]) for each in results
        )


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 30 else f"{text[:27]}..."


def _spec_of(value: Any) -> Spec:
    if isinstance(value, ListValue):
        return value.spec
    for kind, spec in ((list, CellSpec()), (str, TextSpec()), (BaseException, ErrorSpec())):
        if isinstance(value, kind):
            return spec
    return ArraySpec(np.shape(value), rt.as_dtype(value.dtype))


def _cases() -> Iterator[Case]:
    for kind in REGISTRY.values():
        for sample in kind.samples:
            yield Case(kind, kind(**sample.attributes), sample.arrays, sample.raises)


CASES = list(_cases())


def as_tuple(results: Any) -> tuple[Any, ...]:
    return results if isinstance(results, tuple) else (results,)


def assert_same(one: Outcome, other: Outcome) -> None:
    """Two runs gave, raised, printed and left the same, bit for bit."""
    assert type(one.error) is type(other.error), (one.error, other.error)
    assert str(one.error).partition("\n")[0] == str(other.error).partition("\n")[0]
    assert one.printed == other.printed
    assert_same_values(one.results, other.results)
    assert_same_values([one.variable], [other.variable])


def assert_same_values(results: Any, expected: Any) -> None:
    assert len(results) == len(expected)
    for left, right in zip(results, expected, strict=True):
        if not isinstance(left, (np.ndarray, np.generic)):
            assert _plain(left) == _plain(right)
        else:
            np.testing.assert_array_equal(np.asarray(left), np.asarray(right), strict=True)


def _plain(value: Any) -> Any:
    """A list or an exception as something that is equal where its contents are."""
    match value:
        case ListValue():
            return "list", [_plain(item) for item in value.items]
        case np.ndarray() | np.generic():
            return value.dtype, np.shape(value), value.tolist()
        case BaseException():
            return type(value), value.args
        case [*items]:
            return [_plain(item) for item in items]
        case _:
            return value


# ── less known, and worse ──


def hidden(specs: tuple[Spec, ...], level: str) -> tuple[Spec, ...]:
    """The same with unknown dims, or of unknown rank."""
    if level == "known":
        return specs
    hide = {"dims": lambda shape: (UNKNOWN,) * len(shape), "rank": lambda shape: None}[level]
    return tuple(
        [spec.with_shape(hide(spec.shape)) if isinstance(spec, ArraySpec) else spec for spec in specs]
    )


def bad_inputs(case: Case, level: str) -> Iterator[tuple[Any, ...]]:
    """Inputs of the specs that a graph knows at this level: numbers that are hard to handle, other shapes."""
    yield case.operands
    extremes = [list(_extreme(operand, case.kind)) for operand in case.operands]
    for index, operand in enumerate(case.operands):
        others = extremes[index] if level == "known" else [*extremes[index][:3], *_reshaped(operand, level)]
        for other in others:
            yield (*case.operands[:index], other, *case.operands[index + 1 :])
    if level == "known" and len(extremes) == 2 and all(extremes):
        yield from zip(*extremes, strict=False)
        yield from zip(extremes[0], reversed(extremes[1]), strict=False)


def _extreme(operand: Any, kind: type[Op]) -> Iterator[Any]:
    """The same shape and dtype with other numbers: the largest only where they are not taken for lengths."""
    if not isinstance(operand, np.ndarray) or operand.dtype == object:
        return
    dtype = rt.as_dtype(operand.dtype)
    computes = issubclass(kind, (Elementwise, Reduction, Contraction))
    numbers: list[Any]
    if dtype.is_bool:
        numbers = [False, True]
    elif dtype.is_integer:
        numbers = [0, 1, 100]
        numbers += [-1, -100] if dtype.kind == "i" else []
        numbers += [dtype.min, dtype.max] if computes else []
    elif issubclass(kind, OfMatrices):  # LAPACK is not made for what is no number
        numbers = [0.0, -1.0, 0.5]
    elif dtype.is_floating:
        numbers = [0.0, -1.0, np.nan, np.inf, -np.inf, 0.5]
        numbers += [dtype.max, dtype.min] if computes else []
    else:
        numbers = [0, complex(np.nan, 1), complex(np.inf, -1), complex(-1e30, 1e30)]
    for number in numbers:
        yield np.full(operand.shape, number, operand.dtype)
    yield np.resize(np.array(numbers, operand.dtype), operand.shape)


def _reshaped(operand: Any, level: str) -> Iterator[np.ndarray]:
    """The same dtype in other shapes: those of the rank, or others too."""
    if not isinstance(operand, np.ndarray) or operand.dtype == object:
        return
    shape = operand.shape
    for axis, length in enumerate(shape):
        for other in {0, 1, length + 1} - {length}:
            yield np.resize(operand, (*shape[:axis], other, *shape[axis + 1 :])).astype(operand.dtype)
    if level == "rank":
        yield np.resize(operand, (2, *shape)).astype(operand.dtype)
        if shape:
            yield np.resize(operand, shape[1:]).astype(operand.dtype)


@contextmanager
def quiet() -> Iterator[None]:
    """Without the warnings of NumPy."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield
