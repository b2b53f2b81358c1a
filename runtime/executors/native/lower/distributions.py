"""The methods of generators of NumPy's and Python's that draw by machine code, and how they do.

Each says what it asks of its arguments, as the method does; of others, the method itself is called, and says
what is wrong. They are those of NumPy's `Generator` and `RandomState`, and of Python's `random.Random`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import bool_, float64, int64, uint64
from runtime.executors.native.beyond import Unsupported
from runtime.executors.native.language.loops import Apply, Cast, Expression, Number, Set, add
from runtime.executors.native.lower.lowering import Lowering
from runtime.executors.native.lower.values import InMemory
from runtime.graph.graph import Node, Value

__all__ = ["METHODS", "NEEDED", "Arguments", "Method", "Way", "at_least", "place_by", "span_of", "test_of"]

NEEDED = object()
"""In the place of a default."""
_OFF = 1.4e-8
"""How far a sum of probabilities may be from 1: of what is farther, NumPy says whether it is too far."""


def _itself(drawn: Expression) -> Expression:
    return drawn


@dataclass(frozen=True)
class Way:
    """How a number is drawn.

    Attributes
    ----------
    function : str
        Of the table of draws.
    arguments : tuple of Expression
    found : callable
        What the method gives, of what is drawn.
    is_of_gauss : bool
        Whether it draws from what a generator keeps of normal numbers, too.
    is_sample : bool
        Whether it draws several of so many things as the argument says, and none twice.
    is_shuffled : bool
        Whether a sample is shuffled.
    """

    function: str
    arguments: tuple[Expression, ...] = ()
    found: Callable[[Expression], Expression] = _itself
    is_of_gauss: bool = False
    is_sample: bool = False
    is_shuffled: bool = False


@dataclass(frozen=True)
class Method:
    """A method of a generator.

    Attributes
    ----------
    parameters : tuple of (str, object)
        The names of its parameters, in order, and their defaults. `size` is the shape of what is drawn; with
        ``*size`` as the only one, all arguments are.
    way : callable
        How it draws, told its arguments.
    gives : bool
        Whether it gives something.
    is_order : bool
        Whether it gives an order, of as many things as the argument of its way says; from the last one on,
        each changes places with one that is drawn from what `found` makes of its number.
    """

    parameters: tuple[tuple[str, Any], ...]
    way: Callable[[Arguments], Way]
    gives: bool = True
    is_order: bool = False


class Arguments:
    """The arguments of a draw by name: values of Python's, and of the graph.

    Parameters
    ----------
    lowering : Lowering
    given : dict of str to object
    numbers : set of Value
        Those that are numbers of Python's own.
    node : Node
    raises : bool
        Whether it raises itself what the method would: of a generator that the program has made.
    """

    def __init__(
        self,
        lowering: Lowering,
        given: Mapping[str, Any],
        numbers: Collection[Value],
        node: Node,
        *,
        raises: bool,
    ) -> None:
        self._lowering = lowering
        self._given = given
        self._numbers = numbers
        self._node = node
        self._raises = raises

    def __getitem__(self, name: str) -> Any:
        return self._given[name]

    def require(self, otherwise: str, *holds: Expression) -> None:
        """Says what arguments have to be, and what NumPy and Python say of others."""
        for each in holds:
            if self._raises and self._lowering.shared.calls_python:
                self._lowering.fail_unless(each, self._node, "ValueError", otherwise)
            else:
                self._lowering.assume(each, otherwise)

    def require_pythons_own(self, name: str) -> None:
        """Refuses a number of NumPy's."""
        value = self._given[name]
        if not (value in self._numbers if isinstance(value, Value) else type(value) is int):
            raise Unsupported("it takes an integer of Python's own")

    def float(self, name: str) -> Expression:
        """A parameter of a distribution, which takes any real number."""
        value = self._number(self._given[name])
        if isinstance(value, Number):
            return Number(float(value.value), float64)
        if value.dtype.is_complex:
            raise Unsupported("a parameter of the distribution is complex")
        return value if value.dtype is float64 else Cast(value, float64)

    def whole(self, name: str) -> Expression:
        """A limit of whole numbers."""
        return self.as_whole(self._given[name])

    def as_whole(self, value: Any) -> Expression:
        """A whole number of Python's or of the graph."""
        number = self._number(value)
        if number.dtype is int64:
            return number
        if number.dtype.is_integer and number.dtype is not uint64:
            return Cast(number, int64)
        raise Unsupported("a limit of the numbers to draw is no integer")

    def _number(self, value: Any) -> Expression:
        if isinstance(value, Value):
            return self._lowering.scalar(value)
        if isinstance(value, float | np.floating):
            return Number(float(value), float64)
        is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if is_whole and -(2**63) <= int(value) < 2**63:
            return Number(int(value), int64)
        raise Unsupported("an argument of the draw is no number")

    def known(self, name: str) -> np.ndarray | None:
        """An argument as an array of numbers that are known before the run; None where it is not."""
        value, lowering = self._given[name], self._lowering
        if isinstance(value, Value):
            lowered = lowering.values[value]
            constants = lowering.shared.program.constants
            value = constants.get(lowered.array.name) if isinstance(lowered, InMemory) else None
        parts = value if isinstance(value, tuple) else (value,)
        is_known = all(isinstance(each, int | float | np.generic | np.ndarray) for each in parts)
        found = np.asarray(value) if is_known else None
        return found if found is not None and found.dtype.kind in "if" else None

    def element(
        self, name: str, place: Callable[[Expression], Expression]
    ) -> Callable[[Expression], Expression]:
        """What reads an element of an array with one axis, where `place` says that it is."""
        value, lowering = self._given[name], self._lowering
        known = self.known(name)
        if known is not None:
            found: Any = lowering.constant(known)
        elif isinstance(value, Value):
            found = lowering.in_memory(value)
        else:
            found = None
        if not isinstance(found, InMemory) or len(found.dims) != 1:
            raise Unsupported("it draws of something else than an array with one axis")
        return lambda drawn: found.at([place(drawn)])

    def length(self, name: str) -> Expression:
        """How many elements an argument has."""
        value = self._given[name]
        if isinstance(value, Value):
            return self._lowering.dims(value)[0]
        if isinstance(value, tuple) or (isinstance(value, np.ndarray) and value.ndim == 1):
            return Number(len(value), int64)
        raise Unsupported("it draws of something else than an array with one axis")

    def require_length(self, name: str, wanted: Expression) -> None:
        """Says how many elements an argument has to have."""
        self.require("a and p must have same size", test_of("equal", self.length(name), wanted))

    def place_by(self, name: str, told: tuple[str, str]) -> Callable[[Expression], Expression]:
        """Which of the probabilities that an argument has a float from 0 to 1 stands for.

        The sums of them are computed for each draw, as NumPy does. What is said of others is `told`.
        """
        value, lowering, node = self._given[name], self._lowering, self._node
        if not isinstance(value, Value) or value.dtype is not float64 or len(lowering.dims(value)) != 1:
            raise Unsupported("its probabilities are no floats of an array with one axis")
        parts = lowering.in_memory(value)
        total, is_part = lowering.variable(float64, "total"), lowering.variable(bool_, "is_part")
        lowering.emit(Set(total, Number(0.0, float64)))
        lowering.emit(Set(is_part, Number(True, bool_)))
        with lowering.loop(parts.dims[0]) as at:
            part = parts.at([at])
            lowering.emit(Set(total, Apply("add", (total, part), float64)))
            is_positive = Apply("greater_equal", (part, Number(0.0, float64)), bool_)
            lowering.emit(Set(is_part, Apply("logical_and", (is_part, is_positive), bool_)))
        off = Apply("absolute", (Apply("subtract", (total, Number(1.0, float64)), float64),), float64)
        is_one = Apply("less", (off, Number(_OFF, float64)), bool_)
        not_positive, not_one = told
        lowering.fail_unless(is_part, node, "ValueError", not_positive)
        lowering.fail_unless(is_one, node, "ValueError", not_one)

        def place(drawn: Expression) -> Expression:
            drawn = lowering.name(drawn)
            found, total_now = lowering.variable(int64, "place"), lowering.variable(float64, "sum")
            lowering.emit(Set(found, Number(0, int64)))
            lowering.emit(Set(total_now, Number(0.0, float64)))
            with lowering.loop(parts.dims[0]) as at:
                lowering.emit(Set(total_now, Apply("add", (total_now, parts.at([at])), float64)))
                share = Apply("divide", (total_now, total), float64)
                is_below = Apply("less_equal", (share, drawn), bool_)
                lowering.emit(Set(found, Apply("add", (found, Cast(is_below, int64)), int64)))
            return found

        return place


