"""The programs, as one writes them with NumPy: all that reads them has its own library for it.

The Python of a program is written once: it runs as it stands, becomes our graph, is compiled by Numba, but
where that lacks a function of NumPy's, and by the others with their functions in the place of NumPy's.
Loops are written anew for JAX, some for TensorFlow, and all of it for C, in files beside this one.
"""

from __future__ import annotations

import itertools
import linecache
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from benchmarks.rivals.kernels import KERNELS

__all__ = ["Program", "first_calls", "new_process", "of_text", "programs", "with_library"]


def collatz(n: Any) -> Any:
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def predators(x: Any, n: Any) -> Any:
    y = 1.0
    for _ in range(n):
        dx = x * (1.1 - 0.4 * y)
        dy = y * (0.1 * x - 0.4)
        x = x + 0.01 * dx
        y = y + 0.01 * dy
    return x


def sieve(prime: Any, n: Any) -> Any:
    count = 0
    for i in range(2, n):
        if prime[i]:
            count += 1
            for j in range(i * i, n, i):
                prime[j] = False
    return count


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


def spreading(x: Any) -> Any:
    x = x.copy()
    for _ in range(50):
        around = x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]
        x[1:-1, 1:-1] += 0.1 * (around - 4.0 * x[1:-1, 1:-1])
    return x


def spreading_by_elements(x: Any) -> Any:
    n, m = x.shape
    x = x.copy()
    y = x.copy()
    for _ in range(50):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                around = x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1]
                y[i, j] = x[i, j] + 0.1 * (around - 4.0 * x[i, j])
        x, y = y, x
    return x


def layers(x: Any, first: Any, shift: Any, second: Any) -> Any:
    return np.maximum(x @ first + shift, 0) @ second


def recurrent(xs: Any, own: Any, other: Any, shift: Any) -> Any:
    h = np.zeros_like(shift)
    states = []
    for x in xs:
        h = np.tanh(x @ own + h @ other + shift)
        states.append(h)
    return np.stack(states)


def recurrent_by_rows(xs: Any, own: Any, other: Any, shift: Any) -> Any:
    h = np.zeros_like(shift)
    states = np.empty((len(xs), len(shift)), shift.dtype)
    for i in range(len(xs)):
        h = np.tanh(xs[i] @ own + h @ other + shift)
        states[i] = h
    return states


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


def add(x: Any, y: Any) -> Any:
    return x + y


def best_of_rows(x: Any) -> Any:
    return np.argmax(x, axis=-1)


def best_row_by_row(x: Any) -> Any:
    result = np.empty(len(x), np.int64)
    for i in range(len(x)):
        result[i] = np.argmax(x[i])
    return result


