"""The smallest and the greatest few of some items: `heapq.nsmallest` and `heapq.nlargest`."""

import heapq

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of


class Ranked:
    """What compares by a method of its own."""

    def __init__(self, rank):
        self.rank = rank

    def __lt__(self, other):
        return self.rank < other.rank


PROGRAMS = """
heap = [1.0, 3.0, x]
for i in range(n):
    if x > heap[0]:
        heap = heapq.nsmallest(2, heap)
    else:
        heap.append(x)
return heap
---
beams = [(0.0, 0)]
for i in range(n):
    longer = []
    for cost, place in beams:
        longer.append((cost + x, place + 1))
        longer.append((cost - x * i, place * 2))
    beams = heapq.nsmallest(3, longer)
return beams
---
beams = [(0.0, 0)]
for i in range(n):
    longer = []
    for cost, place in beams:
        longer.append((cost + x, place + 1))
        longer.append((cost - x * i, place * 2))
    beams = heapq.nlargest(3, longer, key=lambda beam: -beam[0])
return beams
---
some = [x, np.nan, 3.0, 1.0, np.nan, 0.5, 2.0]
return heapq.nsmallest(n, some), heapq.nlargest(n, some)
---
given = (a * x for a in [1.0, 2.0, -1.0])
return heapq.nsmallest(1, [x, 3.0]), heapq.nlargest(1, []), heapq.nlargest(n, given)
---
some = [x * i for i in range(n)]
least = heapq.nsmallest(0, some), heapq.nsmallest(-1, some), heapq.nsmallest(3, some, abs)
return least, heapq.nlargest(1, some)
---
some = [Ranked(x), Ranked(2.0), Ranked(-x), Ranked(0.0)]
last = heapq.nlargest(3, some, key=lambda each: each.rank)
return [each.rank for each in heapq.nsmallest(2, some)], [each.rank for each in last]
---
shares = {"a": x, "b": 1.0, "c": 2.0}
return heapq.nlargest(2, shares, key=shares.get), heapq.nlargest(2, shares.items(), key=lambda pair: pair[1])
""".strip().split("\n---\n")


@pytest.mark.parametrize("text", PROGRAMS)
def test_the_few_are_those_that_python_selects(text):
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    f = function_of(f"def f(x, n):\n{lines}", heapq=heapq, Ranked=Ranked)
    calls = [(np.float64(x), np.int64(n)) for x, n in ((2.0, 3), (0.5, 0), (5.0, 2))]
    ag.check(f, *calls[0], then=calls[1:])
