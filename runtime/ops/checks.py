"""Checks that raise when the graph runs."""

from __future__ import annotations

import functools
import itertools
import operator
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NoReturn

import numpy as np

from runtime import ops
from runtime.core.dtypes import DType, bool_, int8, int32, int64, uint64
from runtime.core.spec import ArraySpec, Spec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import CheckFailed, DTypeError, IntTooLarge, KindsMeetWarning, UnknownKind
from runtime.graph.build import array_spec_of, as_operand, bind, bind_all, kind_of
from runtime.graph.graph import Value
from runtime.graph.location import users_stacklevel
from runtime.graph.op import Const, Effects, Failures, Op
from runtime.graph.symbol import Symbol
from runtime.ops import core
from runtime.ops.core import escaped, reduce, scalar_map
from runtime.ops.facts import STRING, GraphDefBuilder, GraphDefTensor, Sample, axes_in_graphdef, raising

__all__ = [
    "Assert",
    "CheckCount",
    "CheckDivisor",
    "CheckFits",
    "CheckHeld",
    "CheckNumerics",
    "CheckTotal",
    "CheckWhole",
    "TellEmpty",
    "check",
    "check_count",
    "check_fits",
    "check_held",
    "check_negated",
    "check_number",
    "check_numerics",
    "check_total",
    "check_unsigned",
    "check_whole",
    "is_nonzero",
]


class Assert(Op):
    """Raises unless every element of its first input is true."""

    message: str
    input_names: ClassVar[tuple[str, ...]] = ("condition", "data")
    raises = raising(CheckFailed)
    samples = (
        Sample((np.array(True), np.array(3)), {"message": "x is 3"}),
        Sample((np.array([True, False]), np.array(3)), {"message": "x is 3"}, CheckFailed),
    )

    @property
    def effects(self) -> Effects:
        return Effects.CHECKS

    def infer(self, condition: ArraySpec, *data: ArraySpec) -> tuple[ArraySpec, ...]:
        del condition, data
        return ()

    def kernel(self, condition: Any, *data: Any) -> tuple[Array, ...]:
        if not np.all(condition):
            shown = "".join(f"\n  {value}" for value in data)
            raise CheckFailed(f"{self.message}{shown}")
        return ()

    def decompose(self, condition: Tensor, *data: Tensor) -> tuple[Tensor, ...]:
        holds = condition if condition.dtype.is_bool else ops.cast(condition, bool_)
        shown = "".join(f"\n  {{{place}}}" for place in range(len(data)))
        one = holds if holds.static_shape == () else reduce("logical_and", holds, None)
        core.check(one, "CheckFailed", escaped(self.message) + shown, *data)
        return ()

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        condition, *data = inputs
        if specs[0].shape != ():
            axes = axes_in_graphdef(builder, condition, bool_)
            condition = builder.node("All", [condition, axes], Tidx=int32, keep_dims=False)
        types = [STRING, *(spec.dtype for spec in specs[1:])]
        builder.effect(self.name, [condition, builder.text(self.message), *data], T=types, summarize=-1)
        return []


def check(condition: TensorLike, message: str = "", *data: TensorLike) -> None:
    """Raises unless every element of `condition` is true; in a graph, whenever it runs.

    Parameters
    ----------
    condition : Tensor of bool, any shape
    message : str
    *data : Tensor
        Values that the error shows below the message.

    Raises
    ------
    CheckFailed
        Which is an `AssertionError`.

    Notes
    -----
    Never pruned from a graph. GraphDef "Assert". Semantics: TensorFlow `tf.debugging.Assert`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.check(rt.asarray([1, 2]) > 0, "must be positive")
    """
    bind(Assert(message), condition, *data)


