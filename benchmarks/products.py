"""Programs whose loops multiply matrices and vectors, beside plain Python, and JAX where that is installed.

python -m benchmarks products

They run as they do by default: no bit differs from NumPy's. JAX's are written with its own loops, in float64.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import autograph as ag

__all__ = ["PROGRAMS", "report"]

_SECONDS, _WARM = 2.0, 120
"""How long each is timed, and calls before that: better code has come by then."""
_WARM_WITHOUT_LOOPS = 2200
"""Calls of a function of few operations, after which it is machine code."""


def recurrent(xs: Any, w: Any, u: Any, b: Any, h: Any) -> Any:
    """A recurrent network."""
    for x in xs:
        h = np.tanh(w @ x + u @ h + b)
    return h


def cell(xs: Any, w: Any, u: Any, b: Any, h: Any, c: Any) -> Any:
    """A network with long memory (LSTM)."""
    n = len(h)
    for x in xs:
        z = w @ x + u @ h + b
        i, f, o = (1 / (1 + np.exp(-z[k * n : (k + 1) * n])) for k in range(3))
        c = f * c + i * np.tanh(z[3 * n :])
        h = o * np.tanh(c)
    return h


def layers(x: Any, w: Any, b: Any, v: Any, d: Any) -> Any:
    """Two layers, once."""
    return np.maximum(x @ w + b, 0.0) @ v + d


def attention(x: Any, q: Any, k: Any, v: Any) -> Any:
    """Attention among the items of a short sequence, once."""
    scores = (x @ q) @ (x @ k).T / 4.0
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return (weights / weights.sum(axis=1, keepdims=True)) @ (x @ v)


def ranks(links: Any, rank: Any) -> Any:
    """PageRank of a matrix of links."""
    while True:
        after = 0.85 * (links @ rank) + 0.15 / len(rank)
        if np.sum(np.abs(after - rank)) < 1e-10:
            return after
        rank = after


def hubs(links: Any, hub: Any) -> Any:
    """Hubs and authorities (HITS)."""
    for _ in range(50):
        authority = links.T @ hub
        authority = authority / np.linalg.norm(authority)
        hub = links @ authority
        hub = hub / np.linalg.norm(hub)
    return hub


def hidden(steps: Any, shown: Any, start: Any, seen: Any) -> Any:
    """How likely a hidden Markov model finds what was seen."""
    state, likely = start * shown[:, seen[0]], 0.0
    for t in range(1, len(seen)):
        state = (state @ steps) * shown[:, seen[t]]
        total = state.sum()
        state, likely = state / total, likely + np.log(total)
    return likely


def filtered(f: Any, h: Any, q: Any, r: Any, x: Any, p: Any, zs: Any) -> Any:
    """A Kalman filter of two numbers."""
    for z in zs:
        x = f @ x
        p = f @ p @ f.T + q
        gain = p @ h.T / (h @ p @ h.T + r)[0, 0]
        x = x + gain[:, 0] * (z - (h @ x)[0])
        p = p - gain @ h @ p
    return x


def conjugate(a: Any, b: Any, x: Any) -> Any:
    """Conjugate gradients."""
    r = b - a @ x
    p, rs = r, r @ r
    for _ in range(50):
        ap = a @ p
        step = rs / (p @ ap)
        x, r = x + step * p, r - step * ap
        new = r @ r
        if np.sqrt(new) < 1e-10:
            break
        p, rs = r + (new / rs) * p, new
    return x


def ridge(x: Any, y: Any, w: Any) -> Any:
    """A regression by descent."""
    for _ in range(200):
        w = w - 0.01 * (x.T @ (x @ w - y) / len(y) + 0.1 * w)
    return w


def logistic(x: Any, y: Any, w: Any) -> Any:
    """A logistic regression by descent."""
    for _ in range(100):
        p = 1 / (1 + np.exp(-(x @ w)))
        w = w - 0.1 * (x.T @ (p - y)) / len(y)
    return w


def markov(steps: Any, p: Any) -> Any:
    """A Markov chain."""
    for _ in range(200):
        p = p @ steps
    return p


_N = np.random.default_rng(0).normal


def _stochastic(n: int) -> Any:
    found = np.abs(_N(size=(n, n)))
    return found / found.sum(axis=0)


def _definite(n: int) -> Any:
    found = _N(size=(n, n))
    return found @ found.T / n + np.eye(n)


def _network(width: int, inputs: int) -> tuple[Any, ...]:
    weights = _N(size=(width, inputs)) * 0.3, _N(size=(width, width)) * 0.2
    return _N(size=(200, inputs)), *weights, _N(size=width), np.zeros(width)


_F = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0]]), np.eye(2) * 0.01, np.eye(1)

PROGRAMS: Mapping[str, tuple[Callable[..., Any], Sequence[Any]]] = {
    "`recurrent`, 200 × 16": (recurrent, _network(16, 8)),
    "`recurrent`, 200 × 64": (recurrent, _network(64, 32)),
    "`cell`, 100 × 16": (
        cell,
        (_N(size=(100, 8)), _N(size=(64, 8)) * 0.3, _N(size=(64, 16)) * 0.2, _N(size=64), *np.zeros((2, 16))),
    ),
    "`layers`, 32 × 16 × 64": (
        layers,
        (_N(size=(32, 16)), _N(size=(16, 64)), _N(size=64), _N(size=(64, 10)), _N(size=10)),
    ),
    "`attention`, 16 × 16": (attention, tuple(_N(size=(4, 16, 16)))),
    "`ranks`, 100 pages": (ranks, (_stochastic(100), np.full(100, 0.01))),
    "`ranks`, 500 pages": (ranks, (_stochastic(500), np.full(500, 0.002))),
    "`hubs`, 20 pages": (hubs, (np.abs(_N(size=(20, 20))), np.ones(20))),
    "`hidden`, 5 states": (
        hidden,
        (_stochastic(5).T.copy(), _stochastic(5), np.full(5, 0.2), np.arange(100) ** 2 % 5),
    ),
    "`filtered`, 100 turns": (filtered, (*_F, np.zeros(2), np.eye(2), _N(size=100))),
    "`conjugate`, 20": (conjugate, (_definite(20), _N(size=20), np.zeros(20))),
    "`conjugate`, 200": (conjugate, (_definite(200), _N(size=200), np.zeros(200))),
    "`ridge`, 50 × 5": (ridge, (_N(size=(50, 5)), _N(size=50), np.zeros(5))),
    "`logistic`, 100 × 5": (logistic, (_N(size=(100, 5)), (_N(size=100) > 0) * 1.0, np.zeros(5))),
    "`logistic`, 2,000 × 10": (logistic, (_N(size=(2000, 10)), (_N(size=2000) > 0) * 1.0, np.zeros(10))),
    "`markov`, 10 states": (markov, (_stochastic(10).T.copy(), np.full(10, 0.1))),
}
"""Each with arguments."""


def report(_: int) -> str:
    """The table, as text."""
    has_jax = importlib.util.find_spec("jax") is not None
    rivals = _of_jax() if has_jax else {}
    lines = ["| a call | machine code | Python on NumPy | JAX |", "|---|---:|---:|---:|"]
    for name, (function, arguments) in PROGRAMS.items():
        graph = ag.function(function)
        contenders = [_calling(graph, arguments), _calling(function, arguments)]
        if function in rivals:
            contenders.append(rivals[function](arguments))
        for _ in range(_WARM_WITHOUT_LOOPS if function in {layers, attention} else _WARM):
            contenders[0]()
        ours, *others = _least(contenders)
        beside = " | ".join(f"{other / ours:.1f} ×" for other in others)
        time_of_ours = f"{ours * 1e6:,.{1 if ours < 1e-4 else 0}f} µs"
        lines.append(f"| {name} | {time_of_ours} | {beside}{'' if len(others) > 1 else ' | '} |")
    return "\n".join(lines)


def _calling(function: Callable[..., Any], arguments: Sequence[Any]) -> Callable[[], Any]:
    return lambda: function(*arguments)


def _least(contenders: Sequence[Callable[[], Any]]) -> list[float]:
    """The least time that a call of each takes, in turns."""
    turns = [max(1, int(0.001 / _time(each, 1))) for each in contenders]
    least, end = [float("inf")] * len(contenders), time.perf_counter() + _SECONDS * len(contenders)
    while time.perf_counter() < end:
        for at, each in enumerate(contenders):
            least[at] = min(least[at], _time(each, turns[at]))
    return least


def _time(call: Callable[[], Any], turns: int) -> float:
    start = time.perf_counter()
    for _ in range(turns):
        call()
    return (time.perf_counter() - start) / turns


def _of_jax() -> dict[Callable[..., Any], Callable[[Sequence[Any]], Callable[[], Any]]]:
    """The same programs with JAX's loops, each made of its arguments."""
    import jax  # noqa: PLC0415  # a rival
    import jax.numpy as jnp  # noqa: PLC0415
    from jax import lax  # noqa: PLC0415

    jax.config.update("jax_enable_x64", True)

    def of_recurrent(xs: Any, w: Any, u: Any, b: Any, h: Any) -> Any:
        return lax.scan(lambda h, x: (jnp.tanh(w @ x + u @ h + b), None), h, xs)[0]

    def of_cell(xs: Any, w: Any, u: Any, b: Any, h: Any, c: Any) -> Any:
        n = len(h)

        def turn(state: Any, x: Any) -> Any:
            h, c = state
            z = w @ x + u @ h + b
            i, f, o = (1 / (1 + jnp.exp(-z[k * n : (k + 1) * n])) for k in range(3))
            c = f * c + i * jnp.tanh(z[3 * n :])
            return (o * jnp.tanh(c), c), None

        return lax.scan(turn, (h, c), xs)[0][0]

    def of_ranks(links: Any, rank: Any) -> Any:
        def after(rank: Any) -> Any:
            return 0.85 * (links @ rank) + 0.15 / len(rank)

        def goes_on(state: Any) -> Any:
            return jnp.sum(jnp.abs(state[1] - state[0])) >= 1e-10

        return lax.while_loop(goes_on, lambda state: (state[1], after(state[1])), (rank, after(rank)))[1]

    def of_hubs(links: Any, hub: Any) -> Any:
        def turn(_: Any, hub: Any) -> Any:
            authority = links.T @ hub
            hub = links @ (authority / jnp.linalg.norm(authority))
            return hub / jnp.linalg.norm(hub)

        return lax.fori_loop(0, 50, turn, hub)

    def of_hidden(steps: Any, shown: Any, start: Any, seen: Any) -> Any:
        def turn(state: Any, at: Any) -> Any:
            found = (state[0] @ steps) * shown[:, at]
            total = found.sum()
            return (found / total, state[1] + jnp.log(total)), None

        return lax.scan(turn, (start * shown[:, seen[0]], 0.0), seen[1:])[0][1]

    def of_filtered(f: Any, h: Any, q: Any, r: Any, x: Any, p: Any, zs: Any) -> Any:
        def turn(state: Any, z: Any) -> Any:
            x, p = f @ state[0], f @ state[1] @ f.T + q
            gain = p @ h.T / (h @ p @ h.T + r)[0, 0]
            return (x + gain[:, 0] * (z - (h @ x)[0]), p - gain @ h @ p), None

        return lax.scan(turn, (x, p), zs)[0][0]

    def of_conjugate(a: Any, b: Any, x: Any) -> Any:
        def turn(state: Any) -> Any:
            k, x, r, p, rs = state
            ap = a @ p
            step = rs / (p @ ap)
            x, r = x + step * p, r - step * ap
            return k + 1, x, r, r + (r @ r / rs) * p, r @ r

        def goes_on(state: Any) -> Any:
            return (state[0] < 50) & (jnp.sqrt(state[4]) >= 1e-10)

        r = b - a @ x
        return lax.while_loop(goes_on, turn, (0, x, r, r, r @ r))[1]

    def of_logistic(x: Any, y: Any, w: Any) -> Any:
        def turn(_: Any, w: Any) -> Any:
            return w - 0.1 * (x.T @ (1 / (1 + jnp.exp(-(x @ w))) - y)) / len(y)

        return lax.fori_loop(0, 100, turn, w)

    def of_attention(x: Any, q: Any, k: Any, v: Any) -> Any:
        return jax.nn.softmax((x @ q) @ (x @ k).T / 4.0, axis=1) @ (x @ v)

    def of_ridge(x: Any, y: Any, w: Any) -> Any:
        def turn(_: Any, w: Any) -> Any:
            return w - 0.01 * (x.T @ (x @ w - y) / len(y) + 0.1 * w)

        return lax.fori_loop(0, 200, turn, w)

    written = {
        recurrent: lambda xs, w, u, b, h: lax.scan(lambda h, x: (jnp.tanh(w @ x + u @ h + b), None), h, xs)[
            0
        ],
        cell: of_cell,
        layers: lambda x, w, b, v, d: jnp.maximum(x @ w + b, 0.0) @ v + d,
        attention: of_attention,
        ranks: of_ranks,
        hubs: of_hubs,
        hidden: of_hidden,
        filtered: of_filtered,
        conjugate: of_conjugate,
        ridge: of_ridge,
        logistic: of_logistic,
        markov: lambda steps, p: lax.fori_loop(0, 200, lambda _, p: p @ steps, p),
    }

    def made(function: Callable[..., Any]) -> Callable[[Sequence[Any]], Callable[[], Any]]:
        def of(arguments: Sequence[Any]) -> Callable[[], Any]:
            compiled, given = jax.jit(function), [jnp.asarray(each) for each in arguments]
            return lambda: compiled(*given).block_until_ready()

        return of

    return {function: made(by_jax) for function, by_jax in written.items()}