# ── what is asked of arguments ──


def test_of(function: str, *operands: Expression) -> Expression:
    """A test, which is known where its operands are."""
    known = [each for each in operands if isinstance(each, Number)]
    if len(known) < len(operands):
        return Apply(function, operands, bool_)
    with np.errstate(all="ignore"):
        return Number(
            bool(getattr(np, function)(*[each.dtype.numpy.type(each.value) for each in known])), bool_
        )


def at_least(value: Expression, least: int) -> Expression:
    """Whether a whole number is not below another."""
    return test_of("greater_equal", value, Number(least, int64))


def _anything(given: Arguments, name: str, value: Expression) -> None:
    del given, name, value


def _not_negative(given: Arguments, name: str, value: Expression) -> None:
    given.require(f"{name} < 0", test_of("logical_not", test_of("signbit", value)))


def _positive(given: Arguments, name: str, value: Expression) -> None:
    given.require(f"{name} <= 0", test_of("greater", value, Number(0.0, float64)))


def _part(given: Arguments, name: str, value: Expression) -> None:
    _up_to(given, f"{name} <= 0, {name} > 1 or {name} contains NaNs", value, 1.0, "greater")


def _part_or_none(given: Arguments, name: str, value: Expression) -> None:
    _up_to(given, f"{name} < 0, {name} > 1 or {name} is NaN", value, 1.0)


