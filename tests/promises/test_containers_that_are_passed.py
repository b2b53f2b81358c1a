"""Lists, dicts and deques of numbers that are passed: one graph serves all lengths, from the third on."""

import copy
import linecache
from collections import deque

import numpy as np
import pytest

import autograph as ag

KEPT = []
"""What programs keep of their arguments."""
GIVEN = [1, 2, 3]
"""What a program has from outside, too."""

OF_LISTS = """
return xs
return [xs, xs], {1: xs}
xs.append(1); return xs
ys = xs; ys.append(2); return xs is ys, len(xs)
ys = xs[:]; ys.sort(); return xs, ys, xs is ys
xs.sort(); xs.reverse(); return xs[0]
xs[0], xs[-1] = xs[-1], xs[0]
xs += [7]; return xs
xs = xs + [7]; return xs
del xs[0]; return xs.pop(), xs
xs.clear(); return len(xs)
xs[1:2] = [9, 9]; xs.insert(0, 5); xs.extend(xs); return xs.index(5)
KEPT.append(xs); xs.append(len(KEPT)); return KEPT[-1] is xs
GIVEN.append(xs[0]); return sum(GIVEN) + sum(xs)
return tuple(xs), {x: 1 for x in xs}, max(xs), len(xs), any(xs)
return [i * x for i, x in enumerate(xs)], list(zip(xs, xs[1:])), sorted(xs, key=lambda x: -x)
return xs == [1, 2], xs < [2], 2 in xs, xs * 2, xs[::-1]
print(xs, *xs); return f"{xs} {len(xs)}"
return np.array(xs) * 2.5, np.cumsum(xs)
a, *b = xs; return a, b
return isinstance(xs, list), type(xs) is list, not xs
xs.append(0); return 1 // xs[len(xs) - 3 if len(xs) > 4 else 0]
"""

OF_DICTS = """
return d
d["n"] = 1; return d, len(d)
return sorted(d.items()), list(d.values())
return {k: v * 2 for k, v in d.items()}, max(d, key=d.get)
return 3 in d, d.get(3, -1), d[1]
d[3] = d.get(3, 0) + 5
return d.pop(1, None), d
KEPT.append(d); d.clear(); return KEPT[-1] is d
print(d); return d == {1: 2}, type(d) is dict
"""

OF_DEQUES = """
return q
q.append(1); q.appendleft(7); return q
return q.popleft(), q.pop(), len(q)
q.rotate(1); q.extend([1, 2]); return list(q), sum(q)
print(q); return str(q), q.maxlen
KEPT.append(q); q[0] = 5; return KEPT[-1] is q, q.index(5)
"""

LISTS = [[1, 2], [3, 1, 2], [2, 2, 5, 1], [4, 3, 2, 1, 0], [2], [], [6, 5, 4, 3, 2, 1]]
DICTS = [{1: 2}, {1: 3, 2: 5}, {3: 1, 1: 7, 2: 0}, {2: 1}, {}, {k: 9 - k for k in range(7)}]
DEQUES = [deque(items, longest) for longest in (None, 6) for items in LISTS]


def programs(name, texts, calls):
    return [pytest.param(name, text, calls, id=text) for text in texts.strip().splitlines()]


@pytest.mark.parametrize(
    ("name", "text", "calls"),
    [
        *programs("xs", OF_LISTS, LISTS),
        *programs("xs", OF_LISTS, [[x / 2 for x in each] for each in LISTS[:4]]),
        *programs("d", OF_DICTS, DICTS),
        *programs("q", OF_DEQUES, DEQUES),
    ],
)
def test_containers_of_all_lengths_do_what_they_do_in_python(name, text, calls):
    lines = "".join(f"    {line.strip()}\n" for line in text.split(";"))
    source, place = f"def f({name}):\n{lines}", f"<{name}: {text}>"
    linecache.cache[place] = len(source), None, source.splitlines(keepends=True), place
    space = {**globals(), "KEPT": [], "GIVEN": [1, 2, 3]}
    exec(compile(source, place, "exec"), space)
    first, *others = map(copy.copy, calls)
    ag.check(space["f"], first, then=[(each,) for each in others])


