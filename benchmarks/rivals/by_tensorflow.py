"""TensorFlow: its AutoGraph takes the programs with its functions for NumPy's, as a graph, and by XLA.

Loops whose variables begin with numbers of Python's are written anew: it makes these float32 and int32.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tensorflow.experimental import numpy as tnp

from benchmarks.rivals.kernels import KERNELS
from benchmarks.rivals.programs import Program, with_library

__all__ = ["VERSION", "as_graph", "by_xla"]

VERSION = f"TensorFlow {tf.__version__}"
tnp.experimental_enable_numpy_behavior()


def newton(a: Any, n: Any) -> Any:
    total = tf.constant(0.0, tf.float64)
    for i in tf.range(tf.cast(n, tf.float64), dtype=tf.float64):
        x = a + i
        while tf.abs(x * x - a - i) > 1e-9:
            x = 0.5 * (x + (a + i) / x)
        total = total + x
    return total


def predators(x: Any, n: Any) -> Any:
    y = tf.constant(1.0, tf.float64)
    for _ in tf.range(n):
        dx = x * (1.1 - 0.4 * y)
        dy = y * (0.1 * x - 0.4)
        x = x + 0.01 * dx
        y = y + 0.01 * dy
    return x


def gcd(n: Any) -> Any:
    total = tf.constant(0, tf.int64)
    for i in tf.range(1, n):
        for j in tf.range(1, i):
            a, b = i, j
            while b != 0:
                a, b = b, a % b
            total += a
    return total


def appended(x: Any, n: Any) -> Any:
    count = tf.cast(n, tf.int32)
    values = tf.TensorArray(tf.float64, count)
    for i in tf.range(count):
        values = values.write(i, tf.cast(i, tf.float64) * x)
    return values.read(count // 2) + values.read(count - 1)


def bisection(wanted: Any, _: Any, turns: Any) -> Any:
    low, high = tf.zeros_like(wanted), tf.fill(tf.shape(wanted), tf.constant(2.0, tf.float64))
    for _ in tf.range(turns):
        middle = 0.5 * (low + high)
        is_less = middle * middle * middle < wanted
        low, high = tf.where(is_less, middle, low), tf.where(is_less, high, middle)
    return tf.reduce_sum(low)


def mandelbrot(real: Any, imaginary: Any, _: Any) -> Any:
    a, b = tf.meshgrid(real, imaginary)
    x, y = tf.zeros_like(a), tf.zeros_like(b)
    count = tf.zeros(tf.shape(a), tf.int64)
    for _ in tf.range(50):
        inside = x * x + y * y <= 4.0
        x, y = tf.where(inside, x * x - y * y + a, x), tf.where(inside, 2.0 * x * y + b, y)
        count += tf.cast(inside, tf.int64)
    return tf.reduce_sum(count)


_FORMS = {each.__name__: each for each in (newton, predators, gcd, appended, bisection, mandelbrot)}
_WRITING = frozenset(
    {"sieve", "edit_distance", "bodies", "histogram", "spreading", *[kernel.__name__ for kernel in KERNELS]}
)
"""They write into their arrays, and its tensors cannot be written into."""


def as_graph(program: Program) -> Callable[[], Any] | None:
    """A call of the graph of a program."""
    return _called(program, jit_compile=False)


def by_xla(program: Program) -> Callable[[], Any] | None:
    """A call of what XLA makes of the graph."""
    return _called(program, jit_compile=True)


def _called(program: Program, *, jit_compile: bool) -> Callable[[], Any] | None:
    if program.run.__name__ in _WRITING:
        return None
    run = _FORMS.get(program.run.__name__) or with_library(program.run, tnp)
    graph = tf.function(run, jit_compile=jit_compile)
    given = tuple(map(tnp.asarray, program.arguments()))
    return lambda: graph(*given).numpy()
