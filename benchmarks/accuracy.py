"""How far the functions of `runtime/executors/native/mathematics` are from the true results.

``python -m benchmarks.accuracy [NAME …]`` prints a table, in units in the last place: for float32 over every
number there is, or every 1,009th with ``--some``, against the C library's functions of doubles; for float64
over random numbers and hard ones, against mpmath. Two numbers are drawn for functions of two. ``--write``
writes what the tests compare with.
"""

from __future__ import annotations

import argparse
import ctypes
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mpmath
import numpy as np

from runtime.executors.native.engine import compiled
from runtime.executors.native.intrinsics.helpers import LIBRARY, with_helpers
from runtime.executors.native.mathematics import FUNCTIONS, name_of

TRUE_RESULTS = Path(__file__).parents[1] / "tests/golden/true_results.txt"
CHUNK = 1 << 20
PAIRS = frozenset({"power", "hypot", "arctan2"})
"""Functions of two numbers."""
_TYPES = {"f32": "float", "f64": "double"}
_EXACT: dict[str, Callable[..., Any]] = {
    **{
        name: getattr(mpmath, name) for name in ("exp", "expm1", "log1p", "sin", "cos", "tan", "sinh", "cosh")
    },
    "tanh": mpmath.tanh,
    "exp2": lambda x: mpmath.mpf(2) ** x,
    "log": mpmath.log,
    "log2": lambda x: mpmath.log(x) / mpmath.log(2),
    "log10": lambda x: mpmath.log(x) / mpmath.log(10),
    "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
    "hypot": mpmath.hypot,
    "power": lambda x, y: x**y,
    "arcsin": mpmath.asin,
    "arccos": mpmath.acos,
    "arctan": mpmath.atan,
    "arctan2": mpmath.atan2,
    "arcsinh": mpmath.asinh,
    "arccosh": mpmath.acosh,
    "arctanh": mpmath.atanh,
}


def kernel(name: str, suffix: str, *, by_library: bool) -> Callable[..., Any]:
    """A function of arrays: ours, or the C library's."""
    kind = _TYPES[suffix]
    arity = 2 if name in PAIRS else 1
    callee = LIBRARY[name] + ("" if suffix == "f64" else "f") if by_library else name_of(name, suffix)
    loads = "\n".join(
        f"  %p{k} = getelementptr {kind}, ptr %a{k}, i64 %i\n  %x{k} = load {kind}, ptr %p{k}"
        for k in range(arity)
    )
    given = ", ".join(f"{kind} %x{k}" for k in range(arity))
    arrays = ", ".join(f"ptr noalias %a{k}" for k in range(arity))
    text = f"""
define void @each({arrays}, ptr noalias %out, i64 %n) {{
start:
  br label %body
body:
  %i = phi i64 [ 0, %start ], [ %next, %body ]
{loads}
  %y = call {kind} @{callee}({given})
  %to = getelementptr {kind}, ptr %out, i64 %i
  store {kind} %y, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}}
"""
    library = compiled(with_helpers(text), ["each"])
    call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * (arity + 1), ctypes.c_int64)(library.addresses["each"])

    def run(*operands: Any) -> Any:
        out = np.empty_like(operands[0])
        call(*[each.ctypes.data for each in operands], out.ctypes.data, len(out))
        return out

    run.library = library  # type: ignore[attr-defined]  # it lives as long as the function
    return run


def every_single(step: int) -> Iterator[Any]:
    """All floats of 32 bits, or every so many."""
    for start in range(0, 1 << 32, CHUNK * step):
        yield (
            np.arange(start, min(start + CHUNK * step, 1 << 32), step, dtype=np.uint64)
            .astype(np.uint32)
            .view(np.float32)
        )


def drawn_singles(count: int) -> Iterator[tuple[Any, Any]]:
    """Pairs of floats: of any bits, and of middling size."""
    rng = np.random.default_rng(0)
    for _ in range(count):
        yield tuple(rng.integers(0, 1 << 32, CHUNK, dtype=np.uint32).view(np.float32) for _ in range(2))  # type: ignore[misc]
        x = np.exp(rng.normal(0, 3, CHUNK)) * rng.choice([-1, 1, 1], CHUNK)
        y = np.where(rng.random(CHUNK) < 0.3, rng.integers(-40, 40, CHUNK), rng.normal(0, 20, CHUNK))
        yield x.astype(np.float32), y.astype(np.float32)


def singles(name: str, step: int) -> tuple[float, Any]:
    """The greatest distance of a function of floats of 32 bits, and where that is."""
    ours, library = kernel(name, "f32", by_library=False), kernel(name, "f64", by_library=True)
    worst, place = 0.0, None
    pairs = name in PAIRS
    for operands in drawn_singles(32) if pairs else ((x,) for x in every_single(step)):
        found = ours(*operands)
        with np.errstate(all="ignore"):
            wanted = library(*[each.astype(np.float64) for each in operands])
            distances = distance(found, wanted)
        most = int(np.argmax(distances))
        if distances[most] > worst:
            worst, place = float(distances[most]), [each[most] for each in operands]
    return worst, place


