"""How far the functions of `runtime/executors/native/mathematics` are from the true results.

``python -m benchmarks.accuracy [NAME …]`` prints a table, in units in the last place: for float32 over every
number there is, or every so many with ``--every``; for float64 over random numbers and hard ones, against
mpmath. Two numbers are drawn for functions of two. ``--write`` writes what the tests compare with.

Floats of 32 bits are compared with our own functions of doubles, which are vectors, and every 256th with the
C library's functions of doubles, as are those that are too large for our own functions.
"""

from __future__ import annotations

import argparse
import ctypes
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import mpmath
import numpy as np

from runtime.executors.native.intrinsics.helpers import of_library, with_helpers
from runtime.executors.native.llvm.engine import compiled
from runtime.executors.native.mathematics import FAR_FUNCTIONS, FUNCTIONS, name_of
from runtime.executors.native.mathematics.angles import FAR

TRUE_RESULTS = Path(__file__).parents[1] / "tests/golden/true_results.txt"
CHUNK = 1 << 16
LIBRARY_STEP = 256
"""Of so many floats of 32 bits one is compared with the C library, too."""
PAIRS = frozenset({"power", "hypot", "arctan2"})
"""Functions of two numbers."""
_TYPES = {"f32": "float", "f64": "double"}
_EXACT: dict[str, Callable[..., Any]] = {
    **{
        name: getattr(mpmath, name) for name in ("exp", "expm1", "log1p", "sin", "cos", "tan", "sinh", "cosh")
    },
    "tanh": mpmath.tanh,
    "lgamma": lambda x: mpmath.loggamma(x).real,
    "erf": mpmath.erf,
    "erfc": lambda x: mpmath.erfc(max(min(x, 99), -99)),
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


_DISTANCE = """
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
"""
"""How far a float is from a double, in units in the last place."""
_DISTANCES = f"""
define double @distances(ptr noalias %found, ptr noalias %wanted, i64 %n) {{
start:
  br label %body
body:
  %i = phi i64 [ 0, %start ], [ %next, %body ]
  %most = phi double [ 0.0, %start ], [ %more, %body ]
  %f.at = getelementptr float, ptr %found, i64 %i
  %f = load float, ptr %f.at
  %w.at = getelementptr double, ptr %wanted, i64 %i
  %w = load double, ptr %w.at
{_DISTANCE}
  %more = call nsz double @llvm.maximum.f64(double %most, double %off)
  %next = add nuw nsw i64 %i, 1
  %on = icmp slt i64 %next, %n
  br i1 %on, label %body, label %end
end:
  ret double %more
}}
"""


def kernel(name: str, suffix: str, *, by_library: bool) -> Callable[..., Any]:
    """A function of arrays: ours, or the C library's."""
    kind = _TYPES[suffix]
    arity = 2 if name in PAIRS else 1
    own = name_of(name, suffix) + ("_anywhere" if name in FAR_FUNCTIONS else "")
    callee = of_library(name, suffix) if by_library else own
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


def comparison(name: str, *, by_library: bool) -> Callable[[int, int, int], float]:
    """Gives the greatest distance of a function of floats of 32 bits from a function of doubles.

    It takes the bits of the first float, the step, and how many floats there are.
    """
    anywhere = "_anywhere" if name in FAR_FUNCTIONS and by_library else ""
    own, wanted = name_of(name, "f32") + anywhere, name_of(name, "f64") + anywhere
    text = f"""
define double @farthest(i32 %start, i32 %step, i64 %count) "prefer-vector-width"="512" {{
begin:
  br label %body
body:
  %i = phi i64 [ 0, %begin ], [ %next, %body ]
  %most = phi double [ 0.0, %begin ], [ %more, %body ]
  %turn = trunc i64 %i to i32
  %on.from.start = mul i32 %turn, %step
  %i.bits = add i32 %start, %on.from.start
  %x = bitcast i32 %i.bits to float
  %x.wide = fpext float %x to double
  %f = call float @{own}(float %x)
  %w = call double @{of_library(name, "f64") if by_library else wanted}(double %x.wide)
{_DISTANCE}
  %more = call nsz double @llvm.maximum.f64(double %most, double %off)
  %next = add nuw nsw i64 %i, 1
  %on = icmp slt i64 %next, %count
  br i1 %on, label %body, label %end
end:
  ret double %more
}}
"""
    library = compiled(with_helpers(text), ["farthest"])
    whole = ctypes.c_uint32
    call = ctypes.CFUNCTYPE(ctypes.c_double, whole, whole, ctypes.c_int64)(library.addresses["farthest"])
    call.library = library  # type: ignore[attr-defined]  # it lives as long as the function
    return call


def farthest_of(
    compare: Callable[[int, int, int], float], step: int, ranges: Sequence[range] = (range(1 << 32),)
) -> tuple[float, Any]:
    """The greatest distance over floats of 32 bits with these bits, or every so many, and where that is."""
    worst, first, count = 0.0, 0, 0
    for each in ranges:
        for start in each[:: CHUNK * step]:
            some = min(CHUNK, (each.stop - start + step - 1) // step)
            off = compare(start, step, some)
            if off > worst:
                worst, first, count = off, start, some
    while count > 1:  # which half of the chunk it is in
        half = count // 2
        if compare(first, step, half) == worst:
            count = half
        else:
            first, count = first + half * step, count - half
    return worst, [np.uint32(first).view(np.float32)] if worst else None


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
    if name not in PAIRS:
        by_library = farthest_of(comparison(name, by_library=True), step * LIBRARY_STEP)
        by_ours = farthest_of(comparison(name, by_library=False), step, _near(name))
        return max(by_library, by_ours, key=lambda each: each[0])
    ours, library, farthest = (
        kernel(name, "f32", by_library=False),
        kernel(name, "f64", by_library=True),
        distances(),
    )
    worst, place = 0.0, None
    for operands in drawn_singles(16):
        with np.errstate(invalid="ignore"):
            found, wanted = ours(*operands), library(*[each.astype(np.float64) for each in operands])
        off = farthest(found, wanted)
        if off > worst:
            each = [farthest(found[k : k + 1], wanted[k : k + 1]) for k in range(len(found))]
            worst, place = off, [operand[each.index(off)] for operand in operands]
    return worst, place


def _near(name: str) -> Sequence[range]:
    """The bits of the floats of 32 bits for which a function is our own."""
    sign = 1 << 31
    if name == "lgamma":
        return (range(sign),)
    if name not in FAR_FUNCTIONS:
        return (range(2 * sign),)
    far = int(np.float32(FAR["f32"]).view(np.uint32))
    return range(far), range(sign, sign + far)


def distances() -> Callable[[Any, Any], float]:
    """Gives how far the farthest of some floats is from doubles, in units in the last place.

    It is infinitely far where one is of another kind: no number, infinite, or of the other sign.
    """
    library = compiled(with_helpers(_DISTANCES), ["distances"])
    pointer = ctypes.c_void_p
    call = ctypes.CFUNCTYPE(ctypes.c_double, pointer, pointer, ctypes.c_int64)(library.addresses["distances"])

    def run(found: Any, wanted: Any) -> float:
        return call(found.ctypes.data, wanted.ctypes.data, len(found))

    run.library = library  # type: ignore[attr-defined]  # it lives as long as the function
    return run


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
