"""Functions of floats as straight lines of LLVM's code, written as one writes them in Python.

A function takes numbers and gives one, without a branch: LLVM makes a loop over it into a loop over vectors.
Every step is rounded as IEEE says, and `fused` once, so that the bits are the same on every processor.

    >>> def doubled(f, x):
    ...     return where(x < 0.0, x, x + x)
    >>> print(written("doubled", doubled, DOUBLE))
    define internal double @doubled(double %x0) alwaysinline nounwind willreturn memory(none) {
      %1 = fcmp olt double %x0, 0x0000000000000000
      %2 = fadd double %x0, %x0
      %3 = select i1 %1, double %x0, double %2
      ret double %3
    }
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import TypeAlias

from autograph_base.dataclass import dataclass
from runtime.executors.native.mathematics.coefficients import COEFFICIENTS, CONSTANTS

__all__ = [
    "DOUBLE",
    "SINGLE",
    "Format",
    "Value",
    "bits",
    "constants",
    "fused",
    "magnitude",
    "number",
    "polynomial",
    "root",
    "signed_as",
    "truncated",
    "where",
    "written",
]


@dataclass(frozen=True)
class Format:
    """A format of floats.

    Attributes
    ----------
    name : str
        Of its polynomials, and as LLVM's functions are called.
    kind, whole : str
        LLVM's type of a float, and of as many bits.
    digits : int
        Bits after the point of the mantissa.
    bias : int
        What is added to exponents.
    """

    name: str
    kind: str
    whole: str
    digits: int
    bias: int

    @property
    def tiny(self) -> float:
        """The least number that has all its digits."""
        return math.ldexp(1.0, 1 - self.bias)

    @property
    def largest(self) -> float:
        """The greatest number that is finite."""
        return math.ldexp(2.0 - math.ldexp(1.0, -self.digits), self.bias)

    @property
    def shift(self) -> float:
        """What is so large that a number that is added to it becomes a whole one, in the last bits."""
        return math.ldexp(1.5, self.digits)

    def bits(self, value: float) -> int:
        """The bits of a float, as a whole number."""
        wide, narrow = ("<d", "<q") if self.kind == "double" else ("<f", "<i")
        whole: int = struct.unpack(narrow, struct.pack(wide, value))[0]
        return whole


SINGLE = Format("f32", "float", "i32", 23, 127)
DOUBLE = Format("f64", "double", "i64", 52, 1023)


class _Lines:
    """The lines of a function in the making."""

    def __init__(self, width: int = 0) -> None:
        self.lines: list[str] = []
        self._width = width

    def wide(self, kind: str) -> str:
        """A type, or that of a vector of so many."""
        return f"<{self._width} x {kind}>" if self._width else kind

    def suffix(self, kind: str) -> str:
        """What LLVM's own functions of a type have behind their names."""
        of = {"float": "f32", "double": "f64"}[kind]
        return f"v{self._width}{of}" if self._width else of

    def literal(self, value: float, kind: str) -> str:
        """A number that is known."""
        text = _literal(value, kind)
        return f"splat ({kind} {text})" if self._width else text

    def value(self, text: str, kind: str) -> Value:
        name = f"%{len(self.lines) + 1}"
        self.lines.append(f"  {name} = {text}")
        return Value(name, kind, self)


@dataclass(frozen=True, eq=False)
class Value:
    """A number in the making: a float, a whole number or a truth, with its type as LLVM calls it."""

    text: str
    kind: str
    lines: _Lines

    @property
    def wide(self) -> str:
        """Its type, or that of a vector of these."""
        return self.lines.wide(self.kind)

    def _other(self, other: Number) -> str:
        return other.text if isinstance(other, Value) else self.lines.literal(other, self.kind)

    def _with(self, word: str, other: Number) -> Value:
        return self.lines.value(f"{word} {self.wide} {self.text}, {self._other(other)}", self.kind)

    def _holds(self, floats: str, wholes: str, other: Number) -> Value:
        word = f"fcmp {floats}" if self.is_float else f"icmp {wholes}"
        return self.lines.value(f"{word} {self.wide} {self.text}, {self._other(other)}", "i1")

    @property
    def is_float(self) -> bool:
        """Whether it is a float."""
        return not self.kind.startswith("i")

    def __add__(self, other: Number) -> Value:
        return self._with("fadd" if self.is_float else "add", other)

    def __sub__(self, other: Number) -> Value:
        return self._with("fsub" if self.is_float else "sub", other)

    def __mul__(self, other: Number) -> Value:
        return self._with("fmul" if self.is_float else "mul", other)

    def __truediv__(self, other: Number) -> Value:
        return self._with("fdiv", other)

    def __neg__(self) -> Value:
        return self.lines.value(f"fneg {self.wide} {self.text}", self.kind)

    def __rsub__(self, other: float) -> Value:
        word = "fsub" if self.is_float else "sub"
        return self.lines.value(f"{word} {self.wide} {self._other(other)}, {self.text}", self.kind)

    def __rtruediv__(self, other: float) -> Value:
        return self.lines.value(f"fdiv {self.wide} {self._other(other)}, {self.text}", self.kind)

    __radd__, __rmul__ = __add__, __mul__

    def __and__(self, other: Number) -> Value:
        return self._with("and", other)

    def __or__(self, other: Number) -> Value:
        return self._with("or", other)

    def __xor__(self, other: Number) -> Value:
        return self._with("xor", other)

    def __invert__(self) -> Value:
        return self._with("xor", True if self.kind == "i1" else -1)

    def __lshift__(self, count: int) -> Value:
        return self._with("shl", count)

    def __rshift__(self, count: int) -> Value:
        """The bits moved down; zeros come in."""
        return self._with("lshr", count)

    def __lt__(self, other: Number) -> Value:
        return self._holds("olt", "slt", other)

    def __le__(self, other: Number) -> Value:
        return self._holds("ole", "sle", other)

    def __gt__(self, other: Number) -> Value:
        return self._holds("ogt", "sgt", other)

    def __ge__(self, other: Number) -> Value:
        return self._holds("oge", "sge", other)

    def exceeds(self, other: Number) -> Value:
        """Whether a whole number is greater, both counted from 0 on."""
        return self._holds("", "ugt", other)

    def same(self, other: Number) -> Value:
        """Whether it is equal."""
        return self._holds("oeq", "eq", other)

    def differs(self, other: Number) -> Value:
        """Whether it is not equal, or no number."""
        return self._holds("une", "ne", other)

    def is_nan(self) -> Value:
        """Whether it is no number."""
        return self._holds("uno", "", self)

    def to(self, kind: str) -> Value:
        """A number as one of another type, which is near it."""
        if kind == self.kind:
            return self
        if self.is_float and kind.startswith("i"):
            word = "fptosi"
        elif self.is_float:
            word = "fpext" if kind == "double" else "fptrunc"
        elif kind.startswith("i"):
            word = "trunc" if int(kind[1:]) < int(self.kind[1:]) else "sext"
        else:
            word = "sitofp"
        return self.lines.value(f"{word} {self.wide} {self.text} to {self.lines.wide(kind)}", kind)

    def as_float(self) -> Value:
        """The float of these bits."""
        kind = {"i32": "float", "i64": "double"}[self.kind]
        return self.lines.value(f"bitcast {self.wide} {self.text} to {self.lines.wide(kind)}", kind)