class CheckNumerics(Op):
    """Raises where a number is NaN or infinite, and says which of them it found."""

    message: str
    """What the error begins with."""
    input_names: ClassVar[tuple[str, ...]] = ("tensor",)
    raises = raising(CheckFailed)
    samples = (
        Sample((np.array([1.0, 2.0]),), {"message": "x"}),
        Sample((np.array([1.0, np.nan]),), {"message": "x"}, CheckFailed),
        Sample((np.array(-np.inf, np.float32),), {"message": "x"}, CheckFailed),
        Sample((np.array([[np.inf], [np.nan]]),), {"message": "{x}"}, CheckFailed),
    )

    @property
    def effects(self) -> Effects:
        return Effects.CHECKS

    def infer(self, tensor: ArraySpec) -> tuple[ArraySpec, ...]:
        if not tensor.dtype.is_floating:
            raise DTypeError(f"numbers of the dtype {tensor.dtype} are never NaN or infinite")
        return ()

    def kernel(self, tensor: Any) -> tuple[Array, ...]:
        if not np.isfinite(tensor).all():
            found = (tensor == -np.inf, tensor == np.inf, np.isnan(tensor))
            raise CheckFailed(
                self._words([name for name, at in zip(_NOT_FINITE, found, strict=True) if at.any()])
            )
        return ()

    def decompose(self, tensor: Tensor) -> tuple[Tensor, ...]:
        found = [ops.equal(tensor, -np.inf), ops.equal(tensor, np.inf), ops.isnan(tensor)]
        has = [each if each.static_shape == () else reduce("logical_or", each, None) for each in found]
        has_not = [ops.logical_not(each) for each in has]
        for places in itertools.product((False, True), repeat=len(has)):
            if any(places):
                other = [no if place else yes for place, yes, no in zip(places, has, has_not, strict=True)]
                words = self._words(list(itertools.compress(_NOT_FINITE, places)))
                core.check(functools.reduce(ops.logical_or, other), "CheckFailed", escaped(words))
        return ()

    def _words(self, found: Sequence[str]) -> str:
        *others, last = found
        comma = "," if len(others) > 1 else ""
        words = f"{', '.join(others)}{comma} and {last}" if others else last
        return f"{self.message} : Tensor had {words} values"

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        builder.effect(self.name, inputs, T=specs[0].dtype, message=self.message)
        return []


_NOT_FINITE = ("-Inf", "+Inf", "NaN")


def check_numerics(tensor: TensorLike, message: str = "") -> None:
    """Raises where a number is NaN or infinite; in a graph, whenever it runs.

    Parameters
    ----------
    tensor : Tensor of floats, any shape
    message : str
        What the error begins with; then it says what was found.

    Raises
    ------
    CheckFailed
        Which is an `AssertionError`.

    Notes
    -----
    Never pruned from a graph. GraphDef "CheckNumerics". Semantics: TensorFlow `tf.debugging.check_numerics`.
    """
    bind_all(CheckNumerics(message), tensor)


class _OfNumbers(Op, abstract=True):
    """Raises for two numbers what Python's operator does; where either has axes, NumPy's rule holds."""

    input_names: ClassVar[tuple[str, ...]] = ("x", "y")

    @property
    def effects(self) -> Effects:
        return Effects.CHECKS

    def infer(self, x: ArraySpec, y: ArraySpec) -> tuple[ArraySpec, ...]:
        del x, y
        return ()

    def decompose(self, x: Tensor, y: Tensor) -> tuple[Tensor, ...] | None:
        if x.static_shape is None or y.static_shape is None:
            return None
        if x.ndim == y.ndim == 0:
            self.require(x, y)
        return ()

    def require(self, x: Tensor, y: Tensor) -> None:
        """Adds a check of two numbers in the ops of the core."""
        raise NotImplementedError(f"{self.name} checks nothing")

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        del builder, inputs, specs  # TensorFlow's division raises by itself, and its integers wrap around
        return []


