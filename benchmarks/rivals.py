"""Programs on NumPy, on our executors, and by Numba, JAX and a C compiler, where these are installed.

All run in one process, pinned to one core, and take turns; what they give is compared before anything is
timed, in seconds of the processor. The Python of a program is written once: it runs as it stands, becomes our
graph, and is compiled by Numba, but where that does not know a function of NumPy's. Its loops are written
anew for JAX, and all of it for C, in `rivals_jax.py`, `rivals.c` and `rivals_arrays.c`.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import autograph as ag
import runtime as rt
from benchmarks.harness import Contender, Scene, measure_in_turns, timed
from benchmarks.native import collatz, predators, sieve

__all__ = ["report"]


def newton(a: Any, n: Any) -> Any:
    total = 0.0
    for i in range(n):
        x = a + i
        while abs(x * x - a - i) > 1e-9:
            x = 0.5 * (x + (a + i) / x)
        total = total + x
    return total


def gcd(n: Any) -> Any:
    total = 0
    for i in range(1, n):
        for j in range(1, i):
            a, b = i, j
            while b != 0:
                a, b = b, a % b
            total += a
    return total


def edit_distance(one: Any, other: Any, table: Any, n: Any) -> Any:
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            best = table[i - 1, j - 1] + (1 if one[i - 1] != other[j - 1] else 0)
            best = min(best, table[i - 1, j] + 1)
            best = min(best, table[i, j - 1] + 1)
            table[i, j] = best
    return table[n, n]


def bodies(place: Any, speed: Any, mass: Any, n: Any, turns: Any) -> Any:
    for _ in range(turns):
        for i in range(n):
            for j in range(n):
                if i != j:
                    dx = place[j, 0] - place[i, 0]
                    dy = place[j, 1] - place[i, 1]
                    square = dx * dx + dy * dy + 0.01
                    pull = 0.001 * mass[j] / (square * square**0.5)
                    speed[i, 0] += dx * pull
                    speed[i, 1] += dy * pull
        for i in range(n):
            place[i, 0] += 0.001 * speed[i, 0]
            place[i, 1] += 0.001 * speed[i, 1]
    return place[0, 0]


def histogram(x: Any, counts: Any, n: Any) -> Any:
    for i in range(n):
        counts[x[i]] += 1
    return counts[3]


def bisection(wanted: Any, n: Any, turns: Any) -> Any:
    total = 0.0
    for i in range(n):
        low, high = 0.0, 2.0
        for _ in range(turns):
            middle = 0.5 * (low + high)
            if middle * middle * middle < wanted[i]:
                low = middle
            else:
                high = middle
        total += low
    return total


def mandelbrot(real: Any, imaginary: Any, n: Any) -> Any:
    total = 0
    for i in range(n):
        for j in range(n):
            x, y, k = 0.0, 0.0, 0
            while k < 50 and x * x + y * y <= 4.0:
                x, y = x * x - y * y + real[j], 2.0 * x * y + imaginary[i]
                k += 1
            total += k
    return total


def power(x: Any, n: Any) -> Any:
    result = x - x + 1
    while n > 0:
        result = result * x
        n = n - 1
    return result[0, 0]


def softmax(x: Any) -> Any:
    e = np.exp(x - np.max(x))
    return (e / np.sum(e))[0]


def waves(x: Any) -> Any:
    return np.tanh(x * 0.5 + 0.3) * np.exp(-x * x) + np.sin(x)


def softmax_rows(x: Any) -> Any:
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def softmax_by_rows(x: Any) -> Any:
    result = np.empty_like(x)
    for i in range(len(x)):
        e = np.exp(x[i] - np.max(x[i]))
        result[i] = e / np.sum(e)
    return result


def layernorm(x: Any) -> Any:
    off = x - np.mean(x, axis=-1, keepdims=True)
    return off / np.sqrt(np.mean(off * off, axis=-1, keepdims=True) + 1e-5)


def layernorm_by_rows(x: Any) -> Any:
    result = np.empty_like(x)
    for i in range(len(x)):
        off = x[i] - np.mean(x[i])
        result[i] = off / np.sqrt(np.mean(off * off) + 1e-5)
    return result


def softplus(x: Any) -> Any:
    return np.log1p(np.exp(x))


def bell(x: Any) -> Any:
    return np.exp(-x * x / 2)


def log_softmax(x: Any) -> Any:
    off = x - np.max(x, axis=-1, keepdims=True)
    return off - np.log(np.sum(np.exp(off), axis=-1, keepdims=True))


def log_softmax_by_rows(x: Any) -> Any:
    result = np.empty_like(x)
    for i in range(len(x)):
        off = x[i] - np.max(x[i])
        result[i] = off - np.log(np.sum(np.exp(off)))
    return result


def standardised(x: Any) -> Any:
    return (x - np.mean(x, axis=0)) / np.std(x, axis=0)


def standardised_by_columns(x: Any) -> Any:
    n = len(x)
    total, squares = np.zeros_like(x[0]), np.zeros_like(x[0])
    for i in range(n):
        total += x[i]
    mean = total / n
    for i in range(n):
        squares += (x[i] - mean) ** 2
    result = np.empty_like(x)
    for i in range(n):
        result[i] = (x[i] - mean) / np.sqrt(squares / n)
    return result


def running_sums(x: Any) -> Any:
    return np.cumsum(x, axis=0)


def running_sums_by_rows(x: Any) -> Any:
    result = x.copy()
    for i in range(1, len(x)):
        result[i] += result[i - 1]
    return result


def escapes(x: Any) -> Any:
    z = np.zeros_like(x)
    turns = np.zeros_like(x)
    for _ in range(50):
        alive = np.abs(z) <= 2.0
        z = np.where(alive, z * z + x, z)
        turns = turns + alive
    return turns


def escapes_one_by_one(x: Any) -> Any:
    result = np.empty_like(x)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            z, turns = x[i, j] - x[i, j], 0
            while turns < 50 and abs(z) <= 2.0:
                z = z * z + x[i, j]
                turns += 1
            result[i, j] = turns
    return result


def escaping(x: Any) -> Any:
    z, turns, left = np.zeros_like(x), np.zeros(x.shape, np.int64), 50
    alive = np.abs(z) <= 2.0
    while np.any(alive) and left > 0:
        z = np.where(alive, z * z + x, z)
        turns = turns + alive
        alive = alive & (np.abs(z) <= 2.0)
        left -= 1
    return turns * (x - x + 1.0)


def heat(x: Any) -> Any:
    for _ in range(50):
        around = np.roll(x, 1, 0) + np.roll(x, -1, 0) + np.roll(x, 1, 1) + np.roll(x, -1, 1)
        x = x + 0.1 * (around - 4.0 * x)
    return x


def heat_by_elements(x: Any) -> Any:
    n, m = x.shape
    y = np.empty_like(x)
    x = x.copy()
    for _ in range(50):
        for i in range(n):
            up, down = i - 1 if i > 0 else n - 1, i + 1 if i < n - 1 else 0
            for j in range(m):
                left, right = j - 1 if j > 0 else m - 1, j + 1 if j < m - 1 else 0
                around = x[up, j] + x[down, j] + x[i, left] + x[i, right]
                y[i, j] = x[i, j] + 0.1 * (around - 4.0 * x[i, j])
        x, y = y, x
    return x


def life(x: Any) -> Any:
    alive = x > 0.5
    for _ in range(50):
        cells = alive.astype(np.uint8)
        rows = cells + np.roll(cells, 1, 0) + np.roll(cells, -1, 0)
        near = rows + np.roll(rows, 1, 1) + np.roll(rows, -1, 1) - cells
        alive = (near == 3) | (alive & (near == 2))
    return alive.astype(x.dtype)


def life_by_elements(x: Any) -> Any:
    n, m = x.shape
    alive, after = (x > 0.5).astype(np.uint8), np.empty(x.shape, np.uint8)
    for _ in range(50):
        for i in range(n):
            up, down = i - 1 if i > 0 else n - 1, i + 1 if i < n - 1 else 0
            for j in range(m):
                left, right = j - 1 if j > 0 else m - 1, j + 1 if j < m - 1 else 0
                near = alive[up, left] + alive[up, j] + alive[up, right] + alive[i, left] + alive[i, right]
                near += alive[down, left] + alive[down, j] + alive[down, right]
                after[i, j] = near == 3 or (alive[i, j] == 1 and near == 2)
        alive, after = after, alive
    return alive.astype(x.dtype)


@dataclass(frozen=True)
class Program:
    """One program, and how its arguments are made: some are written into.

    Attributes
    ----------
    run, arguments : callable
    gives_float : bool
        Whether the number that it gives is a float.
    of : str
        The array that it takes and gives another of, in words; empty where it gives a number.
    by_numba : callable or None
        What Numba compiles instead.
    """

    run: Callable[..., Any]
    arguments: Callable[[], tuple[Any, ...]]
    gives_float: bool
    of: str = ""
    by_numba: Callable[..., Any] | None = None

    @property
    def title(self) -> str:
        """What its row is called."""
        return f"`{self.run.__name__}`" + (f", {self.of}" if self.of else "")


def _programs() -> list[Program]:
    rng = np.random.default_rng(0)
    one, other = rng.integers(0, 4, 60), rng.integers(0, 4, 60)
    table = np.zeros((61, 61), np.int64)
    table[0], table[:, 0] = np.arange(61), np.arange(61)
    place, speed, mass = rng.random((8, 2)), rng.random((8, 2)), rng.random(8)
    drawn, wanted = rng.integers(0, 16, 10_000), rng.random(20_000)
    grid, square, row = np.linspace(-2.0, 1.0, 64), rng.integers(0, 3, (10, 10)), rng.random(1_000)
    return [
        Program(collatz, lambda: (989_345_275_647,), False),
        Program(newton, lambda: (2.0, 1_000), True),
        Program(predators, lambda: (0.5, 10_000), True),
        Program(gcd, lambda: (100,), False),
        Program(sieve, lambda: (np.ones(10_000, bool), 10_000), False),
        Program(edit_distance, lambda: (one, other, table.copy(), 60), False),
        Program(bodies, lambda: (place.copy(), speed.copy(), mass, 8, 20), True),
        Program(histogram, lambda: (drawn, np.zeros(16, np.int64), 10_000), False),
        Program(bisection, lambda: (wanted, 20_000, 40), True),
        Program(mandelbrot, lambda: (grid, grid, 64), False),
        Program(power, lambda: (square, 100), False),
        Program(softmax, lambda: (row,), True),
        *[
            _of_array(run, shape, dtype, by_numba)
            for run, shapes, by_numba in (
                (waves, ((1_000,), (1_000_000,)), None),
                (softmax_rows, ((256, 256),), softmax_by_rows),
                (layernorm, ((256, 256),), layernorm_by_rows),
                (softplus, ((1_000,), (1_000_000,)), None),
                (bell, ((1_000,), (1_000_000,)), None),
                (log_softmax, ((256, 256),), log_softmax_by_rows),
                (standardised, ((256, 256),), standardised_by_columns),
                (running_sums, ((256, 256),), running_sums_by_rows),
                (escapes, ((256, 256),), escapes_one_by_one),
                (escaping, ((256, 256),), escapes_one_by_one),
                (heat, ((256, 256),), heat_by_elements),
                (life, ((256, 256),), life_by_elements),
            )
            for shape in shapes
            for dtype in ("float32", "float64")
        ],
    ]


def _of_array(
    run: Callable[..., Any], shape: tuple[int, ...], dtype: str, by_numba: Callable[..., Any] | None
) -> Program:
    x = np.random.default_rng(0).normal(0, 1, shape).astype(dtype)
    return Program(run, lambda: (x,), True, f"{' × '.join(f'{n:,}' for n in shape)} {dtype}", by_numba)


def report(rounds: int) -> str:
    """A row for each program: the time of our machine code, and how many times as long the others take.

    Parameters
    ----------
    rounds : int
        Turns that each contender takes.
    """
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    library = _in_c()
    scenes = [_scene(program, library) for program in _programs()]
    names = list(dict.fromkeys(each.name for scene in scenes for each in scene.contenders))
    lines = [f"| program | {' | '.join(names)} |", f"|---|{'---:|' * len(names)}"]
    for result in measure_in_turns(scenes, rounds):
        taken = dict(zip([each.name for each in result.scene.contenders], result.seconds, strict=True))
        first = result.seconds[0]
        cells = [
            f"{float(f'{first * 1e6:.3g}'):,g} µs",
            *[_ratio(taken.get(name), first) for name in names[1:]],
        ]
        lines.append(f"| {result.scene.title} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _ratio(seconds: float | None, first: float) -> str:
    if seconds is None:
        return ""
    ratio = seconds / first
    return f"{ratio:.0f} ×" if ratio >= 10 else f"{ratio:.1f} ×"


def _scene(program: Program, library: ctypes.CDLL | None) -> Scene:
    run, fresh = program.run, program.arguments
    tensors = tuple(map(rt.asarray, fresh()))
    runs: dict[str, Callable[[], Any]] = {
        "machine code": _on(tensors, ag.function(run, jit_compile=True)),
        "NumPy program": _on(tensors, ag.function(run, executor="numpy")),
        "Python on NumPy": _fresh(fresh, run),
    }
    if importlib.util.find_spec("numba"):
        import numba  # noqa: PLC0415  # a rival: only where it is installed

        runs["Numba"] = _fresh(fresh, numba.njit(program.by_numba or run))
    if importlib.util.find_spec("jax"):
        from benchmarks import rivals_jax  # noqa: PLC0415  # a rival: only where it is installed

        by_jax = rivals_jax.compiled(run.__name__, fresh())
        if by_jax is not None:
            runs["JAX"] = by_jax
    if library is not None:
        runs["gcc -O3"] = _by_c(library, program)
    wanted = np.asarray(runs["Python on NumPy"]())
    for name, each in runs.items():
        rtol = 1e-3 if wanted.dtype == np.float32 else 1e-6
        np.testing.assert_allclose(
            np.asarray(each()), wanted, rtol=rtol, atol=rtol * 1e-2, err_msg=f"{program.title}, {name}"
        )
    return Scene(
        program.title, [Contender(name, timed(each, clock=time.process_time)) for name, each in runs.items()]
    )


def _on(tensors: tuple[Any, ...], graph: Callable[..., Any]) -> Callable[[], Any]:
    return lambda: graph(*tensors)


def _fresh(arguments: Callable[[], tuple[Any, ...]], run: Callable[..., Any]) -> Callable[[], Any]:
    """A call with arguments of its own: these programs write into them."""
    return lambda: run(*arguments())


def _in_c() -> ctypes.CDLL | None:
    """The programs as C, by the compiler that is there."""
    compiler = shutil.which("gcc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        objects = []
        for name, option in (("rivals.c", "-ffp-contract=off"), ("rivals_arrays.c", "-ffast-math")):
            objects.append(str(Path(folder) / f"{name}.o"))
            options = ["-O3", "-march=native", option, "-fPIC", "-c", "-o", objects[-1]]
            source = str(Path(__file__).with_name(name))
            subprocess.run([compiler, *options, source], check=True)  # noqa: S603  # our own source
        target = str(
            Path(folder) / "rivals.so"
        )  # linked without -ffast-math, which would switch off small numbers
        linked = [compiler, "-shared", "-o", target, *objects, "-lmvec", "-lm"]
        subprocess.run(linked, check=True)  # noqa: S603  # our own source
        return ctypes.CDLL(target)


_KINDS: Mapping[type, Any] = {int: ctypes.c_int64, float: ctypes.c_double}


def _by_c(library: ctypes.CDLL, program: Program) -> Callable[[], Any]:
    """A call of the function of C: numbers as they are, an array by its address and its length."""
    if program.of:
        return _by_c_on_array(library, program)
    function = getattr(library, program.run.__name__)
    function.restype = ctypes.c_double if program.gives_float else ctypes.c_int64
    fresh = program.arguments

    def run() -> Any:
        given: list[Any] = []
        arrays = fresh()
        for each in arrays:
            if isinstance(each, np.ndarray):
                given += [ctypes.c_void_p(each.ctypes.data), ctypes.c_int64(len(each))]
            else:
                given.append(_KINDS[type(each)](each))
        return function(*given)

    return run


def _by_c_on_array(library: ctypes.CDLL, program: Program) -> Callable[[], Any]:
    """Likewise of a function that fills an array."""
    (x,) = program.arguments()
    function = getattr(library, f"{program.run.__name__}_{x.dtype}")
    function.restype = None
    lengths = [ctypes.c_int64(length) for length in x.shape]

    def run() -> Any:
        result = np.empty_like(x)
        function(ctypes.c_void_p(x.ctypes.data), *lengths, ctypes.c_void_p(result.ctypes.data))
        return result

    return run
