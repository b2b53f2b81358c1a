"""A graph that raises leaves outside what plain Python leaves, also where only paths that raise change it."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import LostChangesWarning
from tests.promises.kit import function_of

TOTAL = 0.0
LOG = [1.0]
BUFFER = np.zeros(3)


class Holder:
    def __init__(self):
        self.value = 0.0
        self.array = np.zeros(3)


HOLDER = Holder()


def a_global_in_a_branch(n, v, items, out):
    global TOTAL
    if n > 1:
        TOTAL = v
        raise ValueError(n)
    return TOTAL


def a_global_where_both_branches_raise(n, v, items, out):
    global TOTAL
    if n > 1:
        raise ValueError(n)
    TOTAL = v
    raise KeyError("no")


def a_global_in_a_loop(n, v, items, out):
    global TOTAL
    while n > 1:
        TOTAL = v
        raise ValueError(n)
    return v


def a_list_of_the_module(n, v, items, out):
    if n > 1:
        LOG.append(v)
        raise ValueError(n)
    return v


def an_attribute(n, v, items, out):
    if n > 1:
        HOLDER.value = v
        raise ValueError(n)
    return v


def an_array_of_the_module(n, v, items, out):
    if n > 1:
        BUFFER[1] = v
        raise ValueError(n)
    return BUFFER.sum()


def a_list_from_the_caller(n, v, items, out):
    for turn in range(n):
        if turn > 0:
            items.append(v)
            raise ValueError(n)
    return v


def an_array_from_the_caller(n, v, items, out):
    if n > 1:
        out[0] = v
        raise ValueError(n)
    return v


def a_list_that_holds_in_the_end_what_it_held(n, v, items, out):
    items.append(v)
    share = 1 // int(n - 2)
    items.pop()
    return share


def in_a_callee(n, v, items, out):
    return a_global_in_a_branch(n, v, items, out) + an_array_from_the_caller(n, v, items, out)


def in_a_method(n, v, items, out):
    def put(value):
        nonlocal v
        v = value
        HOLDER.array[1] = value
        if value > 1:
            raise ValueError(value)

    if n > 1:
        put(v + 1)
    return v


@pytest.mark.parametrize(
    "program",
    [
        *(a_global_in_a_branch, a_global_where_both_branches_raise, a_global_in_a_loop),
        *(a_list_of_the_module, an_attribute, an_array_of_the_module, in_a_callee, in_a_method),
        *(a_list_from_the_caller, an_array_from_the_caller, a_list_that_holds_in_the_end_what_it_held),
    ],
)
def test_it_is_left_as_python_leaves_it(program):
    calls = [(np.int64(n), np.float64(2.0), [1.0], np.zeros(2)) for n in (2, 0, 5, 2)]
    ag.check(program, *calls[0], then=calls[1:])


@ag.function
def inner(n, v, out):
    if n > 1:
        HOLDER.value = v
        out[0] = v
        raise ValueError(n)
    return v


def test_a_function_of_the_graph_says_to_every_caller_what_it_changes_where_it_raises():
    def first(n, v, out):
        return inner(n, v, out)

    def second(n, v, out):
        return inner(n, v, out) + 1

    for program in (first, second):
        ag.check(program, np.int64(2), np.float64(3.0), np.zeros(2))


def arrays_that_a_branch_writes_into(n, v, out):
    own, holder = np.zeros(3), Holder()
    try:
        if n > 1:
            own[0] = holder.array[0] = out[0] = BUFFER[0] = v
            raise ValueError(n)
    except ValueError:
        return own.sum(), holder.array.sum(), out.sum(), BUFFER.sum()
    return v


def test_a_handler_reads_the_arrays_that_a_branch_has_written_into_that_raised():
    calls = [(np.int64(n), np.float64(2.0), np.zeros(2)) for n in (2, 0, 5)]
    ag.check(arrays_that_a_branch_writes_into, *calls[0], then=calls[1:])


RNG = np.random.default_rng(3)


def test_what_nothing_changes_is_not_lost(recwarn):
    @ag.function
    def program(x, items):
        x += RNG.random()
        if x > 0:
            items[0] += 0.0 * len(items)
            own = [x]
            own.append(x)
            raise ValueError("no")
        return x

    @ag.function
    def reads(x, items):
        x += RNG.random()
        if x > len(items):
            own = [x]
            own.append(x)
            raise ValueError("no")
        return x

    with pytest.raises(ValueError, match="no"):
        reads(np.float64(3.0), [1.0])
    assert not recwarn
    with pytest.warns(LostChangesWarning), pytest.raises(ValueError, match="no"):
        program(np.float64(3.0), [1.0])


def test_what_a_call_has_left_looks_like_numpys_in_the_text_of_an_exception():
    class Account:
        balance, before, moved, rows = 3, None, [1.0], np.zeros(2)

        def add(self, x):
            self.before = self.balance
            if self.balance + x < 0:
                raise ValueError(f"only {self.balance} of {self.moved} and {self.rows}")
            self.balance = self.balance + x
            self.rows = self.rows + x
            self.moved = [self.balance * 2.0, *self.moved]
            return self.balance

    i = np.int64
    ag.check(Account().add, i(2), then=[(i(2),), (i(-20),), (i(1),), (i(-30),), (i(-30),)])


def test_an_exception_that_is_always_raised_tells_what_a_call_has_left():
    class Box:
        held = 1

        def fill(self, x):
            self.held = self.held + x

        def refuse(self, x):
            raise ValueError(f"{self.held} and {x}")

    box = Box()
    ag.function(box.fill)(np.int64(2))
    with pytest.raises(ValueError, match="3 and 1") as raised:
        ag.function(box.refuse)(np.int64(1))
    assert raised.value.args == ("3 and 1",)


TURNS = """
for i in range(n):
    out += v
    raise ValueError(n)