class CheckDivisor(_OfNumbers):
    """Raises where a number is divided by zero, as Python does.

    Where either has axes, NumPy's rule holds: 0, and a warning.
    """

    symbol: str
    """``/``, ``//``, ``%`` or ``divmod``."""
    raises = raising(ZeroDivisionError)
    samples = (
        Sample((np.array(4), np.array(2)), {"symbol": "//"}),
        Sample((np.array(4), np.array(0)), {"symbol": "%"}, ZeroDivisionError),
        Sample((np.array(4), np.array([0])), {"symbol": "//"}),
        Sample((np.array(4), np.array(0.0)), {"symbol": "/"}, ZeroDivisionError),
    )

    def kernel(self, x: Any, y: Any) -> tuple[Array, ...]:
        if np.ndim(x) == np.ndim(y) == 0 and y == 0:
            divide_by_zero(np.result_type(x, y).kind, self.symbol)
        return ()

    def require(self, x: Tensor, y: Tensor) -> None:
        core.check(scalar_map("x0 != T(0)", y), "ZeroDivisionError", escaped(self._words(x, y)))

    def _words(self, x: Tensor, y: Tensor) -> str:
        """What the Python that runs says of a division by zero."""
        try:
            divide_by_zero(np.result_type(x.dtype.numpy, y.dtype.numpy).kind, self.symbol)
        except ZeroDivisionError as error:
            return str(error)
        raise AssertionError("there is no such division")


class CheckCount(_OfNumbers):
    """Raises where Python's operator takes no negative int, or gives a float for one, of ints of its own."""

    symbol: str
    """One of ``** << >>``."""
    samples = (
        Sample((np.array(4), np.array(2)), {"symbol": "<<"}),
        Sample((np.array(4), np.array(-2)), {"symbol": ">>"}, ValueError),
        Sample((np.array(4), np.array(-1)), {"symbol": "**"}, UnknownKind),
    )

    def raises(self, *specs: Spec) -> Failures:
        """What it is of each operator."""
        del specs
        return frozenset([UnknownKind if self.symbol == "**" else ValueError])

    def kernel(self, x: Any, y: Any) -> tuple[Array, ...]:
        if np.ndim(x) == np.ndim(y) == 0 and y < 0:
            if self.symbol == "**":
                raise UnknownKind(NEGATIVE_POWER, way_out=_FLOATS)
            raise ValueError(NEGATIVE_SHIFT)
        return ()

    def require(self, x: Tensor, y: Tensor) -> None:
        del x
        is_power = self.symbol == "**"
        kind, says = ("UnknownKind", NEGATIVE_POWER) if is_power else ("ValueError", NEGATIVE_SHIFT)
        core.check(scalar_map("x0 >= T(0)", y), kind, says)


NEGATIVE_SHIFT = "negative shift count"
NEGATIVE_POWER = "an int of Python's own gets a negative power, which is a float in Python"
_FLOATS = "Make it a float first, `float(x) ** n`, or write `1 / x ** -n`."


class CheckWhole(_OfNumbers):
    """Raises where Python's operator gives an int of its own that has no 64 bits."""

    symbol: str
    """One of ``+ - * ** <<``."""
    raises = raising(IntTooLarge)
    samples = (
        Sample((np.array(4), np.array(2)), {"symbol": "*"}),
        Sample((np.array(2**62), np.array(2**62)), {"symbol": "+"}, IntTooLarge),
        Sample((np.array(-(2**62)), np.array(2**62)), {"symbol": "+"}),
        Sample((np.array(-(2**62)), np.array(2**62 + 1)), {"symbol": "-"}, IntTooLarge),
        Sample((np.array(2**40), np.array(-(2**40))), {"symbol": "*"}, IntTooLarge),
        Sample((np.array(-3), np.array(60)), {"symbol": "**"}, IntTooLarge),
        Sample((np.array(-3), np.array(5)), {"symbol": "**"}),
        Sample((np.array(3), np.array(62)), {"symbol": "<<"}, IntTooLarge),
    )

    def kernel(self, x: Any, y: Any) -> tuple[Array, ...]:
        if np.ndim(x) == np.ndim(y) == 0:
            a, b = int(x), int(y)
            if self.symbol == "+":
                found = a + b
            elif self.symbol == "-":
                found = a - b
            elif self.symbol == "*":
                found = a * b
            elif b < 0 or abs(a) < 1 + (self.symbol == "**"):
                found = 0
            elif b > 63:  # more than there are bits
                found = 2**64
            else:
                found = a**b if self.symbol == "**" else a << b
            if not -(2**63) <= found < 2**63:
                refuse_too_large()
        return ()

    def require(self, x: Tensor, y: Tensor) -> None:
        core.check(scalar_map(_FITS[self.symbol], x, y), "IntTooLarge", TOO_LARGE)