def _mean(given: Arguments, name: str, value: Expression) -> None:
    """That of a Poisson distribution; NumPy takes some larger ones, too."""
    _up_to(given, f"{name} < 0 or {name} is NaN, or its value is too large", value, 1e18)


def _up_to(
    given: Arguments, otherwise: str, value: Expression, most: float, least: str = "greater_equal"
) -> None:
    holds = [test_of(least, value, Number(0.0, float64)), test_of("less_equal", value, Number(most, float64))]
    given.require(otherwise, *holds)


_Rule: TypeAlias = Callable[[Arguments, str, Expression], None]


def _distribution(function: str, *parameters: tuple[str, Any, _Rule], is_of_gauss: bool = False) -> Method:
    """A distribution, with a default and a rule for each parameter."""

    def way(given: Arguments) -> Way:
        values = [given.float(name) for name, _, _ in parameters]
        for value, (name, _, rule) in zip(values, parameters, strict=True):
            rule(given, name, value)
        return Way(function, tuple(values), is_of_gauss=is_of_gauss)

    return Method((*[(name, default) for name, default, _ in parameters], _SIZE), way)


_SIZE = ("size", None)


def _simple(function: str, *parameters: tuple[str, Any]) -> Method:
    return Method(parameters, lambda _: Way(function))


# ── NumPy's ──


def _uniform(given: Arguments) -> Way:
    """A float from one limit up to another."""
    low, high = given.float("low"), given.float("high")
    span = _difference(high, low)
    given.require("high - low range exceeds valid bounds", test_of("isfinite", span))
    _not_negative(given, "high - low", span)
    return Way("uniform", (low, span))


def _difference(one: Expression, other: Expression) -> Expression:
    if isinstance(one, Number) and isinstance(other, Number):
        with np.errstate(all="ignore"):
            return Number(float(np.float64(one.value) - np.float64(other.value)), float64)
    return Apply("subtract", (one, other), float64)


def _integers(function: str, given: Arguments, *, has_end: Any = False) -> Way:
    """Whole numbers from one limit up to another."""
    if not isinstance(has_end, bool):
        raise Unsupported("whether the end is among the numbers is not known")
    if given["high"] is None:
        first, last = _ZERO, given.whole("low")
    else:
        first, last = given.whole("low"), given.whole("high")
    given.require(
        "low > high" if has_end else "low >= high", test_of("less_equal" if has_end else "less", first, last)
    )
    most = span_of(first, last)
    return Way(function, (first, most if has_end else Apply("subtract", (most, _ONE), uint64)))


_ZERO: Expression = Number(0, int64)
_ONE: Expression = Number(1, uint64)