---
for i in range(n):
    out, other = other, out
    if i > 1:
        out += v
        raise ValueError(n)
---
held = None
for i in range(n):
    if held is not None:
        held += v
        raise ValueError(n)
    held = out[1:]
---
held = other
for i in range(n):
    if i > 1:
        held += v
        raise ValueError(n)
    held = out
---
held = BUFFER
for i in range(n):
    held += v
    raise ValueError(n)
---
for row in (out, other):
    for i in range(n):
        row += v
        if i == 2:
            raise ValueError(n)
---
while n > 1:
    out *= v
    n -= 1
    items[5] = v
""".strip().split("\n---\n")


@pytest.mark.parametrize("program", TURNS)
def test_a_turn_that_raises_has_written_into_the_array_that_its_variable_is(program):
    lines = ["def f(n, v, items, out, other):", *program.splitlines(), "return v"]
    function = function_of("\n    ".join(lines) + "\n", BUFFER=BUFFER)
    calls = [(np.int64(n), np.float64(2.0), [1.0], np.zeros(3), np.ones(3)) for n in (3, 0, 1, 5)]
    ag.check(function, *calls[0], then=calls[1:])


GROWN = """
if n < 1:
    pass
else:
    for i in range(n):
        LOG.append(v)
    raise ValueError(n)
---
for j in range(n):
    for i in range(n):
        LOG.append(v)
    if j > 1:
        raise ValueError(n)
---
if n > 1:
    for i in range(n):
        items.append(v)
    items[99] = v
---
if n > 1:
    for i in range(n):
        SEEN.add(i)
    raise KeyError(n)
---
try:
    if n > 1:
        for i in range(n):
            LOG.append(v)
        raise KeyError(n)
except KeyError:
    return len(LOG) + v
---
try:
    for j in range(n):
        for i in range(j):
            items.append(v)
        if j > 1:
            raise KeyError(n)
except KeyError:
    items.append(0.0)
return items
""".strip().split("\n---\n")


@pytest.mark.parametrize("program", GROWN)
def test_a_path_that_raises_has_made_longer_what_was_there(program):
    lines = ["def f(n, v, items):", *program.splitlines(), "return v"]
    function = function_of("\n    ".join(lines) + "\n", LOG=[1.0], SEEN={1})
    calls = [(np.int64(n), np.float64(2.0), [1.0]) for n in (3, 0, 1, 5)]
    ag.check(function, *calls[0], then=calls[1:])


def test_a_turn_that_raises_may_carry_a_list_of_the_graph_beside_an_array():
    def program(n, out):
        kept = [1]
        for i in range(n):
            kept.append(i)
            out += i
            if i > 2:
                raise ValueError(len(kept))
            kept = kept[1:]
        return kept

    ag.check(program, np.int64(3), np.zeros(3), then=[(np.int64(5), np.zeros(3)), (np.int64(0), np.ones(3))])


CHANGES = ["target.append(v)", "target.clear()", "target[0] += v", "target.extend([v, v])"]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("rest", ["raise ValueError(n)", "k = k + 1", "return missing"])
def test_what_a_branch_has_chosen_is_changed_where_every_path_raises(change, rest):
    f = function_of(
        "def f(n, v, one, other):\n    if n < 1:\n        return absent\n"
        f"    target = one if n > 2 else other\n    {change}\n    {rest}\n"
    )
    calls = [(np.int64(n), np.float64(2.0), [1.0], [3.0, 4.0]) for n in (3, 0, 2)]
    ag.check(f, *calls[0], then=calls[1:])
