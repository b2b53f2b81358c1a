"""JAX: loops are written with its own functions; others are as they are, with its functions for NumPy's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
from jax import lax
from jax import numpy as jnp

from benchmarks.rivals.programs import Program, with_library

__all__ = ["VERSION", "compiled"]

VERSION = f"JAX {jax.__version__}"

jax.config.update("jax_enable_x64", True)


def collatz(n: Any) -> Any:
    def turn(state: Any) -> Any:
        n, steps = state
        return jnp.where(n % 2 == 0, n // 2, 3 * n + 1), steps + 1

    return lax.while_loop(lambda state: state[0] != 1, turn, (n, 0))[1]


def newton(a: Any, n: Any) -> Any:
    def root(i: Any, total: Any) -> Any:
        def further(x: Any) -> Any:
            return 0.5 * (x + (a + i) / x)

        return total + lax.while_loop(lambda x: jnp.abs(x * x - a - i) > 1e-9, further, a + i)

    return lax.fori_loop(0, n, root, 0.0)


def predators(x: Any, n: Any) -> Any:
    def turn(_: Any, state: Any) -> Any:
        x, y = state
        return x + 0.01 * (x * (1.1 - 0.4 * y)), y + 0.01 * (y * (0.1 * x - 0.4))

    return lax.fori_loop(0, n, turn, (x, 1.0))[0]


def gcd(n: Any) -> Any:
    def of(i: Any, j: Any) -> Any:
        return lax.while_loop(lambda s: s[1] != 0, lambda s: (s[1], s[0] % s[1]), (i, j))[0]

    def row(i: Any, total: Any) -> Any:
        return lax.fori_loop(1, i, lambda j, inner: inner + of(i, j), total)

    return lax.fori_loop(1, n, row, 0)


def histogram(x: Any, counts: Any, _: Any) -> Any:
    return counts.at[x].add(1)[3]


def bisection(wanted: Any, _: Any, turns: Any) -> Any:
    def turn(_: Any, state: Any) -> Any:
        low, high = state
        middle = 0.5 * (low + high)
        is_less = middle * middle * middle < wanted
        return jnp.where(is_less, middle, low), jnp.where(is_less, high, middle)

    return jnp.sum(lax.fori_loop(0, turns, turn, (jnp.zeros_like(wanted), jnp.full_like(wanted, 2.0)))[0])


def mandelbrot(real: Any, imaginary: Any, _: Any) -> Any:
    a, b = jnp.meshgrid(real, imaginary)

    def turn(_: Any, state: Any) -> Any:
        x, y, count = state
        inside = x * x + y * y <= 4.0
        return (
            jnp.where(inside, x * x - y * y + a, x),
            jnp.where(inside, 2.0 * x * y + b, y),
            count + inside,
        )

    zero = jnp.zeros_like(a)
    return jnp.sum(lax.fori_loop(0, 50, turn, (zero, zero, jnp.zeros(a.shape, jnp.int64)))[2])


def power(x: Any, n: Any) -> Any:
    return lax.fori_loop(0, n, lambda _, result: result * x, jnp.ones_like(x))[0, 0]


def root(a: Any) -> Any:
    return lax.while_loop(lambda x: jnp.abs(x * x - a) > 1e-9, lambda x: 0.5 * (x + a / x), a)


def escapes(x: Any) -> Any:
    def turn(_: Any, state: Any) -> Any:
        z, turns = state
        alive = jnp.abs(z) <= 2.0
        return jnp.where(alive, z * z + x, z), turns + alive

    zero = jnp.zeros_like(x)
    return lax.fori_loop(0, 50, turn, (zero, zero))[1]


def escaping(x: Any) -> Any:
    def turn(state: Any) -> Any:
        z, turns, alive, left = state
        z = jnp.where(alive, z * z + x, z)
        return z, turns + alive, alive & (jnp.abs(z) <= 2.0), left - 1

    zero = jnp.zeros_like(x)
    start = zero, jnp.zeros(x.shape, jnp.int64), jnp.ones(x.shape, bool), 50
    return lax.while_loop(lambda state: jnp.any(state[2]) & (state[3] > 0), turn, start)[1] * (x - x + 1.0)


def heat(x: Any) -> Any:
    def turn(_: Any, x: Any) -> Any:
        around = jnp.roll(x, 1, 0) + jnp.roll(x, -1, 0) + jnp.roll(x, 1, 1) + jnp.roll(x, -1, 1)
        return x + 0.1 * (around - 4.0 * x)

    return lax.fori_loop(0, 50, turn, x)


def life(x: Any) -> Any:
    def turn(_: Any, alive: Any) -> Any:
        cells = alive.astype(jnp.uint8)
        rows = cells + jnp.roll(cells, 1, 0) + jnp.roll(cells, -1, 0)
        near = rows + jnp.roll(rows, 1, 1) + jnp.roll(rows, -1, 1) - cells
        return (near == 3) | (alive & (near == 2))

    return lax.fori_loop(0, 50, turn, x > 0.5).astype(x.dtype)


def spreading(x: Any) -> Any:
    def turn(_: Any, x: Any) -> Any:
        around = x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]
        return x.at[1:-1, 1:-1].add(0.1 * (around - 4.0 * x[1:-1, 1:-1]))

    return lax.fori_loop(0, 50, turn, x)


def appended(x: Any, n: Any) -> Any:
    values = lax.scan(lambda _, i: (_, i * x), None, jnp.arange(1_000))[1]
    return values[n // 2] + values[n - 1]


def recurrent(xs: Any, own: Any, other: Any, shift: Any) -> Any:
    def step(h: Any, x: Any) -> Any:
        h = jnp.tanh(x @ own + h @ other + shift)
        return h, h

    return lax.scan(step, jnp.zeros_like(shift), xs)[1]


_OWN = (
    *(collatz, newton, predators, gcd, histogram, bisection, mandelbrot, power, root),
    *(escapes, escaping, heat, life, spreading, appended, recurrent),
)
_FORMS = {each.__name__: each for each in _OWN}


def compiled(program: Program) -> Callable[[], Any] | None:
    """A call of what JAX makes of a program; None where it has no form for it."""
    form = _FORMS.get(program.run.__name__)
    if form is None:
        if not (program.of or program.run.__name__ == "softmax"):
            return None
        form = with_library(program.run, jnp)
    run = jax.jit(lambda *given: form(*given))  # noqa: PLW0108  # one that JAX has not seen
    given = tuple(map(jnp.asarray, program.arguments()))
    return lambda: run(*given).block_until_ready()