class CheckFits(Op):
    """Raises where an int of Python's own meets integers of NumPy's whose dtype has no room for it."""

    to: DType
    input_names: ClassVar[tuple[str, ...]] = ("x",)
    raises = raising(OverflowError)
    samples = (
        Sample((np.array(4),), {"to": int8}),
        Sample((np.array(300),), {"to": int8}, OverflowError),
        Sample((np.array(-1),), {"to": uint64}, OverflowError),
    )

    @property
    def effects(self) -> Effects:
        return Effects.CHECKS

    def infer(self, x: ArraySpec) -> tuple[ArraySpec, ...]:
        del x
        return ()

    def kernel(self, x: Any) -> tuple[Array, ...]:
        limits = np.iinfo(self.to.numpy)
        for each in np.ravel(x):
            if not limits.min <= int(each) <= limits.max:
                raise OverflowError(f"Python integer {each} out of bounds for {self.to.name}")
        return ()

    def decompose(self, x: Tensor) -> tuple[Tensor, ...] | None:
        if x.static_shape is None or x.dtype is not int64:
            return None
        above = f"(x0 >= i64({self.to.min}))"
        fits = above if self.to is uint64 else f"{above} & (x0 <= i64({self.to.max}))"
        held = scalar_map(fits, x)
        held = reduce("logical_and", held, range(x.ndim)) if x.ndim else held
        self.require(held, x)
        return ()

    def require(self, held: Tensor, x: Tensor) -> None:
        """Adds the check itself, of a number that is held by the dtype."""
        core.check(held, "OverflowError", f"Python integer {{0}} out of bounds for {self.to.name}", x)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        del builder, inputs, specs  # TensorFlow's casts wrap around
        return []


def check_fits(x: TensorLike, to: DType) -> None:
    """Raises OverflowError where an int of Python's own is no element of a dtype of integers.

    Parameters
    ----------
    x : Tensor
        It stands for an int of Python's own.
    to : DType
    """
    bind_all(CheckFits(to), x)


class CheckHeld(CheckFits):
    """Raises where an int of Python's own has no room in a variable that has a small dtype on some paths."""

    raises = raising(IntTooLarge)
    samples = (
        Sample((np.array(4),), {"to": int8}),
        Sample((np.array(300),), {"to": int8}, IntTooLarge),
        Sample((np.array(-1),), {"to": uint64}, IntTooLarge),
    )

    def kernel(self, x: Any) -> tuple[Array, ...]:
        try:
            return super().kernel(x)
        except OverflowError:
            raise IntTooLarge(self._message) from None

    @property
    def _message(self) -> str:
        return f"an int of Python's own has no room in a variable that may be {self.to.name}"

    def require(self, held: Tensor, x: Tensor) -> None:
        del x
        core.check(held, "IntTooLarge", self._message)


def check_held(x: TensorLike, to: DType) -> None:
    """Raises IntTooLarge where an int of Python's own is no element of the dtype of a variable.

    Parameters
    ----------
    x : Tensor
        It stands for an int of Python's own.
    to : DType
        Of integers.
    """
    bind_all(CheckHeld(to), x)


TOO_LARGE = "an int of Python's own gets larger than a graph has room for"


def refuse_too_large() -> NoReturn:
    """Says that an int of Python's own has no 64 bits."""
    raise IntTooLarge(TOO_LARGE)


_FITS: Mapping[str, str] = {
    "+": "add_fits(x0, x1)",
    "-": "subtract_fits(x0, x1)",
    "*": "multiply_fits(x0, x1)",
    "**": "power_fits(x0, x1)",
    "<<": "left_shift_fits(x0, x1)",
}
"""Whether what an operator gives has 64 bits."""