def largest(xs):
    best = xs[0]
    for x in xs:
        best = max(best, x)
    return best


def counted(counts, word):
    counts[word] = counts.get(word, 0) + 1
    return len(counts)


def next_of(queue):
    queue.append(queue[0] + 1)
    return queue.popleft()


@pytest.mark.parametrize(
    ("function", "calls"),
    [
        (largest, [(list(range(n)),) for n in range(1, 9)]),
        (counted, [({k: 1 for k in range(n)}, n % 3) for n in range(1, 9)]),
        (next_of, [(deque([n, 2]),) for n in range(8)]),
    ],
)
def test_there_are_three_graphs(function, calls):
    one = ag.function(function)
    for given in calls:
        own = copy.deepcopy(given)
        assert one(*given) == function(*own)
        assert given == own
    assert one.experimental_get_tracing_count() == 3


def test_what_a_call_keeps_and_gives_is_the_container_of_that_call():
    kept = []

    @ag.function
    def f(xs):
        xs.append(0)
        kept.append(xs)
        return xs

    for n in range(6):
        given = [*range(n)]
        assert f(given) is given
        assert kept[-1] is given
    assert [len(each) for each in kept] == [1, 2, 3, 4, 5, 6]
    assert f.experimental_get_tracing_count() == 3


def test_a_list_that_is_there_twice_is_one_list():
    @ag.function
    def f(xs, ys):
        xs.append(1)
        return len(ys)

    for n in range(5):
        given = [1] * n
        assert f(given, given) == n + 1
        assert f([1] * n, [1] * n) == n


SHARED = {list: [1, 2], dict: {1: 1}, deque: deque([1, 2])}
"""What programs have from outside."""


@pytest.mark.parametrize("kind", [list, dict, deque])
def test_a_container_that_the_function_has_from_outside_too_is_that_one(kind):
    shared = SHARED[kind]
    made = [kind([(k, k) for k in range(n)]) if kind is dict else kind(range(n)) for n in (1, 2, 3, 4)]

    @ag.function
    def f(items):
        items.clear()
        return len(SHARED[kind])

    for given in made:
        assert f(given) == len(shared) > 0
        assert not given
    assert f(shared) == 0
    assert not shared


@pytest.mark.parametrize("kind", [list, deque])
def test_one_that_is_in_another_container_as_well_is_one(kind):
    @ag.function
    def f(items, rows):
        items.append(1)
        return len(rows[0])

    for n in range(5):
        given = kind([1] * n)
        assert f(given, [given]) == n + 1
        assert f(given, [kind([1] * n)]) == n


@pytest.mark.filterwarnings("ignore::runtime.errors.RetracingWarning")
def test_lists_of_several_kinds_have_graphs_as_before():
    @ag.function
    def f(xs):
        return [x * 2 for x in xs]

    for n in range(5):
        assert f([1, 2.5] * n) == [2, 5.0] * n
        assert f(["a"] * n) == ["aa"] * n


def test_the_graph_of_all_lists_can_be_called_by_itself():
    one = ag.function(largest)
    for n in (1, 2, 3):
        one([*range(n)])
    concrete = one.concrete_functions[-1]
    assert concrete([5, 7, 6, 1]) == 7
    last = one.explain_retraces().traces[-1]
    assert last.signature == "largest(xs: any list of int)"
    assert [str(each) for each in last.differences] == ["argument `xs` was [*, *] and then any list of int"]


class Keeper:
    def __init__(self, kept):
        self.kept = kept

    def branch(self, n, given):
        if n > 0:
            self.kept = given
        return len(self.kept)

    def loop(self, n, given):
        for _ in range(n):
            self.kept = given
        return len(self.kept)


@pytest.mark.parametrize("way", ["branch", "loop"])
@pytest.mark.parametrize("kept", [{"a": 2}, [5]], ids=["dict", "list"])
def test_what_a_path_keeps_stays_the_object_on_the_others(way, kept):
    calls = [(np.int64(n), copy.copy(kept)) for n in (3, 0, 2, 0, 1, 0)]
    ag.check(getattr(Keeper(copy.copy(kept)), way), *calls[0], then=calls[1:])
