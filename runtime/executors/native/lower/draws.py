"""Lowering of draws of random numbers, from generators of NumPy's and Python's that lie outside of the graph.

A draw is a call of a method of such a generator (`PyFunc`). One of a number, of a distribution in the table
below, is machine code; of what the method refuses, and of arrays, it is Python that draws.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from runtime.core.dataclass import dataclass
from runtime.core.dtypes import DType, bool_, float64, int64, uint64
from runtime.core.spec import ArraySpec
from runtime.core.text import Slot
from runtime.executors.native.language.loops import (
    Apply,
    Array,
    Cast,
    Draw,
    Expression,
    Load,
    Number,
    Variable,
    add,
)
from runtime.executors.native.lower.building import Beyond, Shared, Unsupported
from runtime.executors.native.lower.lowering import Lowering, lowers
from runtime.executors.native.lower.values import Lowered, Scalar
from runtime.executors.native.streams import DRAWS, Stream, is_there
from runtime.graph.graph import Node
from runtime.graph.op import Op
from runtime.ops.host import PyFunc

__all__ = ["is_draw"]

_NEEDED = object()
"""In the place of a default."""


@dataclass(frozen=True)
class _Method:
    """A method of a generator.

    Attributes
    ----------
    parameters : tuple of (str, object)
        The names of its parameters, in order, and their defaults.
    draw : callable
        Emits the draw, told its arguments.
    """

    parameters: tuple[tuple[str, Any], ...]
    draw: Callable[[_Drawing, Mapping[str, Any]], Expression]


@lowers(PyFunc)
def _drawn(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    op = node.op
    assert isinstance(op, PyFunc), "it lowers these"
    method = _method_of(op)
    if method is None:
        raise Unsupported("it calls a function of the program's")
    if lowering.shared.beyond is Beyond.NOBODY:
        raise Unsupported("it draws from a generator of this process")
    given = _bound(method, op)
    values = iter(node.inputs)
    arguments = {
        name: lowering.scalar(next(values)) if isinstance(each, Slot) else each
        for name, each in given.items()
    }
    found = method.draw(_Drawing(lowering, _stream(lowering.shared, op)), arguments)
    if node.specs != (ArraySpec((), found.dtype),):
        raise Unsupported("it gives a number of another dtype")
    return [Scalar(found)]


def is_draw(op: Op) -> bool:
    """Whether an op draws a number in a way that has machine code, as far as its method says."""
    return isinstance(op, PyFunc) and _method_of(op) is not None


def _method_of(op: PyFunc) -> _Method | None:
    """What is known of the method that is called; None where it is none of the table."""
    function = op.function.value
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    kind = type(owner)
    known = _METHODS.get(f"{kind.__module__}.{kind.__qualname__}", {}).get(name)
    return known if known is not None and _is_original(owner, name, function) else None


def _is_original(owner: Any, name: str, function: Any) -> bool:
    """Whether a method is that of the class: an object may have been given one of its own."""
    if not isinstance(owner, random.Random):
        return True  # they have no attributes
    return bool(function == getattr(type(owner), name).__get__(owner))


def _stream(shared: Shared, op: PyFunc) -> Array:
    """The stream of a generator, of which a program has one."""
    owner, streams = op.function.value.__self__, shared.program.streams
    for name, stream in streams.items():
        if stream.owner is owner:
            return Array(name, uint64)
    name = shared.fresh("stream")
    streams[name] = Stream(owner)
    return Array(name, uint64)


def _bound(method: _Method, op: PyFunc) -> dict[str, Any]:
    """The arguments by the names of parameters, in the order in which they are given, and defaults."""
    positional, named = op.arguments.structure.children
    children = [*positional.children, *named.children]
    names = [name for name, _ in method.parameters]
    if any(child.kind is not None for child in children) or len(positional.children) > len(names):
        raise Unsupported("it draws arrays")
    keys = [*names[: len(positional.children)], *map(str, named.keys or ())]
    given = dict(zip(keys, op.arguments.leaves, strict=True))
    if not given.keys() <= {*names}:
        raise Unsupported("it draws arrays")
    for name, default in method.parameters:
        if default is _NEEDED and name not in given:
            raise Unsupported("it is not given what it needs")
        given.setdefault(name, default)
    return given


# ── numbers ──


class _Drawing:
    """A draw in the making."""

    def __init__(self, lowering: Lowering, stream: Array) -> None:
        self._lowering = lowering
        self._stream = stream

    def drawn(self, function: str, *arguments: Expression) -> Variable:
        """The next number that is drawn in some way."""
        if not is_there(function):
            raise Unsupported("generators lie in memory in another way than is known")
        lowering, draws = self._lowering, DRAWS[function]
        found = lowering.variable(draws.gives, "drawn")
        given = tuple([lowering.name(each) for each in arguments])
        lowering.emit(Draw(found, function, self._stream, given))
        return found

    def require(self, holds: Expression) -> None:
        """Says what arguments have to be; of others, the method says what is wrong."""
        self._lowering.assume(holds, "the generator refuses the arguments of a draw")

    def named(self, value: Expression) -> Expression:
        """A number under a name."""
        return self._lowering.name(value)


def _float(value: Any) -> Expression:
    """A parameter of a distribution, which takes any real number."""
    if isinstance(value, int | float | np.integer | np.floating):
        return Number(float(value), float64)
    if isinstance(value, Variable | Number | Apply | Cast | Load):
        dtype: DType = value.dtype
        if not dtype.is_complex:
            return value if dtype is float64 else Cast(value, float64)
    raise Unsupported("a parameter of the distribution is no number")


def _whole(value: Any) -> Expression:
    """A limit of whole numbers."""
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        if -(2**63) <= int(value) < 2**63:
            return Number(int(value), int64)
    elif isinstance(value, Variable | Number | Apply | Cast | Load):
        if value.dtype is int64:
            return value
        if value.dtype.is_integer and value.dtype is not uint64:
            return Cast(value, int64)
    raise Unsupported("a limit of the numbers to draw is no integer")


def _test(function: str, *operands: Expression) -> Expression:
    """A test, which is known where its operands are."""
    if all(isinstance(each, Number) for each in operands):
        values = [np.asarray(each.value, each.dtype.numpy) for each in operands]  # type: ignore[union-attr]  # as asked
        with np.errstate(all="ignore"):
            return Number(bool(getattr(np, function)(*values)), bool_)
    return Apply(function, tuple(operands), bool_)


def _not_negative(drawing: _Drawing, value: Expression) -> None:
    drawing.require(_test("logical_not", _test("signbit", value)))


def _positive(drawing: _Drawing, value: Expression) -> None:
    drawing.require(_test("greater", value, Number(0.0, float64)))


def _any(drawing: _Drawing, value: Expression) -> None:
    del drawing, value


def _part(drawing: _Drawing, value: Expression) -> None:
    _positive(drawing, value)
    drawing.require(_test("less_equal", value, Number(1.0, float64)))


def _mean(drawing: _Drawing, value: Expression) -> None:
    drawing.require(_test("greater_equal", value, Number(0.0, float64)))
    drawing.require(_test("less_equal", value, Number(1e18, float64)))


_Rule: TypeAlias = Callable[[_Drawing, Expression], None]


def _distribution(function: str, *parameters: tuple[str, Any, _Rule]) -> _Method:
    """A distribution, with a default and a rule for each parameter."""

    def draw(drawing: _Drawing, given: Mapping[str, Any]) -> Expression:
        values = [drawing.named(_float(given[name])) for name, _, _ in parameters]
        for value, (_, _, rule) in zip(values, parameters, strict=True):
            rule(drawing, value)
        return drawing.drawn(function, *values)

    return _Method(tuple([(name, default) for name, default, _ in parameters]), draw)


def _uniform(drawing: _Drawing, given: Mapping[str, Any]) -> Expression:
    """A float from one limit up to another, as NumPy draws it."""
    low = drawing.named(_float(given["low"]))
    span = drawing.named(_difference(_float(given["high"]), low))
    drawing.require(_test("isfinite", span))
    drawing.require(_test("logical_not", _test("signbit", span)))
    return drawing.drawn("uniform", low, span)


def _difference(one: Expression, other: Expression) -> Expression:
    if isinstance(one, Number) and isinstance(other, Number):
        with np.errstate(all="ignore"):
            return Number(float(np.float64(one.value) - np.float64(other.value)), float64)
    return Apply("subtract", (one, other), float64)


def _integers(way: str, drawing: _Drawing, given: Mapping[str, Any]) -> Expression:
    """Whole numbers, as NumPy draws them."""
    has_end = given.get("endpoint", False)
    if not isinstance(has_end, bool):
        raise Unsupported("whether the end is among the numbers is not known")
    limits = (0, given["low"]) if given["high"] is None else (given["low"], given["high"])
    first, last = [drawing.named(_whole(each)) for each in limits]
    drawing.require(_test("less_equal" if has_end else "less", first, last))
    most = Apply("subtract", (_unsigned(last), _unsigned(first)), uint64)
    if not has_end:
        most = Apply("subtract", (most, Number(1, uint64)), uint64)
    return drawing.drawn(way, first, most)


def _unsigned(value: Expression) -> Expression:
    if isinstance(value, Number):
        return Number(int(value.value) % 2**64, uint64)
    return Cast(value, uint64)


# ── numbers of Python's ──


def _uniform_of_python(drawing: _Drawing, given: Mapping[str, Any]) -> Expression:
    """`a + (b - a) * random()`, of floats; known integers are subtracted before they are floats."""
    first, last = given["a"], given["b"]
    if isinstance(first, int | float) and isinstance(last, int | float):
        low, span = _float(first), _float(last - first)
    else:
        low, high = [drawing.named(_of_python(drawing, each)) for each in (first, last)]
        span = _difference(high, low)
    found = Apply("multiply", (span, drawing.drawn("twister_double")), float64)
    return drawing.named(Apply("add", (low, found), float64))


_WHOLE_FLOATS = 2**53
"""Up to here, an integer is a float."""


def _of_python(drawing: _Drawing, value: Any) -> Expression:
    """A limit: a float, or an integer that is one."""
    is_known = isinstance(value, int | float)
    if is_known or value.dtype is float64:
        if is_known and abs(value) > _WHOLE_FLOATS:
            raise Unsupported("a limit is a large number")
        return _float(value)
    whole = drawing.named(_whole(value))
    drawing.require(_test("less_equal", whole, Number(_WHOLE_FLOATS, int64)))
    drawing.require(_test("greater_equal", whole, Number(-_WHOLE_FLOATS, int64)))
    return Cast(whole, float64)


def _below(drawing: _Drawing, first: Expression, last: Expression) -> Expression:
    """A whole number from the first one on, below the last one."""
    first, last = drawing.named(first), drawing.named(last)
    drawing.require(_test("less", first, last))
    width = drawing.named(Apply("subtract", (_unsigned(last), _unsigned(first)), uint64))
    drawing.require(_test("less_equal", width, Number(2**63 - 1, uint64)))
    return drawing.named(add(first, drawing.drawn("twister_below", width)))


def _randrange(drawing: _Drawing, given: Mapping[str, Any]) -> Expression:
    if given["step"] != 1:
        raise Unsupported("it draws in steps")
    first, last = (0, given["start"]) if given["stop"] is None else (given["start"], given["stop"])
    return _below(drawing, _whole(first), _whole(last))


def _randint(drawing: _Drawing, given: Mapping[str, Any]) -> Expression:
    last = _whole(given["b"])
    if isinstance(last, Number):
        return _below(drawing, _whole(given["a"]), _whole(int(last.value) + 1))
    last = drawing.named(last)
    drawing.require(_test("less", last, Number(2**63 - 1, int64)))
    return _below(drawing, _whole(given["a"]), add(last, 1))


def _getrandbits(drawing: _Drawing, given: Mapping[str, Any]) -> Expression:
    count = given["k"]
    if not isinstance(count, int) or not 0 < count < 64:  # the bits of an int64, but its sign
        raise Unsupported("the bits that it draws are no int64")
    return drawing.drawn("twister_bits", Number(count, int64))


def _simple(way: str) -> _Method:
    return _Method((), lambda drawing, _: drawing.drawn(way))


_LOCATED = (("loc", 0.0, _any), ("scale", 1.0, _not_negative))

_METHODS: Mapping[str, Mapping[str, _Method]] = {
    "numpy.random._generator.Generator": {
        "random": _simple("double"),
        "uniform": _Method((("low", 0.0), ("high", 1.0)), _uniform),
        "integers": _Method(
            (("low", _NEEDED), ("high", None), ("endpoint", False)),
            partial(_integers, "bounded"),
        ),
        **{name: _distribution(name, *_LOCATED) for name in ("normal", "laplace", "logistic", "gumbel")},
        **{
            name: _distribution(name)
            for name in ("standard_normal", "standard_exponential", "standard_cauchy")
        },
        **{name: _distribution(name, ("scale", 1.0, _not_negative)) for name in ("exponential", "rayleigh")},
        "lognormal": _distribution("lognormal", ("mean", 0.0, _any), ("sigma", 1.0, _not_negative)),
        "standard_gamma": _distribution("standard_gamma", ("shape", _NEEDED, _not_negative)),
        "gamma": _distribution("gamma", ("shape", _NEEDED, _not_negative), ("scale", 1.0, _not_negative)),
        "beta": _distribution("beta", ("a", _NEEDED, _positive), ("b", _NEEDED, _positive)),
        "chisquare": _distribution("chisquare", ("df", _NEEDED, _positive)),
        "standard_t": _distribution("standard_t", ("df", _NEEDED, _positive)),
        "f": _distribution("f", ("dfnum", _NEEDED, _positive), ("dfden", _NEEDED, _positive)),
        "weibull": _distribution("weibull", ("a", _NEEDED, _not_negative)),
        "pareto": _distribution("pareto", ("a", _NEEDED, _positive)),
        "power": _distribution("power", ("a", _NEEDED, _positive)),
        "vonmises": _distribution("vonmises", ("mu", _NEEDED, _any), ("kappa", _NEEDED, _not_negative)),
        "wald": _distribution("wald", ("mean", _NEEDED, _positive), ("scale", _NEEDED, _positive)),
        "poisson": _distribution("poisson", ("lam", 1.0, _mean)),
        "geometric": _distribution("geometric", ("p", _NEEDED, _part)),
    },
    "numpy.random.mtrand.RandomState": {
        **{name: _simple("double") for name in ("random", "random_sample", "rand")},
        "uniform": _Method((("low", 0.0), ("high", 1.0)), _uniform),
        "randint": _Method((("low", _NEEDED), ("high", None)), partial(_integers, "masked")),
    },
    "random.Random": {
        "random": _simple("twister_double"),
        "uniform": _Method((("a", _NEEDED), ("b", _NEEDED)), _uniform_of_python),
        "randint": _Method((("a", _NEEDED), ("b", _NEEDED)), _randint),
        "randrange": _Method((("start", _NEEDED), ("stop", None), ("step", 1)), _randrange),
        "getrandbits": _Method((("k", _NEEDED),), _getrandbits),
    },
}
"""The methods that draw one number, by the classes of generators."""