def span_of(first: Expression, last: Expression) -> Expression:
    """How far one whole number is from another."""
    if isinstance(first, Number) and isinstance(last, Number):
        return Number(int(last.value) - int(first.value), uint64)
    return Apply("subtract", (_unsigned(last), _unsigned(first)), uint64)


def _unsigned(value: Expression) -> Expression:
    if isinstance(value, Number):
        return Number(int(value.value) % 2**64, uint64)
    return Cast(value, uint64)


def _binomial(given: Arguments) -> Way:
    count, part = given.whole("n"), given.float("p")
    given.require("n < 0", at_least(count, 0))
    _part_or_none(given, "p", part)
    return Way("binomial", (part, count))


_TOLD_OF_PARTS = {
    "bounded": (
        "Probabilities are not non-negative",
        "Probabilities do not sum to 1. See Notes section of docstring for more information.",
    ),
    "masked": ("probabilities are not non-negative", "probabilities do not sum to 1"),
}
_MOST_CHOICES = 64
"""Of more choices with probabilities, NumPy looks for the one that is drawn."""


def _choice(function: str, given: Arguments) -> Way:
    """One of some things, or of the numbers below one."""
    items = given["a"]
    is_number = isinstance(items, int) or (isinstance(items, Value) and items.shape == ())
    if given["axis"] != 0:
        raise Unsupported("it draws along another axis")
    is_sample = given["replace"] is not True
    if given["p"] is not None and not is_sample:
        return _weighted(given, _TOLD_OF_PARTS[function], is_number=is_number)
    count = given.whole("a") if is_number else given.length("a")
    given.require(_TOLD_OF_NOTHING[function if is_number else "items"], at_least(count, 1))
    found = _itself if is_number else given.element("a", _itself)
    if is_sample:
        return _sample(function, given, count, found)
    return Way(function, (_ZERO, Apply("subtract", (span_of(_ZERO, count), _ONE), uint64)), found)


_TOLD_OF_NOTHING = {
    "bounded": "a must be a positive integer unless no samples are taken",
    "masked": "a must be greater than 0 unless no samples are taken",
    "items": "a cannot be empty unless no samples are taken",
}
_SHUFFLED_WHOLE = 10_000
"""Of more things than that, NumPy shuffles all to draw more than some."""


def _sample(
    function: str, given: Arguments, count: Expression, found: Callable[[Expression], Expression]
) -> Way:
    """Several of some things, none of them twice."""
    if given["replace"] is not False or given["p"] is not None:
        raise Unsupported("it draws without putting back, with probabilities")
    if function == "masked":
        return Way("interval", (count,), found, is_sample=True, is_shuffled=True)
    if not isinstance(given["shuffle"], bool):
        raise Unsupported("whether what it draws is shuffled is not known")
    most = Number(_SHUFFLED_WHOLE, int64)
    given.require("it draws of too many things for machine code", test_of("less_equal", count, most))
    return Way(function, (count,), found, is_sample=True, is_shuffled=given["shuffle"])


def _weighted(given: Arguments, told: tuple[str, str], *, is_number: bool) -> Way:
    """As NumPy has it: how many of the sums of probabilities are not above a float from 0 to 1."""
    parts = given.known("p")
    place = given.place_by("p", told) if parts is None else place_by(parts)
    if is_number:
        given.require_length("p", given.whole("a"))
        return Way("double", (), place)
    given.require_length("p", given.length("a"))
    return Way("double", (), given.element("a", place))


def place_by(parts: np.ndarray) -> Callable[[Expression], Expression]:
    """Which of some probabilities a float from 0 to 1 stands for."""
    if parts.ndim != 1 or len(parts) > _MOST_CHOICES:
        raise Unsupported("it draws with many probabilities")
    sums = parts.astype(np.float64).cumsum()
    sums /= sums[-1]

    def place(drawn: Expression) -> Expression:
        below = [Apply("less_equal", (Number(float(each), float64), drawn), bool_) for each in sums]
        return add(*[Cast(each, int64) for each in below])

    return place


# ── Python's ──


