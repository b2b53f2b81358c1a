"""What a call has left outside is a tensor: a program of the next one takes it for the number that it is."""

import heapq
import itertools
import math
import re
import statistics
from collections import Counter, deque
from types import SimpleNamespace

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.promises.kit import function_of

world = SimpleNamespace(low=0.0, numbers=[])


def ordered(x):
    return min(world.low, x), max(world.low, 1.5), sorted([world.low, 2.0, x]), sorted(world.numbers)


def ordered_by_keys(x):
    return (
        max((world.low, 1), (x, 2)),
        min(world.numbers, key=lambda number: -number),
        (world.low, x) < (2.0, 1),
    )


def put_in_order_by_libraries(x):
    heap = [3.0]
    heapq.heappush(heap, world.low)
    return heap[0], heapq.nsmallest(1, world.numbers), list(itertools.accumulate(world.numbers, max)), x


def looked_up(x):
    known = {1.0: 2, 2.0: 5}
    return known.get(world.low, -1), world.low in {1.0, 2.0}, world.low in known, x


def counted(x):
    number = deque([1.0, 2.0, 3.0]).index(world.low)
    return (
        number,
        Counter(world.numbers).most_common(1),
        len({world.low, 1.0}),
        dict(zip(world.numbers, "ab")),
        x,
    )


def asked_for_its_class(x):
    return isinstance(world.low, float), isinstance(world.low, np.floating), type(world.low) is np.float64, x


def compared_with_what_is_no_number(x):
    return world.low == None, world.low != "a", None != world.low, world.low == object(), x


def summed_by_libraries(x):
    numbers = [float(number) for number in world.numbers]
    return (
        statistics.mean([world.low, 1.0]),
        statistics.fmean(numbers),
        math.sqrt(world.low),
        np.sqrt(world.low),
        x,
    )


def asked_for_its_attributes(x):
    names = [name for name in ("shape", "is_integer", "value", "numpy") if hasattr(world.low, name)]
    is_integer = "is_integer"
    times = list(itertools.repeat("a", round(float(world.low))))
    return names, getattr(world.low, is_integer)(), getattr(world.low, "value", None), times, x


def matched(x):
    match world.low:
        case float():
            return 1, x
    return 2, x


PROGRAMS = [
    ordered,
    ordered_by_keys,
    put_in_order_by_libraries,
    looked_up,
    counted,
    asked_for_its_class,
    compared_with_what_is_no_number,
    asked_for_its_attributes,
    matched,
    summed_by_libraries,
]


def shown(result):
    """The text of a result, in which a tensor is the number that it stands for."""
    text = re.sub(r"<Tensor: [^>]*numpy=([^>]*)>", r"\1", repr(result))
    return re.sub(r"np\.(True|False)_?", r"\1", re.sub(r"np\.\w+\(([^()]*)\)", r"\1", text))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_tensor_outside_is_the_number_that_it_holds(program):
    graph = ag.function(program)
    for number in (1.0, 2.0, 3.0, 1.0):
        world.low, world.numbers = np.float64(number), [np.float64(number), np.float64(2.5)]
        expected = program(1.5)
        world.low, world.numbers = rt.asarray(number), [rt.asarray(number), rt.asarray(2.5)]
        assert shown(graph(1.5)) == shown(expected)


def test_an_array_outside_is_compared_with_none_item_by_item():
    world.low = rt.asarray([1.0, 2.0])

    @ag.function
    def compared(x):
        return world.low == None, x

    assert compared(1.0)[0].numpy().tolist() == [False, False]


class Kept:
    """What a call leaves for the next one."""


WRITERS_THAT_RAISE = """
y = kept.x
y[1] = v
if n > 2:
    raise ValueError(n)
kept.x = x * 2
---
y = kept.x
kept.x = x * 2
y[1] = v
if n > 2:
    raise ValueError(n)
---
y = kept.x
kept.x = x * 2
y += v
kept.x -= y
if n > 2:
    raise ValueError(n)
---
rows = kept.rows
kept.rows = [x * 2, x + 1]
rows[0][1:] = v
kept.x = rows[0]
if n > 2:
    raise ValueError(n)
---
y = kept.x * 1
x += kept.x
kept.x = y
if n > 2:
    raise ValueError(n)
---
if kept.x is kept.same:
    kept.x[0] += v
if n > 2:
    raise ValueError(n)
kept.x = kept.same = x * v
---
kept.x, kept.y = kept.y, kept.x
kept.x[0] += v
if n > 2:
    raise ValueError(n)
---
kept.x, kept.rows[0], kept.y = kept.rows[0], kept.y, kept.x
kept.rows[0][0] += v
kept.y[1:] -= v
if n > 2:
    raise ValueError(n)
---
kept.total, kept.other = kept.other, kept.total
kept.total += v
if n > 2:
    raise ValueError(n)
""".strip().split("\n---\n")


@pytest.mark.parametrize("lines", WRITERS_THAT_RAISE)
def test_a_call_that_raises_writes_into_arrays_where_the_last_one_has_left_tensors(lines):
    kept = Kept()
    kept.x = kept.same = np.ones(4)
    kept.y, kept.total, kept.other = np.zeros(4), np.asarray(0.0), np.asarray(1.0)
    kept.rows = [np.zeros(4), np.ones(4)]
    text = "def f(x, n, v):\n" + "".join(f"    {line}\n" for line in lines.splitlines())
    calls = [(np.arange(4.0) + n, np.int64(n), np.float64(n / 2)) for n in (1, 4, 3, 2, 5, 1)]
    ag.check(function_of(text, kept=kept), *calls[0], then=calls[1:])
