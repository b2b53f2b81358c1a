"""The smallest programs in which a search has seen a graph do something else, held against plain Python."""

import collections
import copy
import functools
import heapq

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of

HISTORY, TABLE = [1.0], {"a": [0.0]}
"""What programs find outside, and may return."""

RETURNED = """
if v > 1:
    items.append(v)
return items
---
rows = [np.zeros(3), np.ones(3)]
for row in rows:
    row[0] = v
return items, rows
---
for i in range(n):
    items.append(v)
return [items, {"k": items}]
---
HISTORY.append(v)
return HISTORY
---
for i in range(n):
    TABLE["a"].append(v)
return TABLE, TABLE["a"]
---
if n > 2:
    del items[-1]
return {"k": items}
---
chosen = items if n > 1 else HISTORY
chosen.append(v)
return chosen
""".strip().split("\n---\n")

ADDED_TO = """
pair = ([1.0], v)
pair[0].extend(pair[0])
return pair
---
rows = [[1.0], [v]]
if n > 2:
    rows[0].extend(rows[1])
return rows
---
rows = [[1.0], [v]]
for i in range(n):
    rows[0].extend([v, v])
return rows
---
rows = {"a": [0]}
rows["a"].extend(i for i in range(n))
return rows
""".strip().split("\n---\n")

OF_ONE_TURN = """
a = [1.0, 2.0]
b = a
a = [*a, v]
while n > 0:
    n -= 1
    a.append(v)
    a = list(b)
return a, b
---
a = [1.0, 2.0]
b = a
for i in range(n):
    if i == 1:
        a = [v]
    a.append(v)
return a, b
---
a = [1.0, 2.0]
b = [v]
for i in range(n):
    a, b = b, a
    a.append(v)
return a, b
---
a = [1.0, 2.0, v]
for i in range(n):
    a.append(v)
    a = a[1:]
return a
""".strip().split("\n---\n")

ARRAYS = """
a = np.arange(9.0).reshape(3, 3)
a[:, 0] += v
return a
---
a = np.arange(4.0).reshape(2, 2)
a[0] = v
try:
    a[1] = v
finally:
    a[0, 0] = n
return a
---
a = np.arange(4.0).reshape(2, 2)
b = a.T
try:
    b[0, 0] = v
    if v > 1:
        raise ValueError
    b[1] = n
except ValueError:
    b[0] = v
return a, b
---
a = np.arange(4.0).reshape(2, 2)
try:
    row = a[0]
    row[:] = v
    if n == 2:
        raise ValueError
except ValueError:
    v = 1.0
return a, v
""".strip().split("\n---\n")


class Settings:
    """What an attribute is kept in."""

    last = None


STATE = Settings()

LEFT_ALONE = """
if n > 0:
    STATE.last = [v]
return n
---
if n > 0:
    STATE.last = {"a": v}
return n
---
if n > 0:
    STATE.last = "up"
return n
---
if n > 0:
    STATE.last = [v for _ in range(n)]
return n
""".strip().split("\n---\n")

OTHERS = """
word = "low"
if v > 1:
    word = word.lower()
else:
    word = word.upper() if word.startswith("h") else word.lower()
return word
---
return collections.Counter([n, 1])
---
counts = collections.Counter()
counts.update([n, n, 2])
counts.update({n: 3})
counts.subtract([2])
return counts
---
return collections.Counter({n: 2}), collections.Counter([n, 2])
""".strip().split("\n---\n")

CALLS = [(np.int64(3), np.float64(2.0)), (np.int64(0), np.float64(0.5)), (np.int64(2), np.float64(-1.0))]


@pytest.mark.parametrize("text", [*RETURNED, *ADDED_TO, *OF_ONE_TURN, *ARRAYS, *OTHERS])
def test_a_graph_does_what_the_program_does(text):
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    names = {"HISTORY": HISTORY, "TABLE": TABLE, "heapq": heapq, "copy": copy}
    names |= {"collections": collections, "functools": functools}
    f = function_of(f"def f(n, v, items):\n{lines}", **names)
    calls = [(*call, [1.0, 2.0]) for call in CALLS]
    ag.check(f, *calls[0], then=calls[1:], executors=["numpy"])


@pytest.mark.parametrize("start", [None, [2.0], {"a": 1.0}, "so"])
@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_a_path_leaves_alone_is_what_the_calls_before_have_left(text, start):
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    f = function_of(f"def f(n, v):\n{lines}", STATE=STATE)
    STATE.last = start
    calls = [(np.int64(n), np.float64(v)) for n, v in ((2, 5.0), (0, 8.0), (0, 9.0), (1, 9.0), (0, 1.0))]
    ag.check(f, np.int64(3), np.float64(3.0), then=calls, executors=["numpy"])


