"""The standard library on values of a graph: what orders items, keeps them, folds them."""

import bisect
import contextlib
import dataclasses
import functools
import heapq
import itertools
import math
import operator
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple

import numpy as np
import pytest

import autograph as ag
from runtime.errors import GraphError, IntTooLarge
from tests.promises.kit import function_of

MODULES = (bisect, contextlib, functools, heapq, itertools, math, operator)
CLASSES = (ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple)
NAMES = {each.__name__: each for each in (*MODULES, *CLASSES)}


def program(body):
    lines = body.strip().split("\n")
    return function_of("def f(n):\n" + "\n".join(f"    {line}" for line in lines), **NAMES)


GROWN = "h = []\nfor i in range(n):\n    {}\n"
PROGRAMS = [
    GROWN.format("heapq.heappush(h, (7 * i) % 5)") + "return heapq.heappop(h), h",
    GROWN.format("heapq.heappush(h, (7 * i) % 5)")
    + "r = []\nwhile h:\n    r.append(heapq.heappop(h))\nreturn r",
    GROWN.format("h.append((7 * i) % 5)") + "heapq.heapify(h)\nreturn h",
    GROWN.format("heapq.heappush(h, ((7 * i) % 5, i))") + "return heapq.heappop(h), len(h)",
    GROWN.format("heapq.heappush(h, i % 3)") + "return heapq.heapreplace(h, 9), heapq.heappushpop(h, -1), h",
    "h = [5, 2, 8]\nheapq.heapify(h)\nheapq.heappush(h, n)\nreturn heapq.heappop(h), h",
    GROWN.format("h.append(i * 2)") + "return list(heapq.merge(h, [1, n])), next(heapq.merge(h), None)",
    "return list(heapq.merge([3, n], [2, 1], reverse=True)), list(heapq.merge([3, 1, n], [2, 2], [0]))",
    "return list(heapq.merge([(n, 'a'), (5, 'b')], [(3, 'c')], key=lambda pair: -pair[0]))",
    "return dict.fromkeys(map(int, [n, 1.5]), n), list(dict.fromkeys(x % 2 for x in range(n)))",
    "return sorted(Counter([n, 1, n]).elements()), [k for k in Counter([n, 2]).elements() if k > 1]",
    "fn = {0: abs, 1: math.floor}.get(int(n), math.ceil)\nreturn list(map(fn, [-1, 2 * n])), fn(n - 3)",
    "return heapq.nlargest(2, [5, 2, 8, n]), heapq.nsmallest(1, [n, 4])",
    "a = [1, 3, 5]\nreturn bisect.bisect(a, n), bisect.bisect_left(a, n), bisect.bisect_right(a, n)",
    "a = [1, 3, 5]\nbisect.insort(a, n)\nreturn a",
    GROWN.format("bisect.insort(h, (7 * i) % 5)") + "return h",
    "q = deque([1, 2])\nq.append(n)\nq.appendleft(0)\nq.rotate(1)\nreturn list(q), q.pop(), q.popleft()",
    "c = Counter()\nfor i in range(4):\n    c[i % 2] += n\nreturn dict(c)",
    "d = defaultdict(list)\nfor i in range(4):\n    d[i % 2].append(n)\nreturn dict(d)",
    "d = OrderedDict()\nd['a'] = n\nreturn list(d.items())",
    "P = namedtuple('P', 'x y')\nq = P(n, 2)\nreturn q.x + q.y, q._replace(x=5).x, q._asdict()['x']",
    "c = ChainMap({'a': n}, {'b': 2})\nreturn c['a'] + c['b']",
    "return functools.reduce(operator.add, [n, 2, 3]), functools.reduce(lambda a, b: max(a, b), [n, 4, 2])",
    "return list(itertools.accumulate([n, 2, 3])), list(itertools.chain([n], [1]))",
    "return list(itertools.islice(itertools.count(n), 3)), list(itertools.starmap(operator.add, [(n, 1)]))",
    "return list(itertools.pairwise([n, 2, 3])), list(itertools.combinations([n, 2, 3], 2))",
    "return [(k, list(g)) for k, g in itertools.groupby([1, 1, n, n, 2])]",
    "g = {}\nfor k, r in itertools.groupby(range(n), key=lambda i: i // 2):\n    g[k] = sum(r)\nreturn g",
    "a, b = itertools.tee(range(n))\nreturn list(a), sum(b)",
    "r = [[i] * 2 for i in range(n)]\nreturn list(map(sum, r)), list(map(max, r)), list(map(len, r))",
    "rows = []\nfor i in range(n):\n    rows.append([])\n    rows[0].append(i)\nreturn list(map(sum, rows))",
    "with contextlib.nullcontext(n) as k:\n    y = k + 1\nreturn y",
]


@pytest.mark.parametrize("body", PROGRAMS)
def test_a_program_gives_what_it_gives_in_python(body):
    ag.check(program(body), np.int64(3), then=[(np.int64(5),)], executors=["numpy"])


@pytest.mark.parametrize("items", ["itertools.count()", "itertools.cycle([1, n])"])
def test_groups_of_items_without_an_end_are_refused(items):
    first = program(f"for key, group in itertools.groupby({items}, lambda i: i // 3):\n    return sum(group)")
    with pytest.raises(GraphError, match="has no end, and is asked for all of its items"):
        ag.function(first)(np.int64(3))


def test_dijkstras_paths_are_those_of_python():
    edges = np.array([[0, 7, 9, 14], [7, 0, 10, 15], [9, 10, 0, 2], [14, 15, 2, 0]])

    def distances(weights, start):
        reached = [99] * 4
        reached[start] = 0
        heap = [(0, start)]
        while heap:
            distance, node = heapq.heappop(heap)
            for other in range(4):
                further = distance + weights[node, other]
                if further < reached[other]:
                    reached[other] = further
                    heapq.heappush(heap, (further, other))
        return reached

    ag.check(distances, edges, np.int64(0), then=[(edges, np.int64(3))], executors=["numpy"])


@dataclasses.dataclass(order=True)
class Event:
    urgency: float
    guests: int = dataclasses.field(compare=False, default=0)


class Task:
    def __init__(self, urgency):
        self.urgency = urgency

    def __lt__(self, other):
        return self.urgency > other.urgency


@pytest.mark.parametrize("kind", [Event, Task])
def test_heaps_compare_objects_as_their_classes_say(kind):
    def in_turn(x):
        heap = [kind(3.0), kind(x)]
        heapq.heapify(heap)
        heapq.heappush(heap, kind(1.0))
        first = heapq.heappop(heap)
        bisect.insort(heap, kind(x + 1))
        return first.urgency, [each.urgency for each in heap]

    ag.check(in_turn, np.float64(2.0), then=[(np.float64(0.5),), (np.float64(7.0),)])


def test_math_counts_what_only_the_run_knows():
    def counts(n, k):
        total = sum(math.comb(n, each) * (-1) ** each for each in range(n + 1))
        return math.comb(n, k), math.perm(n, k), math.perm(n), math.factorial(k), total

    i = np.int64
    calls = [
        (i(2), i(5)),
        (i(-2), i(1)),
        (i(2), i(-5)),
        (i(20), i(10)),
        (i(20), i(0)),
        (np.float64(2.0), i(1)),
    ]
    ag.check(counts, i(5), i(2), then=calls)
    with pytest.raises(IntTooLarge):
        ag.function(lambda n: math.factorial(n))(i(21))