def _uniform_of_python(given: Arguments) -> Way:
    """`a + (b - a) * random()`: integers are subtracted before they are floats."""
    first, last = given["a"], given["b"]
    if isinstance(first, int | float) and isinstance(last, int | float):
        low, high = given.float("a"), given.float("b")
        span: Expression = Number(float(last - first), float64)
    else:
        low, high = _of_python(given, "a"), _of_python(given, "b")
        span = _difference(high, low)
    return Way(
        "twister_double",
        (),
        lambda drawn: Apply("add", (low, Apply("multiply", (span, drawn), float64)), float64),
    )


_WHOLE_FLOATS = 2**53
"""Up to here, an integer is a float."""


def _of_python(given: Arguments, name: str) -> Expression:
    """A limit: a float, or an integer that is one."""
    value = given[name]
    if isinstance(value, float) or (isinstance(value, Value) and value.dtype is float64):
        return given.float(name)
    whole = given.whole(name)
    given.require("a limit is large", test_of("less_equal", whole, Number(_WHOLE_FLOATS, int64)))
    given.require("a limit is large", at_least(whole, -_WHOLE_FLOATS))
    return given.float(name)


def _below(given: Arguments, first: Expression, last: Expression) -> Way:
    """A whole number from the first one on, below the last one."""
    width = span_of(first, last)
    given.require("empty range", test_of("less", first, last))
    given.require("a wide range", test_of("less_equal", width, Number(2**63 - 1, uint64)))
    return Way("twister_below", (width,), lambda drawn: add(first, drawn))


def _randrange(given: Arguments) -> Way:
    if given["step"] != 1:
        raise Unsupported("it draws in steps")
    if given["stop"] is None:
        return _below(given, _ZERO, given.whole("start"))
    return _below(given, given.whole("start"), given.whole("stop"))


def _randint(given: Arguments) -> Way:
    last = given.whole("b")
    given.require("a large limit", test_of("less", last, Number(2**63 - 1, int64)))
    return _below(given, given.whole("a"), add(last, 1))


def _randbelow(given: Arguments) -> Way:
    return _below(given, _ZERO, given.whole("n"))


def _getrandbits(given: Arguments) -> Way:
    count = given["k"]
    if not isinstance(count, int) or not 0 < count < 64:  # the bits of an int64, but its sign
        raise Unsupported("the bits that it draws are no int64")
    return Way("twister_bits", (Number(count, int64),))


def _normal_of_python(function: str, given: Arguments) -> Way:
    mean, deviation = given.float("mu"), given.float("sigma")
    return Way(
        function,
        (),
        lambda drawn: Apply("add", (mean, Apply("multiply", (drawn, deviation), float64)), float64),
        is_of_gauss=function == "twister_gauss",
    )


def _exponential_of_python(given: Arguments) -> Way:
    rate = given.float("lambd")
    given.require("division by zero", test_of("not_equal", rate, Number(0.0, float64)))
    return Way("twister_log", (), lambda drawn: Apply("divide", (drawn, rate), float64))


# ── orders and seeds ──


def _order(function: str, name: str, given: Arguments) -> Way:
    count = given.whole(name)
    given.require("negative dimensions are not allowed", at_least(count, 0))
    return Way(function, (count,), _itself if function == "interval" else lambda last: add(last, 1))


def _shuffle(function: str) -> Method:
    return Method((("count", NEEDED),), partial(_order, function, "count"), is_order=True)


_PERMUTATION = Method((("x", NEEDED), ("axis", 0)), partial(_order, "interval", "x"), is_order=True)


def _seed(function: str, name: str, most: int, given: Arguments) -> Way:
    if function == "twister_seed":
        given.require_pythons_own(name)
    seed = given.whole(name)
    given.require("another seed", at_least(seed, 0), test_of("less_equal", seed, Number(most, int64)))
    return Way(function, (seed,), is_of_gauss=True)


_LOCATED = (("loc", 0.0, _anything), ("scale", 1.0, _not_negative))
_CHOICE = (("a", NEEDED), _SIZE, ("replace", True), ("p", None), ("axis", 0))
_NORMAL = (("mu", 0.0), ("sigma", 1.0))
_UNIFORM = (("low", 0.0), ("high", 1.0), _SIZE)
_SIZES = ("*size", ())

