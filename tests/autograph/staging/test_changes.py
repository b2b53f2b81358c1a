"""Which arguments a closed call may change: no change goes unseen, and what changes nothing is known to."""

import builtins
import collections
import copy
import heapq
import math
from collections import defaultdict, deque

import pytest

from autograph.backends.tensors import TENSORS
from autograph.staging import reach
from autograph.staging.closed import NOT_CLOSED, closed_call
from autograph.staging.dispatch import Backends
from autograph.staging.journal import recording
from autograph.staging.reach import facts_of
from tests.autograph.staging.ways_to_change import CHANGING, given_back

BACKENDS = Backends([TENSORS])
SHARED = [1, 2]
TABLE = {"rows": [[1], [2]]}


def call(function, *args, **kwargs):
    return closed_call(BACKENDS, function, args, kwargs)


def looked_at(function, *args, **kwargs):
    """The function, called until it is known what it changes."""
    for _ in range(reach._CALLS_BEFORE_LOOK + 1):
        call(function, *copy.deepcopy(args), **copy.deepcopy(kwargs))
    return function


def effects(function, *args):
    return facts_of(looked_at(function, *args)).effects


@pytest.mark.parametrize(("function", "arguments"), CHANGING, ids=lambda each: getattr(each, "__name__", ""))
def test_what_changes_an_argument_is_announced_when_it_is_known_what_changes(function, arguments):
    looked_at(function, *arguments)
    plainly, closed = copy.deepcopy(arguments), copy.deepcopy(arguments)
    function(*plainly)
    with recording() as journal:
        assert call(function, *closed) is not NOT_CLOSED
        assert closed == plainly != arguments
        journal.undo()
    assert closed == arguments


@pytest.mark.parametrize("keyword", [True, False])
def test_an_argument_that_is_given_by_name_is_kept_too(keyword):
    def change(xs, ys):
        ys.append(xs[0])

    looked_at(change, [1], [2])
    xs, ys = [1], [2]
    with recording() as journal:
        assert (call(change, ys=ys, xs=xs) if keyword else call(change, xs, ys=ys)) is None
        assert ys == [2, 1]
        journal.undo()
    assert ys == [2]


def test_a_container_that_is_named_is_kept():
    def by_global(x):
        SHARED.append(x)

    def by_alias_of_global(x):
        shared = SHARED
        shared.append(x)

    def by_item_of_global(x):
        for row in TABLE["rows"]:
            row.append(x)

    for function in (by_global, by_alias_of_global, by_item_of_global):
        looked_at_in_vain = copy.deepcopy((SHARED, TABLE))
        with recording() as journal:
            looked_at(function, 1)
            assert (SHARED, TABLE) != looked_at_in_vain
            journal.undo()
        assert (SHARED, TABLE) == looked_at_in_vain


def test_a_variable_of_a_function_around_is_kept():
    held = [1]

    def change(x):
        held.append(x)

    with recording() as journal:
        looked_at(change, 1)
        journal.undo()
    assert held == [1]


def test_a_default_is_kept():
    def collected(x, found=[]):
        found.append(x)

    def through(x):
        collected(x)

    for function in (collected, through):
        with recording() as journal:
            looked_at(function, 1)
            journal.undo()
        assert collected.__defaults__ == ([],)


def test_a_function_that_is_a_default_is_a_doubt():
    def called(rows, change=heapq.heapify):
        return [*map(change, rows)]

    rows = [[3, 1, 2]]
    looked_at(called, rows)
    with recording() as journal:
        call(called, rows)
        journal.undo()
    assert rows == [[3, 1, 2]]


def test_two_arguments_may_be_one_object():
    def change(xs, ys):
        ys.append(1)
        return len(xs)

    def change_rows(row, rows):
        rows[0].append(1)
        return row

    xs, rows = [1], [[1]]
    looked_at(change, xs, xs)
    looked_at(change_rows, rows[0], rows)
    with recording() as journal:
        assert call(change, xs, xs) == 2
        assert call(change_rows, rows[0], rows) == [1, 1]
        journal.undo()
    assert (xs, rows) == ([1], [[1]])


def test_a_slice_reads_a_list_where_an_index_reads_an_item():
    def change(rows, index):
        rows[index][0].append(1)

    rows = [[[1]], [[2]]]
    looked_at(change, rows, 0)
    with recording() as journal:
        call(change, rows, slice(1))
        journal.undo()
    assert rows == [[[1]], [[2]]]


def test_a_builtin_that_is_replaced_is_looked_into(monkeypatch):
    def longest(rows):
        return max(rows)

    looked_at(longest, [[1], [2]])
    monkeypatch.setattr(builtins, "max", lambda rows: rows.append([1]))
    rows = [[1]]
    with recording() as journal:
        call(longest, rows)
        journal.undo()
    assert rows == [[1]]
    monkeypatch.setattr(builtins, "max", print)
    assert call(longest, rows) is NOT_CLOSED


def test_a_name_that_hides_a_builtin_is_looked_into(monkeypatch):
    def longest(rows):
        return max(rows)

    assert call(longest, [1, 2]) == 2
    monkeypatch.setitem(globals(), "max", print)
    assert call(longest, [1, 2]) is NOT_CLOSED


def test_a_function_of_a_module_that_is_replaced_is_looked_into(monkeypatch):
    def root(x):
        return math.sqrt(x)

    def copied(xs):
        return copy.deepcopy(xs)

    assert call(root, 4) == 2
    monkeypatch.setattr(math, "sqrt", print)
    assert call(root, 4) is NOT_CLOSED
    looked_at(copied, [1])
    monkeypatch.setattr(copy, "deepcopy", lambda xs: xs.append(1))
    xs = [1]
    with recording() as journal:
        call(copied, xs)
        journal.undo()
    assert xs == [1]


