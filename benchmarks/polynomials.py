"""Fits the polynomials of `runtime/executors/native/mathematics`, and writes their coefficients.

``python -m benchmarks.polynomials [NAME …]`` needs mpmath, and prints how far each is from its function. A
polynomial is nearly the one whose greatest error is least, relative to the result of the function that it is
a part of: that of least squares, in which points count the more, the greater the error at them was before
(Lawson). Coefficients are rounded one after the other, from the constant on, and the rest is fitted again
around each: what rounding loses, the others make up for.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from mpmath import asin, atan, cos, exp, log, lu_solve, matrix, mp, mpf, pi, sin, sqrt, workdps

Function = Callable[[mpf], mpf]

TARGET = Path(__file__).parents[1] / "runtime/executors/native/mathematics/coefficients.py"
_HEAD = '''"""Numbers that functions are made of; ``python -m benchmarks.polynomials`` writes this file."""

__all__ = ["COEFFICIENTS", "CONSTANTS"]

'''


@dataclass(frozen=True)
class Fit:
    """A polynomial in the place of a function.

    Attributes
    ----------
    name : str
    function, weight : callable
        What it stands for, and what an error of it counts.
    low, high : float
    degrees : dict of str to int
        For each precision.
    """

    name: str
    function: Function
    weight: Function
    low: mpf
    high: mpf
    degrees: dict[str, int]


def _fits() -> list[Fit]:
    half = log(2) / 2 * mpf("1.0001")
    eighth = (pi / 4 * mpf("1.01")) ** 2
    quarter = (pi / 2 * mpf("1.01")) ** 2
    root = sqrt(mpf(2))
    least, most = (1 / root - 1) * mpf("1.0001"), (root - 1) * mpf("1.0001")
    part = ((root - 1) / (root + 1) * mpf("1.0001")) ** 2  # the square of (m - 1) / (m + 1)
    steep = (sqrt(mpf(2)) - 1) ** 2 * mpf("1.0001")  # the square of tan(π/8)
    tiny = mpf(10) ** -12

    def by_root(function: Function) -> Function:
        return lambda z: function(sqrt(z))

    return [
        # exp(r) = 1 + r + r² p(r)
        Fit(
            "exp",
            lambda r: (exp(r) - 1 - r) / r**2,
            lambda r: r**2 / exp(r),
            -half,
            half,
            {"f32": 4, "f64": 9},
        ),
        # exp(r) = 1 + r p(r), where 1 + … is kept apart
        Fit(
            "expm1",
            lambda r: (exp(r) - 1 - r) / r**2,
            lambda r: r**2 / (abs(exp(r) - 1) + mpf(10) ** -30),
            -half,
            half,
            {"f32": 5, "f64": 10},
        ),
        # 2 ** r = 1 + r p(r)
        Fit(
            "exp2",
            lambda r: (mpf(2) ** r - 1) / r,
            lambda r: abs(r) / mpf(2) ** r,
            -mpf("0.50001"),
            mpf("0.50001"),
            {"f32": 6, "f64": 12, "wide": 6},
        ),
        # log(1 + f) = f - f²/2 + f³ p(f)
        Fit(
            "log",
            lambda f: (log(1 + f) - f + f**2 / 2) / f**3,
            lambda f: abs(f) ** 2,
            least,
            most,
            {"f32": 8},
        ),
        # log(m) = 2 s + s z p(z), with s = (m - 1) / (m + 1) and z = s²
        Fit(
            "log_parts",
            by_root(lambda s: (log((1 + s) / (1 - s)) - 2 * s) / s**3),
            lambda z: z,
            tiny,
            part,
            {"f32": 2, "f64": 6, "wide": 3},
        ),
        # and the same where the first coefficient is 2/3
        Fit(
            "log_tail",
            by_root(lambda s: ((log((1 + s) / (1 - s)) - 2 * s) / s**3 - mpf(2) / 3) / s**2),
            lambda z: z**2,
            tiny,
            part,
            {"f64": 7},
        ),
        # sin(r) = r + r z p(z), with z = r², up to a right angle
        Fit(
            "sin",
            by_root(lambda r: (sin(r) / r - 1) / r**2),
            lambda z: z / (sin(sqrt(z)) / sqrt(z)),
            tiny,
            quarter,
            {"f32": 3, "f64": 8},
        ),
        # and up to half of one
        Fit(
            "sin_near",
            by_root(lambda r: (sin(r) / r - 1) / r**2),
            lambda z: z,
            tiny,
            eighth,
            {"f32": 2, "f64": 5},
        ),
        # cos(r) = 1 - z/2 + z² p(z)
        Fit(
            "cos_near",
            by_root(lambda r: (cos(r) - 1 + r**2 / 2) / r**4),
            lambda z: z**2,
            tiny,
            eighth,
            {"f32": 2, "f64": 5},
        ),
        # atan(t) = t + t z p(z)
        Fit(
            "atan",
            by_root(lambda t: (atan(t) / t - 1) / t**2),
            lambda z: z,
            tiny,
            steep,
            {"f32": 4, "f64": 10},
        ),
        # c ** (-1/3), nearly
        Fit("cbrt", lambda c: 1 / mp.cbrt(c), mp.cbrt, mpf(1), mpf(8), {"f32": 4, "f64": 5}),
        # erf(x) = x + x p(x²), and 1 - exp(-x²) p(t), with t = (x - 2) / (x + 2)
        Fit(
            "erf",
            by_root(lambda x: mp.erf(x) / x - 1),
            lambda z: sqrt(z) / mp.erf(sqrt(z)),
            tiny,
            mpf("0.7121"),
            {"f32": 5, "f64": 11},
        ),
        Fit(
            "erfc",
            lambda t: mp.erfc(2 * (1 + t) / (1 - t)) * exp((2 * (1 + t) / (1 - t)) ** 2),
            lambda t: exp(-((2 * (1 + t) / (1 - t)) ** 2)),
            (mpf("0.8437") - 2) / mpf("2.8437"),
            mpf("0.5001"),
            {"f32": 5, "f64": 15},
        ),
        # erfc(x) = exp(-x²) p(t) / (1 + 2 x), with t = (x - 3.75) / (x + 3.75), for as long as it is a number
        *[
            Fit(
                "erfc_tail",
                _erfc_tail,
                lambda t: 1 / _erfc_tail(t),
                (mpf("0.8437") - mpf("3.75")) / (mpf("0.8437") + mpf("3.75")),
                (mpf(last) - mpf("3.75")) / (mpf(last) + mpf("3.75")),
                degrees,
            )
            for last, degrees in (("10.1", {"wide": 9}), ("27.3", {"f64": 19}))
        ],
        # log(gamma(2 + t)) = t p(t), which is what log(gamma(1 + t)) and log(1 + t) are together
        Fit(
            "lgamma",
            lambda t: mp.loggamma(2 + t) / t,
            lambda t: abs(t) / min(abs(mp.loggamma(2 + t)), abs(mp.loggamma(1 + t))),
            -mpf("0.6001"),
            mpf("0.5002"),
            {"f64": 18, "wide": 10},
        ),
        # what Stirling's formula leaves of log(gamma(x)), times x, with z = 1/x²
        Fit(
            "lgamma_tail",
            by_root(lambda inverse: _beyond_stirling(1 / inverse) / inverse),
            by_root(lambda inverse: inverse / mp.loggamma(1 / inverse)),
            tiny,
            mpf("6.499") ** -2,
            {"f64": 5, "wide": 2},
        ),
        # asin(t) = t + t z p(z)
        Fit(
            "asin",
            by_root(lambda t: (asin(t) / t - 1) / t**2),
            lambda z: z,
            tiny,
            mpf("0.25001"),
            {"f32": 4, "f64": 11},
        ),
    ]


def _erfc_tail(t: mpf) -> mpf:
    x = mpf("3.75") * (1 + t) / (1 - t)
    return mp.erfc(x) * exp(x**2) * (1 + 2 * x)


def _beyond_stirling(x: mpf) -> mpf:
    return mp.loggamma(x) - (x - mpf("0.5")) * (log(x) - 1) - (log(2 * pi) - 1) / 2


def fitted(fit: Fit, degree: int, rounded: type) -> tuple[list[float], mpf]:
    """The coefficients of a polynomial, and its greatest error."""
    points = _grid(fit.low, fit.high, 12 * (degree + 1))
    values, weights = list(map(fit.function, points)), list(map(fit.weight, points))
    emphasis = [mpf(1)] * len(points)
    known: list[mpf] = []
    for step in range(degree + 1):
        for _ in range(4 if step else 40):
            rest = _least_squares(points, values, weights, emphasis, known, degree)
            every = [*known, *rest]
            errors = [
                abs(_at(every, x) - value) * weight
                for x, value, weight in zip(points, values, weights, strict=True)
            ]
            emphasis = [each * error for each, error in zip(emphasis, errors, strict=True)]
            total = sum(emphasis)
            emphasis = [each / total + mpf(10) ** -12 for each in emphasis]
        known.append(mpf(float(rounded(float(rest[0])))))
    worst = max(abs(_at(known, x) - fit.function(x)) * fit.weight(x) for x in _grid(fit.low, fit.high, 1_001))
    return [float(each) for each in known], worst


def _at(coefficients: Sequence[mpf], x: mpf) -> mpf:
    return mp.polyval(list(reversed(coefficients)), x)


def _grid(low: mpf, high: mpf, count: int) -> list[mpf]:
    """Numbers that lie denser near the ends."""
    middle, width = (low + high) / 2, (high - low) / 2
    return [middle - width * cos(pi * (2 * k + 1) / (2 * count)) for k in range(count)]


def _least_squares(
    points: Sequence[mpf],
    values: Sequence[mpf],
    weights: Sequence[mpf],
    emphasis: Sequence[mpf],
    known: Sequence[mpf],
    degree: int,
) -> list[mpf]:
    """The coefficients that are not known yet, of the least sum of squares of errors."""
    count = degree + 1 - len(known)
    moments, right = [mpf(0)] * (2 * count - 1), matrix(count, 1)
    for x, value, weight, extra in zip(points, values, weights, emphasis, strict=True):
        first = x ** len(known)
        factor = extra * weight**2 * first
        rest = (value - _at(known, x) if known else value) * factor
        square = factor * first
        for power in range(2 * count - 1):
            moments[power] += square
            square *= x
            if power < count:
                right[power] += rest
                rest *= x
    rows = matrix(count, count)
    for row in range(count):
        for column in range(count):
            rows[row, column] = moments[row + column]
    solved = lu_solve(rows, right)
    return [solved[index] for index in range(count)]


def main() -> None:
    """Fits what is asked for, or everything, and writes the file."""
    wanted = set(sys.argv[1:])
    kept: dict[str, tuple[float, ...]] = {}
    if wanted:
        namespace: dict[str, dict[str, tuple[float, ...]]] = {}
        exec(TARGET.read_text(), namespace)  # noqa: S102  # our own file
        kept = namespace["COEFFICIENTS"]
    with workdps(60):
        for fit in _fits():
            for precision, degree in fit.degrees.items():
                if wanted and fit.name not in wanted:
                    continue
                rounded = np.float32 if precision == "f32" else np.float64
                coefficients, worst = fitted(fit, degree, rounded)
                kept[f"{fit.name}.{precision}"] = tuple(coefficients)
                print(f"{fit.name}.{precision}: 2 ** {float(log(worst, 2)):.1f}", flush=True)
        constants = _constants()
    TARGET.write_text(
        _HEAD
        + _table("COEFFICIENTS", "Of polynomials, from the constant on.", kept)
        + "\n"
        + _table("CONSTANTS", "As sums of floats, each as near as may be to what is left.", constants)
    )


def _table(name: str, words: str, rows: dict[str, tuple[float, ...]]) -> str:
    texts = [
        f'    "{key}": (\n{"".join(f"        {each!r},{chr(10)}" for each in row)}    ),\n'
        for key, row in sorted(rows.items())
    ]
    return f'{name}: dict[str, tuple[float, ...]] = {{\n{"".join(texts)}}}\n"""{words}"""\n'


def _constants() -> dict[str, tuple[float, ...]]:
    """Numbers that one float is not enough for."""
    values = {
        "log(2)": log(2),
        "1/log(2)": 1 / log(2),
        "1/log(10)": 1 / log(10),
        "log10(2)": log(2) / log(10),
        "pi": pi,
        "pi/2": pi / 2,
        "pi/4": pi / 4,
        "1/pi": 1 / pi,
        "2/pi": 2 / pi,
        "2/3": mpf(2) / 3,
        "(log(2 pi) - 1)/2": (log(2 * pi) - 1) / 2,
    }
    return {
        f"{name}.{precision}": _parts(value, rounded)
        for name, value in values.items()
        for precision, rounded in (("f32", np.float32), ("f64", np.float64))
    }


def _parts(value: mpf, rounded: type) -> tuple[float, ...]:
    found = []
    for _ in range(3):
        found.append(float(rounded(float(value - sum(map(mpf, found), mpf(0))))))
    return tuple(found)


if __name__ == "__main__":
    main()
