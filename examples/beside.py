"""One function, twice: as plain Python on NumPy, and as a graph. Both must give the same."""

from __future__ import annotations

import timeit

import numpy as np

import autograph as ag


def beside(function, *arguments):
    """What `function` gives; prints how long plain Python and the graph take for it."""
    graph = ag.function(function)
    result = in_numpy(graph(*arguments))
    np.testing.assert_equal(result, in_numpy(function(*arguments)))

    timers = [timeit.Timer(lambda run=run: run(*arguments)) for run in (function, graph)]
    rounds = [max(1, round(0.02 / timer.timeit(1))) for timer in timers]
    turns = [[timer.timeit(n) / n for timer, n in zip(timers, rounds, strict=True)] for _ in range(3)]
    plain, graphs = (min(times) * 1e3 for times in zip(*turns, strict=True))
    print(f"plain Python {plain:.3f} ms, as a graph {graphs:.3f} ms: {plain / graphs:.1f} times as fast")
    return result


def in_numpy(value):
    """A nest of tensors or numbers as one of arrays."""
    return type(value)(map(in_numpy, value)) if isinstance(value, (list, tuple)) else np.asarray(value)