def check_whole(x: TensorLike, y: TensorLike, symbol: str) -> None:
    """Raises IntTooLarge where an operator of Python's gives an int of its own that has no 64 bits.

    Parameters
    ----------
    x, y : Tensor, or number
        Each stands for an int of Python's own.
    symbol : {"+", "-", "*", "**", "<<", ">>"}
        For the last three it raises for a negative second one, too.

    Notes
    -----
    A number that is small and known is counted with, or is where a place is counted on from: nobody waits for
    that to come to an end. What `int` has made of 64 bits of NumPy's may be at the end before that.
    """
    operands = as_operand(x), as_operand(y)
    if any(kind_of(each) != "i" for each in operands):
        return
    if symbol in {"**", "<<", ">>"}:
        check_count(*operands, symbol)
    if symbol == ">>":
        return
    known = [value for value in map(_known_int, operands) if value is not None]
    is_counted = symbol in {"+", "-"} and any(abs(each) < _COUNTED for each in known)
    if len(known) == len(operands) or (is_counted and not any(map(_is_of_numpy, operands))):
        return
    bind_all(CheckWhole(symbol), *operands)


_COUNTED = 2**31


def check_count(x: TensorLike, y: TensorLike, symbol: str) -> None:
    """Raises for a negative `y` what is said of one beside ints of Python's own: UnknownKind for ``**``.

    Parameters
    ----------
    x, y : Tensor, or number
    symbol : {"**", "<<", ">>"}
    """
    operands = as_operand(x), as_operand(y)
    count = _known_int(operands[1])
    if all(kind_of(each) == "i" for each in operands) and (count is None or count < 0):
        bind_all(CheckCount(symbol), *operands)


def check_negated(x: TensorLike) -> None:
    """Raises IntTooLarge where `-x`, or `abs(x)`, of an int of Python's own has no 64 bits."""
    if _is_of_numpy(x):
        check_whole(0, x, "-")


def _is_of_numpy(x: Any) -> bool:
    """Whether an int of Python's own is what NumPy's 64 bits were, one step before."""
    node = x.value.node if isinstance(x, Symbol) else None
    if node is None or type(node.op) is not ops.Cast:
        return False
    return array_spec_of(node.inputs[0]).dtype in {int64, uint64}


def check_unsigned(x: Tensor) -> None:
    """Raises IntTooLarge where integers without signs have no room as ints of Python's own."""
    held = ops.less_equal(x, int64.max)
    core.check(held if x.static_shape == () else ops.all(held), "IntTooLarge", TOO_LARGE)


class CheckTotal(Op):
    """Raises where the sum of ints of Python's own has no 64 bits, whatever there is on the way to it."""

    input_names: ClassVar[tuple[str, ...]] = ("x",)
    raises = raising(IntTooLarge)
    samples = (
        Sample((np.array([4, -7, 2]),)),
        Sample((np.array([], np.int64),)),
        Sample((np.array([2**62, 2**62, -(2**62)]),)),
        Sample((np.array([-(2**62), -(2**62)]),)),
        Sample((np.array([2**62, 2**62]),), {}, IntTooLarge),
        Sample((np.array([-(2**62), -(2**62), -1]),), {}, IntTooLarge),
    )

    @property
    def effects(self) -> Effects:
        return Effects.CHECKS

    def infer(self, x: ArraySpec) -> tuple[ArraySpec, ...]:
        del x
        return ()

    def kernel(self, x: Array) -> tuple[Array, ...]:
        largest = max(int(x.max()), -int(x.min())) if x.size else 0  # mostly small enough for any sum
        if largest * x.size >= 2**63 and not -(2**63) <= sum(x.ravel().tolist()) < 2**63:
            refuse_too_large()
        return ()

    def decompose(self, x: Tensor) -> tuple[Tensor, ...] | None:
        if x.static_shape is None or x.dtype is not int64:
            return None
        axes = range(x.ndim)
        high = reduce("add", scalar_map("x0 >> i64(32)", x), axes)
        low = reduce("add", scalar_map("x0 & i64(4294967295)", x), axes)  # of fewer than 2**31 numbers
        above = scalar_map("x0 + (x1 >> i64(32))", high, low)
        held = scalar_map("(x0 >= i64(-2147483648)) & (x0 <= i64(2147483647))", above)
        core.check(held, "IntTooLarge", TOO_LARGE)
        return ()

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        del builder, inputs, specs  # TensorFlow's sums wrap around
        return []