def distance(found: Any, wanted: Any) -> Any:
    """How many units in its last place floats are from doubles; infinite where they are of another kind."""
    rounded = wanted.astype(np.float32)
    unit = np.where(np.isfinite(rounded), np.spacing(np.abs(rounded)), np.float32(2.0**104)).astype(
        np.float64
    )
    off = np.abs(found.astype(np.float64) - wanted) / unit
    off = np.where(np.isnan(off) | (np.signbit(found) != np.signbit(rounded)), np.inf, off)
    is_same = (found == rounded) & (np.signbit(found) == np.signbit(rounded))
    is_same |= np.isnan(found) & np.isnan(rounded)
    return np.where(is_same, np.where(np.isfinite(rounded), np.minimum(off, 0.5), 0.0), off)


def doubles(name: str, count: int) -> tuple[float, Any]:
    """The greatest distance of a function of doubles, and where that is."""
    ours = kernel(name, "f64", by_library=False)
    operands = [np.array(column) for column in zip(*arguments(name, count), strict=True)]
    found = ours(*operands)
    worst, place = 0.0, None
    with mpmath.workprec(1200 if name in {"sin", "cos", "tan"} else 300):
        for result, *given in zip(found, *operands, strict=True):
            wanted = exact(name, given)
            off = distance_of_double(float(result), wanted)
            if off > worst:
                worst, place = off, given
    return worst, place


def exact(name: str, given: list[Any]) -> Any:
    """The true result, as a number of mpmath's."""
    try:
        result = _EXACT[name](*[mpmath.mpf(float(each)) for each in given])
    except (ValueError, ZeroDivisionError):
        return mpmath.nan
    return mpmath.nan if isinstance(result, mpmath.mpc) else result


def distance_of_double(found: float, wanted: Any) -> float:
    """How many units in its last place a double is from a true result."""
    rounded = float(wanted)
    if np.isnan(rounded) or np.isinf(rounded):
        return 0.0 if found == rounded or (np.isnan(found) and np.isnan(rounded)) else np.inf
    if not np.isfinite(found):
        return 1.0 if abs(rounded) == np.finfo(float).max else np.inf
    return float(abs(mpmath.mpf(found) - wanted) / mpmath.mpf(float(np.spacing(abs(rounded)))))


def arguments(name: str, count: int) -> Iterator[tuple[float, ...]]:
    """Doubles of all sizes, more of them where a function does something."""
    rng = np.random.default_rng(1)
    arity = 2 if name in PAIRS else 1
    for index in range(count):
        scale = [1.0, 3.0, 30.0, 700.0][index % 4]
        if arity == 2:
            x = float(np.exp(rng.normal(0, [0.01, 1.0, 10.0, 100.0][index % 4])))
            y = float(rng.normal(0, [1.0, 10.0, 100.0, 500.0][index // 4 % 4]))
            if name == "power":
                yield x, (y if index % 3 else float(round(y)))
            else:
                yield (
                    float(x * rng.choice([-1, 1])),
                    float(np.exp(rng.normal(0, 2)) * x * rng.choice([-1, 1])),
                )
        elif index % 5 == 4:
            (value,) = np.frombuffer(rng.bytes(8), np.float64)
            if np.isfinite(value) and not (name in {"sin", "cos", "tan"} and abs(value) > 2.0**30):
                yield (float(value),)
        elif index % 5 == 3:
            yield (float(1.0 + rng.normal(0, 10.0 ** -rng.integers(0, 8))),)
        else:
            yield (float(rng.normal(0, scale)),)


def true_results() -> Iterator[str]:
    """Lines of a function, its arguments and the double that is nearest to the true result."""
    for name in sorted(FUNCTIONS):
        given = {each for each in arguments(name, 60) if not any(map(math.isnan, each))}
        with mpmath.workprec(1200):
            for operands in sorted(given):
                result = float(exact(name, list(operands)))
                yield " ".join([name, *[each.hex() for each in (*operands, result)]]) + "\n"


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--some", action="store_true")
    parser.add_argument("--doubles", type=int, default=20_000)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.write:
        TRUE_RESULTS.write_text("".join(true_results()))
        return
    print("| function | float32 | at | float64 | at |\n|---|---:|---|---:|---|")
    for name in options.names or sorted(FUNCTIONS):
        single, place = singles(name, 1009 if options.some else 1)
        double, other = doubles(name, options.doubles)
        shown = ", ".join(map(str, place or ()))
        others = ", ".join(repr(float(each)) for each in other or ())
        print(f"| `{name}` | {single:.2f} | {shown} | {double:.2f} | {others} |", flush=True)


if __name__ == "__main__":
    main()
