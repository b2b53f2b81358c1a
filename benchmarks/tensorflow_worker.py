"""TensorFlow's side of the scenes, run by its own Python: reads a name per line, answers with seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.harness import timed


def _power(x: Any, y: int) -> Any:
    result = tf.eye(10, dtype=tf.dtypes.int32)
    for _ in range(y):
        result = tf.matmul(x, result)
    return result


@tf.function
def _collatz(n: Any) -> Any:
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@tf.function
def _add(x: Any, y: Any) -> Any:
    return x + y


def _work() -> dict[str, Callable[[], float]]:
    matrix = tf.constant(np.random.default_rng(0).integers(0, 10, (10, 10)), tf.int32)
    graph = tf.function(_power)
    start, vector = tf.constant(27, tf.int64), tf.ones(4)
    collatz = timed(lambda: _collatz(start))
    return {
        "power eager": timed(lambda: _power(matrix, 100)),
        "power graph": timed(lambda: graph(matrix, 100)),
        "collatz": lambda: collatz() / 111,
        "add": timed(lambda: _add(vector, vector)),
        "trace": timed(lambda: tf.function(_twenty).get_concrete_function(vector), least=0.1),
    }


def _twenty(x: Any) -> Any:
    for number in range(10):
        x = x * 2.0 + float(number)
    return x


def main() -> None:
    """Answers until the input ends."""
    work = _work()
    for line in sys.stdin:
        question = line.strip()
        print(tf.__version__ if question == "version" else work[question](), flush=True)


if __name__ == "__main__":
    main()