Number: TypeAlias = "Value | float"
Function: TypeAlias = Callable[..., Value]
"""Takes a format, and values; gives one."""


def number(like: Value, value: float) -> Value:
    """A number that is known, of the type of another."""
    return Value(like.lines.literal(value, like.kind), like.kind, like.lines)


def bits(x: Value) -> Value:
    """The bits of a float, as a whole number."""
    whole = {"float": "i32", "double": "i64"}[x.kind]
    return x.lines.value(f"bitcast {x.wide} {x.text} to {x.lines.wide(whole)}", whole)


def where(test: Value, one: Value, other: Number) -> Value:
    """One number or another."""
    given = f"{one.wide} {one.text}, {one.wide} {one._other(other)}"  # noqa: SLF001  # of this file
    text = f"select {test.wide} {test.text}, {given}"
    return one.lines.value(text, one.kind)


def fused(x: Value, y: Number, z: Number) -> Value:
    """``x * y + z``, rounded once."""
    return _intrinsic("fma", x, y, z)


def magnitude(x: Value) -> Value:
    """A float without its sign."""
    return _intrinsic("fabs", x)


def signed_as(x: Value, sign: Value) -> Value:
    """A float with the sign of another."""
    return _intrinsic("copysign", x, sign)


def root(x: Value) -> Value:
    """The square root."""
    return _intrinsic("sqrt", x)


def truncated(x: Value) -> Value:
    """The whole number towards 0."""
    return _intrinsic("trunc", x)


def polynomial(name: str, x: Value) -> Value:
    """A polynomial of the table, in the format of `x`."""
    suffix = {"float": "f32", "double": "f64"}[x.kind]
    *rest, total = [
        number(x, each) for each in COEFFICIENTS.get(name, ()) or COEFFICIENTS[f"{name}.{suffix}"]
    ]
    for coefficient in reversed(rest):
        total = fused(total, x, coefficient)
    return total


def constants(name: str, like: Value) -> list[Value]:
    """The parts of a constant of the table, in the format of a number."""
    suffix = {"float": "f32", "double": "f64"}[like.kind]
    return [number(like, each) for each in CONSTANTS[f"{name}.{suffix}"]]


def _intrinsic(name: str, x: Value, *others: Number) -> Value:
    given = ", ".join(f"{x.wide} {each}" for each in [x.text, *map(x._other, others)])  # noqa: SLF001  # of this file
    return x.lines.value(f"call {x.wide} @llvm.{name}.{x.lines.suffix(x.kind)}({given})", x.kind)


def _literal(value: float, kind: str) -> str:
    if kind == "i1":
        return "true" if value else "false"
    if kind.startswith("i"):
        return str(int(value))
    (rounded,) = struct.unpack("<f", struct.pack("<f", value)) if kind == "float" else (float(value),)
    return f"0x{struct.unpack('<Q', struct.pack('<d', rounded))[0]:016X}"


_FEW = 8
"""Lines up to which a function of vectors is put where it is called, as all functions of numbers are."""


def written(name: str, function: Function, form: Format, arity: int = 1, width: int = 0) -> str:
    """The text of a function under a name; with a width, of vectors."""
    lines = _Lines(width)
    given = [Value(f"%x{index}", form.kind, lines) for index in range(arity)]
    result = function(form, *given)
    parameters = ", ".join(f"{each.wide} {each.text}" for each in given)
    is_long = width > 0 and len(lines.lines) > _FEW
    attributes = f"{'noinline' if is_long else 'alwaysinline'} nounwind willreturn memory(none)"
    head = f"define internal {result.wide} @{name}({parameters}) {attributes} {{"
    return "\n".join([head, *lines.lines, f"  ret {result.wide} {result.text}", "}"])