def check_total(x: Tensor) -> None:
    """Raises IntTooLarge where Python's `sum` of ints of its own gives one that has no 64 bits.

    Parameters
    ----------
    x : Tensor, shape (n,)
        Each element stands for a number of Python's own; nothing is asked of floats and bools.
    """
    if kind_of(x) == "i":
        bind_all(CheckTotal(), x)


class TellEmpty(Op):
    """Warns where a list has stayed empty of which an array is made: NumPy's array would be another one.

    Its input is the length of the list.
    """

    dtype: DType
    rank: int
    samples = (Sample((np.array(3),), {"dtype": int64, "rank": 1}),)

    @property
    def effects(self) -> Effects:
        return Effects.CHECKS

    def infer(self, count: ArraySpec) -> tuple[ArraySpec, ...]:
        del count
        return ()

    def kernel(self, count: Any) -> tuple[Array, ...]:
        if count == 0:
            tell_empty(self.dtype, self.rank)
        return ()

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        return []


def tell_empty(dtype: DType, rank: int) -> None:
    """Warns of an array of no elements, at the line of the user's that runs."""
    axes = "one axis" if rank == 1 else f"{rank} axes"
    which = "Say which it is (`np.array(found, dtype=int)`), or ask" if rank == 1 else "Ask"
    notice = KindsMeetWarning(
        f"an array of a list that stayed empty has dtype {dtype.name} and {axes}, as if there were elements",
        why="A graph has one kind of array, whatever the run puts into the list. NumPy makes one of float64, "
        "with one axis.",
        way_out=f"{which} whether the list is empty first.",
    )
    warnings.warn(notice, stacklevel=users_stacklevel())


def _known_int(operand: Any) -> int | None:
    if isinstance(operand, int):
        return operand
    value = operand.value if isinstance(operand, Symbol) else operand
    return int(value.op.value) if isinstance(value, Value) and isinstance(value.op, Const) else None


def divide_by_zero(kind: str, symbol: str) -> None:
    """Raises in the words of the Python that runs, for numbers of a kind of NumPy's dtypes."""
    zero = {"f": 0.0, "c": 0j}.get(kind, 0)
    {"/": operator.truediv, "//": operator.floordiv, "%": operator.mod, "divmod": divmod}[symbol](1, zero)


def check_divisor(x: TensorLike, y: TensorLike, symbol: str) -> None:
    """Raises ZeroDivisionError before ``x // y`` or ``x % y``, for integers without axes where `y` is 0.

    Parameters
    ----------
    x, y : Tensor
    symbol : {"//", "%"}
    """
    dividend, divisor = as_operand(x), as_operand(y)
    if kind_of(dividend) not in "biu" or kind_of(divisor) not in "biu":
        return
    specs = array_spec_of(dividend), array_spec_of(divisor)
    if all(spec.shape in {(), None} for spec in specs) and not is_nonzero(divisor):
        bind_all(CheckDivisor(symbol), dividend, divisor)


def check_number(x: TensorLike, y: TensorLike, symbol: str) -> None:
    """Raises ZeroDivisionError before Python divides a number of its own by another one, which is 0.

    Parameters
    ----------
    x, y : Tensor, or number
        Each stands for a number of Python's own.
    symbol : {"/", "//", "%", "divmod"}
    """
    dividend, divisor = as_operand(x), as_operand(y)
    if not is_nonzero(divisor):
        bind_all(CheckDivisor(symbol), dividend, divisor)


def is_nonzero(divisor: Any) -> bool:
    """Whether a number is known to be something else than zero."""
    if isinstance(divisor, (bool, int, float, complex)):
        return divisor != 0
    value = divisor.value if isinstance(divisor, Symbol) else divisor
    if isinstance(value, Value):
        return isinstance(value.op, Const) and bool(value.op.value)
    return bool(np.all(value.numpy()))
