"""Which calls are closed: what leads out of plain Python, and what does not."""

import collections
import copy
import dataclasses
import enum
import functools
import heapq
import itertools
import math
import operator
import random
from fractions import Fraction

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.backends.tensors import TENSORS
from autograph.staging import reach
from autograph.staging.closed import NOT_CLOSED, closed_call
from autograph.staging.dispatch import Backends
from autograph.staging.journal import recording
from runtime.core.taken_apart import was_made

BACKENDS = Backends([TENSORS])


def call(function, *args, **kwargs):
    return closed_call(BACKENDS, function, args, kwargs)


LIMITS = {"low": 1, "high": 9}
HISTORY = []
KEPT = []
SCALE = 3


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Account:
    made = 0

    def __init__(self, total=0):
        self.total = total

    def add(self, amount):
        self.total += amount
        return self.total

    @property
    def doubled(self):
        return 2 * self.total


class Counted:
    made = 0

    def __init__(self):
        Counted.made += 1


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0
    path: list = dataclasses.field(default_factory=list)


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def clamped(x):
    return max(LIMITS["low"], min(x, LIMITS["high"])) * SCALE


def primes(n):
    flags = [True] * (n + 1)
    for i in range(2, math.isqrt(n) + 1):
        if flags[i]:
            for j in range(i * i, n + 1, i):
                flags[j] = False
    return [i for i in range(2, n + 1) if flags[i]]


def counts(words):
    found = collections.Counter(words)
    return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))


def name_of(number):
    return Colour(number).name


def balance(amounts):
    account = Account()
    for amount in amounts:
        account.add(amount)
    return account.doubled


def moved(x):
    point = Point(x)
    point.path.append(x)
    return dataclasses.replace(point, y=5).y if False else (point.x, point.path)


def guarded(x):
    try:
        return 10 // x
    except ZeroDivisionError:
        return None


@functools.lru_cache
def cached(n):
    return n * n


def through_a_cache(n):
    return cached(n) + sum(itertools.takewhile(lambda x: x < n, itertools.count()))


def halves(n):
    return Fraction(n, 2)


def inner_generator(n):
    def each():
        yield from range(n)

    return sum(each())


def multiplied(factor):
    def times(x):
        return factor * x

    return times


CLOSED = [
    (fibonacci, (10,)),
    (clamped, (20,)),
    (primes, (30,)),
    (counts, (["b", "a", "b"],)),
    (name_of, (2,)),
    (balance, ([1, 2, 3],)),
    (moved, (4,)),
    (guarded, (0,)),
    (through_a_cache, (4,)),
    (halves, (3,)),
    (inner_generator, (4,)),
    (multiplied(3), (5,)),
    (Account(4).add, (5,)),
    (lambda xs, f: [f(x) for x in xs], ([1, 2], abs)),
    (lambda xs, f: [f(x) for x in xs], ([1, 2], clamped)),
]


@pytest.mark.parametrize(("function", "arguments"), CLOSED)
def test_a_call_that_only_computes_runs_as_it_is(function, arguments):
    assert call(function, *arguments) is not NOT_CLOSED


def test_it_gives_what_the_function_gives():
    assert call(fibonacci, 10) == 55
    assert call(counts, ["b", "a", "b"]) == [("b", 2), ("a", 1)]
    assert call(balance, [1, 2, 3]) == 12


def prints(x):
    print(x)


def writes_a_global(x):
    global SCALE
    SCALE = x


def draws():
    return random.random()


def makes_an_array(n):
    return np.zeros(n)


def makes_a_tensor(n):
    return rt.zeros(n)


def imports(x):
    import math  # noqa: PLC0415  (on purpose)

    return math.sqrt(x)


def looks_inside(x):
    return fibonacci.__globals__["SCALE"] * x


def by_name(x):
    return getattr(x, "real")


def runs_text(x):
    return eval("x + 1")


def calls_what_prints(x):
    return [prints(x)]


def yields(n):
    yield n


def counting():
    count = 0

    def step():
        nonlocal count
        count += 1
        return count

    return step


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (prints, (1,)),
        (writes_a_global, (1,)),
        (draws, ()),
        (makes_an_array, (3,)),
        (makes_a_tensor, (3,)),
        (imports, (2,)),
        (looks_inside, (2,)),
        (by_name, (2,)),
        (runs_text, (2,)),
        (calls_what_prints, (2,)),
        (yields, (2,)),
        (counting(), ()),
        (fibonacci, (rt.asarray(3),)),
        (counts, ([rt.asarray(3)],)),
        (counts, (np.ones(3),)),
        (lambda xs, f: f(xs), ([1, 2], prints)),
        (lambda xs: xs, (iter([1, 2]),)),
        (balance, ([*range(100_000)],)),
    ],
)
def test_what_leads_out_of_plain_python_is_left_to_the_converted_form(function, arguments):
    assert call(function, *arguments) is NOT_CLOSED


def test_a_tensor_in_a_container_that_is_named_is_met():
    KEPT[:] = [1, 2]
    assert call(lambda: sum(KEPT)) == 3
    KEPT[:] = [1, rt.asarray(2)]
    assert call(lambda: sum(KEPT)) is NOT_CLOSED
    KEPT.clear()


def shouted(text):
    return text.upper()