def appended(x: Any, n: Any) -> Any:
    values = []
    for i in range(n):
        values.append(i * x)  # noqa: PERF401  # which is what is timed
    return values[n // 2] + values[n - 1]


def guide_power(x: Any) -> Any:
    """TensorFlow's guide calls it with 100 turns."""
    result = np.eye(10, dtype=x.dtype)
    for _ in range(100):
        result = np.matmul(x, result)
    return result


def guide_power_by_elements(x: Any) -> Any:
    result = np.eye(10, dtype=x.dtype)
    for _ in range(100):
        before = result
        result = np.zeros_like(x)
        for i in range(10):
            for k in range(10):
                for j in range(10):
                    result[i, j] += x[i, k] * before[k, j]
    return result


@dataclass(frozen=True)
class Program:
    """One program, and how its arguments are made: some are written into.

    Attributes
    ----------
    run, arguments : callable
    gives_float : bool
        Whether the number that it gives is a float.
    of : str
        The arrays that it takes and gives another of, in words; empty where it gives a number.
    by_numba : callable or None
        What Numba compiles instead.
    length : int
        How many operations there are one after the other; 0 where nobody counts.
    """

    run: Callable[..., Any]
    arguments: Callable[[], tuple[Any, ...]]
    gives_float: bool
    of: str = ""
    by_numba: Callable[..., Any] | None = None
    length: int = 0

    @property
    def title(self) -> str:
        """What its row is called."""
        return f"`{self.run.__name__}`" + (f", {self.of}" if self.of else "")


def of_text(text: str, name: str) -> Callable[..., Any]:
    """A function of a text that no file has."""
    file = f"<{name} {len(linecache.cache)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names: dict[str, Any] = {"np": np, "__name__": __name__}
    exec(compile(text, file, "exec"), names)  # noqa: S102  # our own text
    made: Callable[..., Any] = names[name]
    return made


def with_library(run: Any, library: ModuleType) -> Any:
    """A program of NumPy's functions that has those of another library in their places."""
    return FunctionType(run.__code__, {**run.__globals__, "np": library}, run.__name__)


def programs() -> list[Program]:
    """Those whose runs are timed."""
    rng = np.random.default_rng(0)
    one, other = rng.integers(0, 4, 60), rng.integers(0, 4, 60)
    table = np.zeros((61, 61), np.int64)
    table[0], table[:, 0] = np.arange(61), np.arange(61)
    place, speed, mass = rng.random((8, 2)), rng.random((8, 2)), rng.random(8)
    drawn, wanted = rng.integers(0, 16, 10_000), rng.random(20_000)
    grid, square, row = np.linspace(-2.0, 1.0, 64), rng.integers(0, 3, (10, 10)), rng.random(1_000)
    four, matrix = np.ones(4, np.float32), rng.integers(0, 10, (10, 10)).astype(np.int32)
    return [
        Program(collatz, lambda: (989_345_275_647,), False),
        Program(newton, lambda: (2.0, 1_000), True),
        Program(predators, lambda: (0.5, 10_000), True),
        Program(gcd, lambda: (100,), False),
        Program(sieve, lambda: (np.ones(10_000, bool), 10_000), False),
        Program(edit_distance, lambda: (one, other, table.copy(), 60), False),
        Program(bodies, lambda: (place.copy(), speed.copy(), mass, 8, 20), True),
        Program(histogram, lambda: (drawn, np.zeros(16, np.int64), 10_000), False),
        Program(appended, lambda: (0.3, 1_000), True),
        Program(bisection, lambda: (wanted, 20_000, 40), True),
        Program(mandelbrot, lambda: (grid, grid, 64), False),
        Program(power, lambda: (square, 100), False),
        Program(softmax, lambda: (row,), True),
        Program(add, lambda: (four, four), True, "4 float32"),
        Program(guide_power, lambda: (matrix,), False, "10 × 10 int32", guide_power_by_elements),
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
                (best_of_rows, ((256, 256),), best_row_by_row),
                (running_sums, ((256, 256),), running_sums_by_rows),
                (escapes, ((256, 256),), escapes_one_by_one),
                (escaping, ((256, 256),), escapes_one_by_one),
                (heat, ((256, 256),), heat_by_elements),
                (life, ((256, 256),), life_by_elements),
                (spreading, ((256, 256),), spreading_by_elements),
            )
            for shape in shapes
            for dtype in ("float32", "float64")
        ],
        _of_arrays(layers, [(32, 64), (64, 128), (128,), (128, 10)], None),
        _of_arrays(recurrent, [(200, 8), (8, 64), (64, 64), (64,)], recurrent_by_rows),
        *[_chain(length) for length in (100, 1_000, 5_000)],
        *[_kernel(run, given) for run, given in KERNELS.items()],
    ]


def first_calls() -> list[Program]:
    """Those whose first calls are timed: each list has functions that no list had before."""
    return [_small(), _root(), *[_chain(length) for length in (100, 1_000, 5_000)]]


def new_process() -> Program:
    """The one that new processes import and call everything for."""
    return Program(predators, lambda: (0.5, 1_000), True)


def _of_array(
    run: Callable[..., Any], shape: tuple[int, ...], dtype: str, by_numba: Callable[..., Any] | None
) -> Program:
    x = np.random.default_rng(0).normal(0, 1, shape).astype(dtype)
    return Program(run, lambda: (x,), True, f"{' × '.join(f'{n:,}' for n in shape)} {dtype}", by_numba)


def _of_arrays(
    run: Callable[..., Any], shapes: Sequence[tuple[int, ...]], by_numba: Callable[..., Any] | None
) -> Program:
    rng = np.random.default_rng(0)
    given = tuple([rng.normal(0, 0.1, shape).astype(np.float32) for shape in shapes])
    of = f"{' × '.join(map(str, shapes[0]))} float32"
    return Program(run, lambda: given, True, of, by_numba)


def _kernel(run: Callable[..., Any], given: tuple[np.ndarray, ...]) -> Program:
    return Program(run, lambda: tuple([each.copy() for each in given]), given[0].dtype.kind == "f")


def _chain(length: int) -> Program:
    """So many operations one after the other, of which no loop can be made."""
    lines = [f"    y = y * {0.9 + next(_NUMBERS) * 1e-9} + x\n" for _ in range(length // 2)]
    run = of_text(f"def chain(x):\n    y = x\n{''.join(lines)}    return y\n", "chain")
    return replace(_of_array(run, (1_000,), "float32", None), of=f"{length:,} operations", length=length)


def _small() -> Program:
    run = of_text(f"def small(x):\n    return np.exp(-x * x / {next(_NUMBERS)}) + np.sin(x)\n", "small")
    return _of_array(run, (1_000,), "float32", None)


def _root() -> Program:
    text = f"""def root(a):
    x = a
    while abs(x * x - a) > {next(_NUMBERS)}e-12:
        x = 0.5 * (x + a / x)
    return x
"""
    return Program(of_text(text, "root"), lambda: (2.0,), True)


_NUMBERS = itertools.count(2)
"""One in each text makes it one that was not compiled before."""