def test_a_helper_that_is_replaced_is_looked_into(monkeypatch):
    def through(xs):
        return given_back(xs)

    xs = [1]
    looked_at(through, xs)
    monkeypatch.setitem(globals(), "given_back", lambda xs: xs.append(1))
    with recording() as journal:
        call(through, xs)
        assert xs == [1, 1]
        journal.undo()
    assert xs == [1]


def test_code_that_is_exchanged_is_looked_into():
    def first(xs):
        return [*xs]

    def second(xs):
        xs.append(1)

    xs = [1]
    looked_at(first, xs)
    first.__code__ = second.__code__
    with recording() as journal:
        call(first, xs)
        journal.undo()
    assert xs == [1]


class Odd(list):
    def __getitem__(self, index):
        self.append(index)
        return 1

    def __iadd__(self, other):
        super().extend(other)
        return self


class Held:
    def __init__(self):
        self.items = []

    @property
    def first(self):
        self.items.append(1)
        return 1

    def __add__(self, other):
        return self.items

    def __iter__(self):
        self.items.append(1)
        return iter([1])


def test_a_subclass_or_an_instance_has_methods_of_its_own():
    def item(xs):
        return xs[0]

    def added(xs):
        ys = xs + xs
        ys.append(1)
        return len(ys)

    def read(xs):
        return xs.first

    def listed(xs):
        return [*xs]

    looked_at(item, [1])
    looked_at(added, [1])
    looked_at(listed, [1])
    odd = Odd([1])
    with recording() as journal:
        call(item, odd)
        journal.undo()
    assert list.__len__(odd) == 1
    for function in (added, read, listed):
        held = Held()
        with recording() as journal:
            call(function, held)
            journal.undo()
        assert held.items == []


def test_a_call_that_raises_has_changed_nothing_when_it_is_known_what_changes():
    def change(xs, n):
        xs.append(n)
        return 1 // n

    xs = [1]
    looked_at(change, xs, 1)
    assert call(change, xs, 0) is NOT_CLOSED
    assert xs == [1]


def test_what_runs_later_is_not_given():
    def iterator(xs):
        return [iter(xs)]

    def view(held):
        return [held.items()]

    def chosen(xs):
        return {"a": map(abs, xs)}

    def kind(xs):
        return [type(xs)]

    def generator(xs):
        return [(x for x in xs)]

    for each in (iterator, chosen, generator):
        assert call(looked_at(each, [1]), [1]) is NOT_CLOSED
    assert call(looked_at(view, {"a": 1}), {"a": 1}) is NOT_CLOSED
    assert call(looked_at(kind, [1]), [1]) in ([list], NOT_CLOSED)


def test_what_runs_later_is_not_put_into_an_argument():
    def put_iterator(xs):
        xs.append(iter([1]))

    def put_generator(xs):
        xs.append(x for x in (1, 2))

    for each in (put_iterator, put_generator):
        xs = [1]
        assert call(looked_at(each, xs), xs) is NOT_CLOSED
        assert xs == [1]


# ── what changes nothing ──


def made_table(xs, n):
    table = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            table[i][j] += xs[i] * xs[j]
    return table


def grouped(words):
    groups = defaultdict(list)
    for word in words:
        groups[word[0]].append(word)
    return sorted(groups.items())


def counted(words):
    found = {}
    for word in words:
        found[word] = found.get(word, 0) + 1
    return found


def filled(found, n):
    if n:
        found.append(n)
        filled(found, n - 1)


def through_a_helper(n, xs):
    found = []
    filled(found, n)
    return found + xs


def searched(graph, start):
    seen, queue = {start}, deque([start])
    while queue:
        for other in graph[queue.popleft()]:
            if other not in seen:
                seen.add(other)
                queue.append(other)
    return len(seen)


def shifted(xs):
    xs = xs[:]
    xs.append(xs.pop(0))
    return xs


def backtracked(xs):
    found, path = [], []

    def step(i):
        if i == len(xs):
            found.append(path[:])
            return
        path.append(xs[i])
        step(i + 1)
        path.pop()
        step(i + 1)

    step(0)
    return found


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (made_table, ([1, 2], 2)),
        (grouped, (["a", "ab", "b"],)),
        (counted, (["a", "b", "a"],)),
        (through_a_helper, (3, [1])),
        (searched, ({1: [2], 2: [1]}, 1)),
        (shifted, ([1, 2, 3],)),
        (backtracked, ([1, 2],)),
    ],
)
def test_what_only_changes_what_it_makes_changes_nothing(function, arguments):
    found = effects(function, *arguments)
    assert found is not None
    assert not found.changes_any
    assert call(function, *arguments) == function(*arguments)


def test_only_the_argument_that_changes_is_kept():
    def put_first(xs, ys, n):
        n += 1
        ys.append(xs[0])

    assert effects(put_first, [1], [2], 1).arguments == (1,)


def test_what_is_in_an_argument_is_told_from_the_argument():
    def first_of(rows):
        row = rows[0]
        row.append(1)

    found = effects(first_of, [[1]])
    assert (found.arguments, found.items) == ((), (0,))


def test_a_counter_and_an_ordered_dict_are_containers():
    def moved(words):
        found = collections.OrderedDict((word, 1) for word in words)
        found.move_to_end(words[0])
        return [*found], collections.Counter(words).most_common(1)

    assert not effects(moved, ["a", "b", "a"]).changes_any
    assert call(moved, ["a", "b", "a"]) == (["b", "a"], [("a", 2)])
