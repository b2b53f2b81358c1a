"""One iteration of a staged loop that calls a function of the program's: a draw from its generator."""

from __future__ import annotations

from typing import Any

import numpy as np

import autograph as ag
import runtime as rt
from benchmarks.harness import Contender, Scene, timed
from benchmarks.peer import Peer

_TURNS = 2_000
_rng = np.random.default_rng(0)


def total_of_draws(n: Any) -> Any:
    total = 0.0
    for _ in range(n):
        total += _rng.random()
    return total


def total_of_turns(n: Any) -> Any:
    total = 0.0
    for _ in range(n):
        total += 0.5
    return total


def scene(_: Peer | None) -> Scene:
    """The staged loop with a draw and without one, and the same function of plain Python."""
    length = rt.asarray(_TURNS)
    graph, empty = ag.function(total_of_draws), ag.function(total_of_turns)
    assert 0 < float(graph(length)) < _TURNS
    contenders = [
        _per_iteration("graph, a draw in each turn", lambda: graph(length)),
        _per_iteration("graph, no draw", lambda: empty(length)),
        _per_iteration("plain Python, a draw in each turn", lambda: total_of_draws(_TURNS)),
    ]
    return Scene("a call of the program's own in a staged loop, one iteration", contenders)


def _per_iteration(name: str, work: Any) -> Contender:
    seconds = timed(work)
    return Contender(name, lambda: seconds() / _TURNS)