METHODS: Mapping[str, Mapping[str, Method]] = {
    "numpy.random._generator.Generator": {
        "random": _simple("double", _SIZE),
        "uniform": Method(_UNIFORM, _uniform),
        "integers": Method(
            (("low", NEEDED), ("high", None), _SIZE, ("dtype", np.int64), ("endpoint", False)),
            lambda given: _integers("bounded", given, has_end=given["endpoint"]),
        ),
        "choice": Method((*_CHOICE, ("shuffle", True)), partial(_choice, "bounded")),
        **{name: _distribution(name, *_LOCATED) for name in ("normal", "laplace", "logistic", "gumbel")},
        "standard_normal": _simple("standard_normal", _SIZE),
        "standard_exponential": _simple("standard_exponential", _SIZE),
        "standard_cauchy": _simple("standard_cauchy", _SIZE),
        **{name: _distribution(name, ("scale", 1.0, _not_negative)) for name in ("exponential", "rayleigh")},
        "lognormal": _distribution("lognormal", ("mean", 0.0, _anything), ("sigma", 1.0, _not_negative)),
        "standard_gamma": _distribution("standard_gamma", ("shape", NEEDED, _not_negative)),
        "gamma": _distribution("gamma", ("shape", NEEDED, _not_negative), ("scale", 1.0, _not_negative)),
        "beta": _distribution("beta", ("a", NEEDED, _positive), ("b", NEEDED, _positive)),
        "chisquare": _distribution("chisquare", ("df", NEEDED, _positive)),
        "standard_t": _distribution("standard_t", ("df", NEEDED, _positive)),
        "f": _distribution("f", ("dfnum", NEEDED, _positive), ("dfden", NEEDED, _positive)),
        "weibull": _distribution("weibull", ("a", NEEDED, _not_negative)),
        "pareto": _distribution("pareto", ("a", NEEDED, _positive)),
        "power": _distribution("power", ("a", NEEDED, _positive)),
        "vonmises": _distribution("vonmises", ("mu", NEEDED, _anything), ("kappa", NEEDED, _not_negative)),
        "wald": _distribution("wald", ("mean", NEEDED, _positive), ("scale", NEEDED, _positive)),
        "poisson": _distribution("poisson", ("lam", 1.0, _mean)),
        "geometric": _distribution("geometric", ("p", NEEDED, _part)),
        "binomial": Method((("n", NEEDED), ("p", NEEDED), _SIZE), _binomial),
        "shuffle": _shuffle("interval"),
        "permutation": _PERMUTATION,
    },
    "numpy.random.mtrand.RandomState": {
        **{name: _simple("double", _SIZE) for name in ("random", "random_sample")},
        "rand": _simple("double", _SIZES),
        "uniform": Method(_UNIFORM, _uniform),
        "randint": Method((("low", NEEDED), ("high", None), _SIZE), partial(_integers, "masked")),
        "choice": Method(_CHOICE, partial(_choice, "masked")),
        "randn": Method((_SIZES,), lambda _: Way("old_normal", is_of_gauss=True)),
        "standard_normal": Method((_SIZE,), lambda _: Way("old_normal", is_of_gauss=True)),
        "normal": _distribution("old_normals", *_LOCATED, is_of_gauss=True),
        "shuffle": _shuffle("interval"),
        "permutation": _PERMUTATION,
        "seed": Method((("seed", NEEDED),), partial(_seed, "old_seed", "seed", 2**32 - 1), gives=False),
    },
    "random.Random": {
        "random": _simple("twister_double"),
        "uniform": Method((("a", NEEDED), ("b", NEEDED)), _uniform_of_python),
        "randint": Method((("a", NEEDED), ("b", NEEDED)), _randint),
        "randrange": Method((("start", NEEDED), ("stop", None), ("step", 1)), _randrange),
        "_randbelow": Method((("n", NEEDED),), _randbelow),
        "getrandbits": Method((("k", NEEDED),), _getrandbits),
        "gauss": Method(_NORMAL, partial(_normal_of_python, "twister_gauss")),
        "normalvariate": Method(_NORMAL, partial(_normal_of_python, "twister_normal")),
        "expovariate": Method((("lambd", 1.0),), _exponential_of_python),
        "shuffle": _shuffle("twister_below"),
        "seed": Method((("a", NEEDED),), partial(_seed, "twister_seed", "a", 2**63 - 1), gives=False),
    },
}
"""The methods by the classes of generators."""