def test_names_of_one_array_are_one():
    def f(n, x):
        u = x.copy()
        w, z = u, np.zeros(3)
        for i in range(n):
            u[i] = 1.0
        return u is w, u is x, w is z, z is z

    ag.check(f, np.int64(3), np.ones(3), then=[(np.int64(0), np.ones(3))])


class Kept:
    """An object with a number, and a list that may become one of the graph."""

    def __init__(self, value):
        self.value = value
        self.seen = [1.5, 2.5]


def above_zero(value):
    while value > 0:
        yield value


def test_an_array_is_returned_beside_lists_that_become_those_of_the_graph():
    def f(x, n, v):
        first, second, u = Kept(1.0), Kept(v), x.copy()
        w = u
        for _ in above_zero(int(x.argmax())):
            first.seen = [v]
            u[:] = v
            second.seen.append(v)
            if n > 1:
                return first, second, u, w
        return None

    x = np.array([1.0, 2.0, 4.0])
    ag.check(f, x, np.int64(3), np.float64(2.0), executors=["numpy"])


def test_what_nothing_leads_to_behind_a_try_stays_what_it_was():
    def f(n, v):
        total = 0.0

        def note(by):
            if by > 1:
                path.append(by)
            return len(path)

        try:
            path = [v]
            if n > 1:
                raise ValueError("no")
            total += note(v)
            if n > 1:
                raise KeyError(n)
            path = [*path]
        except ValueError:
            pass
        else:

            def later():
                return path[1]

            total += later()
        finally:
            total += later()
        return total

    ag.check(f, np.int64(3), np.float64(2.0), then=[(np.int64(1), np.float64(2.0))])


class ForgivesKeys:
    """A manager that no KeyError leaves."""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return kind is not None and issubclass(kind, KeyError)


def test_a_list_that_a_call_has_left_is_added_to_in_a_finally():
    def program(n, v):
        with ForgivesKeys():
            try:
                if n % 2 == 0:
                    raise KeyError("no")
                STATE.last = [v]
            finally:
                STATE.last.append(0.5)
            if n > 1:
                raise KeyError("no")
        return v

    STATE.last = [2.0]
    ag.check(program, np.int64(1), np.float64(1.0), then=[(np.int64(n), np.float64(3.0)) for n in (3, 2, 0)])


@pytest.mark.parametrize("sought", [12.0, np.float64(12.0)], ids=["pythons", "numpys"])
def test_what_is_not_found_is_said_as_what_it_is(sought):
    def known(n):
        try:
            return [1.0, n * 1.0].index(sought)
        except ValueError as error:
            return str(error)

    def grown(n):
        found, pairs = [], []
        for number in range(n):
            found.append(number * 1.0)
            pairs.append((number * 1.0, number))
        said = []
        for items, item in ((found, sought), (pairs, (sought, 1))):
            try:
                items.index(item)
            except ValueError as error:
                said.append(str(error))
        return said

    for program in (known, grown):
        ag.check(program, np.int64(4), then=[(np.int64(1),)])


@pytest.mark.parametrize(
    "items", ["reversed(found)", "enumerate(found)", "zip(found, found)", "map(abs, found)"]
)
def test_an_iterator_over_what_a_tensor_chooses_is_no_branchs(items):
    program = f"""
KEPT = {{"level": 2.0, "x": np.ones(4)}}
def f(x, n):
    kept = KEPT if n > 1 else {{"level": 1.5, "x": x * 2}}
    kept.setdefault("run", [5.0, 6.0])
    found, turns = kept["run"], []
    for each in {items}:
        turns.append(each)
    return turns
"""
    ag.check(function_of(program), np.ones(4), np.int64(3), then=[(np.ones(4), np.int64(0))])


def test_a_test_of_a_loop_that_turns_out_to_have_effects_is_of_any_rank():
    function = function_of(
        """def f(x, n, v):
    rows = [np.zeros(4), x * 2]
    held = HELD if n > 1 else {"level": 1.5, "x": x}
    held.setdefault("rows", rows)
    while HELD["level"] > v:
        if rows[1] is rows[0]:
            pass
        v = v + 0.5
    return v
""",
        HELD={"level": 2.0, "x": np.ones(4)},
    )
    calls = [(np.ones(4), np.int64(n), np.float64(v)) for n, v in ((3, 1.0), (1, 0.5))]
    ag.check(function, *calls[0], then=calls[1:])
