"""Conversion in several threads at once: each code object once, and every thread gets what it asked for."""

import gc
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from autograph.staging.plain import Plain
from autograph.transpiler import Transpiler

THREADS = 8


class Counting(Transpiler):
    """Counts how often a function is converted."""

    def __init__(self):
        super().__init__([Plain()])
        self.conversions = Counter()

    def _transformed(self, function, options):
        self.conversions[function.__qualname__] += 1
        return super()._transformed(function, options)


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def steps(n):
    count = 0
    while n != 1:
        n = half(n) if n % 2 == 0 else 3 * n + 1
        count += 1
    return count


def half(n):
    return n // 2


def at_once(work):
    """What `work(0)`, `work(1)`, … give, all started at the same moment."""
    gate = threading.Barrier(THREADS)

    def wait_and_work(number):
        gate.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(wait_and_work, range(THREADS)))


def test_each_function_is_converted_once_for_all_threads():
    transpiler = Counting()
    results = at_once(lambda number: transpiler.convert([fibonacci, steps][number % 2])(7))
    assert results == [13, 16] * (THREADS // 2)
    # Named, and once more as what a converted function calls.
    assert transpiler.conversions == {"fibonacci": 2, "steps": 1, "half": 1}


def test_threads_do_not_see_each_others_cells():
    transpiler = Counting()

    def make(number):
        def add(x):
            if x:
                return x + number
            return None

        return add

    assert at_once(lambda number: transpiler.convert(make(number))(1)) == list(range(1, THREADS + 1))
    assert sum(transpiler.conversions.values()) == 1


def test_one_may_call_what_another_converts():
    transpiler = Counting()
    converted = transpiler.convert(steps)
    assert at_once(lambda number: converted(number + 1)) == [0, 1, 7, 2, 5, 8, 16, 3]
    assert transpiler.conversions["half"] == 1


def test_the_garbage_collector_is_left_as_it_was():
    assert gc.isenabled()
    at_once(lambda _: Counting().convert(fibonacci)(3))
    assert gc.isenabled()
    gc.disable()
    try:
        Counting().convert(fibonacci)
        assert not gc.isenabled()
    finally:
        gc.enable()