def test_an_instruction_that_nobody_knows_leads_out(monkeypatch):
    by = 1

    def added(number):
        return number + by

    monkeypatch.setattr(reach, "_READS_ATTRIBUTE", frozenset())
    monkeypatch.setattr(reach, "_OF_CELLS", frozenset())
    assert call(shouted, "text") is NOT_CLOSED
    assert call(added, 2) is NOT_CLOSED


def test_a_name_that_means_another_thing_is_looked_up_again(monkeypatch):
    assert call(clamped, 20) == 27
    monkeypatch.setitem(globals(), "SCALE", 2)
    assert call(clamped, 20) == 18
    monkeypatch.setitem(globals(), "SCALE", rt.asarray(2))
    assert call(clamped, 20) is NOT_CLOSED


def test_a_method_that_is_replaced_is_looked_up_again(monkeypatch):
    assert call(balance, [1, 2]) == 6
    monkeypatch.setattr(Account, "add", lambda self, amount: print(amount))
    assert call(balance, [1, 2]) is NOT_CLOSED


def test_a_call_that_raises_has_changed_nothing():
    def fill(items, account):
        items.append(1)
        account.total = 7
        account.fresh = 8
        raise ValueError

    items, account = [0], Account()
    assert call(fill, items, account) is NOT_CLOSED
    assert items == [0]
    assert vars(account) == {"total": 0}


def test_a_call_that_gives_what_runs_later_has_changed_nothing():
    def pushed(items):
        items.append(1)
        return (item for item in items)

    items = [0]
    assert call(pushed, items) is NOT_CLOSED
    assert items == [0]


def test_a_call_that_changes_a_class_has_changed_nothing():
    before = Counted.made
    assert call(lambda: Counted().made) is NOT_CLOSED
    assert Counted.made == before


def test_a_call_that_gives_a_function_an_attribute_has_changed_nothing():
    def remembered(x):
        return x

    def remember(x):
        remembered.last = x
        return x

    assert call(remember, 3) is NOT_CLOSED
    assert vars(remembered) == {}


@pytest.mark.parametrize(
    ("change", "made"),
    [
        (lambda items: items.append(1), list),
        (lambda items: items.update(a=1), dict),
        (lambda items: items.add(1), set),
        (lambda items: items.appendleft(1), collections.deque),
        (lambda account: account.add(5), Account),
        (lambda account: account.__init__(9), Account),
        (lambda slotted: slotted.__init__(9), lambda: Slotted(1)),
        (lambda nested: nested["a"].append(1), lambda: {"a": []}),
        (lambda nested: nested[0].add(5), lambda: (Account(),)),
    ],
)
def test_what_a_call_changes_is_announced(change, made):
    owner = made()
    with recording() as journal:
        assert call(change, owner) is not NOT_CLOSED
        assert journal.changed()
        journal.undo()
        assert not journal.changed()


def test_an_attribute_that_was_not_there_is_announced():
    def lazily(account):
        account.cached = 3
        return account.cached

    account = Account()
    with recording() as journal:
        assert call(lazily, account) == 3
        journal.undo()
    assert not hasattr(account, "cached")


def test_defaults_that_change_are_announced():
    def collected(x, found=[]):
        found.append(x)
        return len(found)

    with recording() as journal:
        assert call(collected, 1) == 1
        journal.undo()
    assert call(collected, 1) == 1


hidden = heapq.heappush
added = list.append
partly = functools.partial(list.append)


@pytest.mark.parametrize(
    "change",
    [
        lambda items: hidden(items, 1),
        lambda items: added(items, 1),
        lambda items: [*map(items.append, [1])],
        lambda items: operator.iadd(items, [1]),
        lambda items: list.__init__(items, [1]),
        lambda items: partly(items, 1),
    ],
)
def test_a_change_by_another_name_is_announced(change):
    items = []
    with recording() as journal:
        assert call(change, items) is not NOT_CLOSED
        assert items == [1]
        journal.undo()
    assert items == []


def test_a_function_that_is_given_may_change_what_is_given():
    items = []
    with recording() as journal:
        assert call(lambda f, items: f(items, 1), list.append, items) is None
        journal.undo()
    assert items == []


def test_a_copy_of_a_list_is_plain():
    assert call(lambda rows: copy.deepcopy(rows), [[1], [2]]) == [[1], [2]]


def test_a_class_with_parameters_is_the_class():
    assert call(lambda: collections.deque[int]([1])) == collections.deque([1])


def test_a_class_of_c_whose_module_is_a_descriptor_is_no_error():
    class Odd:
        pass

    Odd.__module__ = property(lambda self: "nowhere")
    assert call(lambda value: 3, Odd()) in (3, NOT_CLOSED)


def two_accounts():
    return [Account(1), Account(2)]


def puts_an_account(accounts):
    accounts.append(Account(3))


@functools.cache
def the_account():
    return Account(4)


def gives_the_account():
    return the_account()


def test_objects_that_a_call_makes_were_made_in_the_graph():
    the_account()

    def found():
        accounts = two_accounts()
        puts_an_account(accounts)
        accounts.append(gives_the_account())
        assert call(two_accounts) is not NOT_CLOSED
        return accounts

    def traced(x):
        seen.extend([was_made(each) for each in found()])
        return x

    seen = []
    ag.function(traced)(np.float64(1.0))
    assert seen == [True, True, True, False]
