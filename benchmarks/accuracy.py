"""How far the functions of `runtime/executors/native/mathematics` are from the true results.

``python -m benchmarks.accuracy [NAME …]`` prints a table, in units in the last place: for float32 over every
number there is, or every so many with ``--every``, against the C library's functions of doubles; for float64
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
from runtime.executors.native.mathematics import FAR_FUNCTIONS, FUNCTIONS, name_of

TRUE_RESULTS = Path(__file__).parents[1] / "tests/golden/true_results.txt"
CHUNK = 1 << 16
PAIRS = frozenset({"power", "hypot", "arctan2"})
"""Functions of two numbers."""
_TYPES = {"f32": "float", "f64": "double"}
_EXACT: dict[str, Callable[..., Any]] = {
    **{
        name: getattr(mpmath, name) for name in ("exp", "expm1", "log1p", "sin", "cos", "tan", "sinh", "cosh")
    },
    "tanh": mpmath.tanh,
    "erf": mpmath.erf,
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
    own = name_of(name, suffix) + ("_anywhere" if name in FAR_FUNCTIONS else "")
    callee = LIBRARY[name] + ("" if suffix == "f64" else "f") if by_library else own
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
    ours, library, farthest = (
        kernel(name, "f32", by_library=False),
        kernel(name, "f64", by_library=True),
        distances(),
    )
    worst, place = 0.0, None
    for operands in drawn_singles(16) if name in PAIRS else ((x,) for x in every_single(step)):
        with np.errstate(invalid="ignore"):
            found, wanted = ours(*operands), library(*[each.astype(np.float64) for each in operands])
        off = farthest(found, wanted)
        if off > worst:
            each = [farthest(found[k : k + 1], wanted[k : k + 1]) for k in range(len(found))]
            worst, place = off, [operand[each.index(off)] for operand in operands]
    return worst, place


def distances() -> Callable[[Any, Any], float]:
    """Gives how far the farthest of some floats is from doubles, in units in the last place.

    It is infinitely far where one is of another kind: no number, infinite, or of the other sign.
    """
    library = compiled(_DISTANCES, ["distances"])
    pointer = ctypes.c_void_p
    call = ctypes.CFUNCTYPE(ctypes.c_double, pointer, pointer, ctypes.c_int64)(library.addresses["distances"])

    def run(found: Any, wanted: Any) -> float:
        return call(found.ctypes.data, wanted.ctypes.data, len(found))

    run.library = library  # type: ignore[attr-defined]  # it lives as long as the function
    return run


_DISTANCES = """
declare double @llvm.fabs.f64(double)
declare double @llvm.maximum.f64(double, double)
declare i32 @llvm.umax.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)

define double @distances(ptr noalias %found, ptr noalias %wanted, i64 %n) {
start:
  br label %body
body:
  %i = phi i64 [ 0, %start ], [ %next, %body ]
  %most = phi double [ 0.0, %start ], [ %more, %body ]
  %f.at = getelementptr float, ptr %found, i64 %i
  %f = load float, ptr %f.at
  %w.at = getelementptr double, ptr %wanted, i64 %i
  %w = load double, ptr %w.at
  %r = fptrunc double %w to float
  %f.bits = bitcast float %f to i32
  %r.bits = bitcast float %r to i32
  %moved = lshr i32 %r.bits, 23
  %exponent = and i32 %moved, 255
  %some = call i32 @llvm.umax.i32(i32 %exponent, i32 1)
  %finite = call i32 @llvm.umin.i32(i32 %some, i32 254)
  %inverse = sub i32 1173, %finite ; of the unit in the last place
  %wide = zext i32 %inverse to i64
  %scale.bits = shl i64 %wide, 52
  %scale = bitcast i64 %scale.bits to double
  %f.wide = fpext float %f to double
  %difference = fsub double %f.wide, %w
  %size = call double @llvm.fabs.f64(double %difference)
  %units = fmul double %size, %scale
  %mixed = xor i32 %f.bits, %r.bits
  %other.sign = icmp slt i32 %mixed, 0
  %odd = fcmp uno double %units, %units
  %kind = or i1 %other.sign, %odd
  %far = select i1 %kind, double 0x7FF0000000000000, double %units
  %same = icmp eq i32 %f.bits, %r.bits
  %infinite = icmp eq i32 %exponent, 255
  %alike = and i1 %same, %infinite
  %f.nan = fcmp uno float %f, %f
  %r.nan = fcmp uno float %r, %r
  %nans = and i1 %f.nan, %r.nan
  %none = or i1 %alike, %nans
  %off = select i1 %none, double 0.0, double %far
  %more = call nsz double @llvm.maximum.f64(double %most, double %off)
  %next = add nuw nsw i64 %i, 1
  %on = icmp slt i64 %next, %n
  br i1 %on, label %body, label %end
end:
  ret double %more
}
"""


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
            if np.isfinite(value):
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
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--doubles", type=int, default=20_000)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.write:
        TRUE_RESULTS.write_text("".join(true_results()))
        return
    print("| function | float32 | at | float64 | at |\n|---|---:|---|---:|---|")
    for name in options.names or sorted(FUNCTIONS):
        single, place = singles(name, options.every)
        double, other = doubles(name, options.doubles)
        shown = ", ".join(map(str, place or ()))
        others = ", ".join(repr(float(each)) for each in other or ())
        print(f"| `{name}` | {single:.2f} | {shown} | {double:.2f} | {others} |", flush=True)


if __name__ == "__main__":
    main()
