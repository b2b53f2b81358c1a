"""Functions that a call makes: those that are kept are the user's own, with values in them."""

import copy
import functools
import operator

import numpy as np
import pytest

import autograph as ag
from runtime.core.tensor import Tensor
from runtime.errors import StateDisagrees
from tests.promises.kit import function_of

HOOKS = []
V = np.float64(2.0)
CALLS = [(np.float64(4.0), np.int64(2)), (np.float64(-1.0), np.int64(0))]


def check(f):
    ag.check(f, V, np.int64(1), then=CALLS)


@pytest.fixture
def hooks():
    HOOKS.clear()
    yield HOOKS
    HOOKS.clear()


def made(v, n):
    k = v * 2
    HOOKS.append(lambda: k)
    HOOKS.append(lambda k=k: k + 1)
    HOOKS.extend([lambda: -k, lambda: k + n])  # on one line

    def peek(*, by=k):
        """Shows it."""
        return by + k if k < 3 else peek

    peek.extra = k
    count = 0

    def up():
        nonlocal count
        count += v
        return count

    return peek, up, lambda: count


def test_kept_functions_are_as_in_python(hooks):
    check(made)


def test_they_hold_no_tensors_of_the_graph_and_no_code_of_ours(hooks):
    peek, up, count = ag.function(made)(V, np.int64(1))
    assert [float(hook()) for hook in hooks] == [4.0, 5.0, -4.0, 5.0]
    assert (float(up()), float(up()), float(count())) == (2.0, 4.0, 4.0)
    assert isinstance(peek.extra, Tensor)
    assert peek.__doc__ == "Shows it."
    assert peek() is peek
    assert {name for hook in hooks for name in hook.__code__.co_freevars} == {"k", "n"}


def test_each_call_makes_its_own(hooks):
    traced = ag.function(lambda v: HOOKS.append(lambda by=v: by))
    for number in (1.0, 2.0):
        traced(np.float64(number))
    assert [float(hook()) for hook in hooks] == [1.0, 2.0]


def add(a, b, scale=1.0):
    return (a + b) * scale


def test_a_partial_that_statements_choose():
    def f(v, n):
        chosen = functools.partial(operator.add if v > 1 else operator.mul, v)
        scaled = functools.partial(add, v, scale=n)
        for i in range(n):
            scaled = functools.partial(add, v + i, scale=n) if i < 1 else functools.partial(add, v)
        return chosen(n), scaled(n)

    check(f)


def test_a_partial_of_a_callee_that_leaves_a_branch():
    def f(v, n):
        def part(v):
            return functools.partial(add, v) if n > 1 else functools.partial(add, 2.0)

        chosen = part(v)
        if v > 1:
            chosen = part(v + 1)
        return chosen(n)

    check(f)


def test_partials_among_arguments_and_results():
    def f(step, v):
        return step(v), step

    first, second = functools.partial(add, np.float64(1.0)), functools.partial(add, np.float64(2.0), scale=V)
    ag.check(f, first, V, then=[(second, V)])


def test_a_loop_makes_the_same_function_in_every_turn():
    def f(v, n):
        chosen = lambda a: a
        for _ in range(n):
            chosen = (lambda a: a + n) if v > 1 else (lambda a: a * 2)
        return chosen(v)

    check(f)


def twice(a):
    return a * 2


def test_a_list_that_grows_holds_functions():
    def f(v, n):
        steps, parts = [], {}
        for i in range(n):
            steps.append(twice if i % 2 else abs)
            parts[i] = functools.partial(add, v, scale=i)
        if v > 1:
            steps.extend([lambda a, by=by: a * by for by in (2, 3)])
        total = 0.0
        for step in steps:
            total += step(v)
        for part in parts.values():
            total += part(n)
        return total, len(steps)

    check(f)


def test_a_function_that_reads_a_variable_of_one_path_is_refused():
    def f(v, n):
        def less(by):
            return lambda a: a - by

        step = less(n)
        if v > 1:
            step = less(n + 1)
        return step(v)

    with pytest.raises(StateDisagrees, match="reads `by`, a variable of one path"):
        ag.function(f)(V, np.int64(1))


def with_a_default_in_a_branch(v, n):
    step = abs
    if v > 1:
        step = lambda a, by=v * 2: a - by
    return step(v)


def with_a_default_in_a_try(v, n):
    steps = [abs]
    try:
        if n > 1:
            raise KeyError
        steps[0] = lambda a, *, by=v * 2: a - by
    except KeyError:
        pass
    return steps[0](v)


def with_a_variable_in_a_try(v, n):
    def less(by):
        return lambda a: a - by

    step = abs
    try:
        if n > 1:
            raise KeyError
        step = less(v * 2)
    except KeyError:
        pass
    return step(v)


@pytest.mark.parametrize(
    "program", [with_a_default_in_a_branch, with_a_default_in_a_try, with_a_variable_in_a_try]
)
def test_a_function_outlives_no_path_with_what_only_that_has_computed(program):
    with pytest.raises(StateDisagrees, match="reads `by`, a variable of one path"):
        ag.function(program)(V, np.int64(1))


def test_copies_of_what_holds_chosen_objects():
    def f(v, n):
        one, other = [1.0], [2.0]
        held = {"chosen": one if v > 1 else other, "one": one, "maybe": [v] if n > 0 else None}
        copied = copy.deepcopy(held)
        copied["chosen"].append(3.0)
        return copied, held

    check(f)


def test_a_recursion_goes_on_with_an_iterator_of_its_caller():
    def f(v, n):
        numbers = iter(range(n + 6))
        total = 0

        def act(left):
            nonlocal total
            if left > 0:
                for number in numbers:
                    total += number
                    if number % 2:
                        break
                act(left - 1)

        act(n)
        return total, next(numbers)

    check(f)


def blend(one, other):
    return one * 0.5 + other


HALVES, WHOLES = functools.partial(blend, 1.0), functools.partial(blend, 2.0)


def first_of(n, v):
    return HALVES if n > 1 else WHOLES


def swapped(n, v):
    one, other = HALVES, WHOLES
    if n > 1:
        one, other = other, one
    return one, other, one is HALVES, {WHOLES: 1.0, HALVES: v}[one]


def replaced(n, v):
    steps = [abs, HALVES]
    if n > 1:
        steps[0] = functools.partial(blend, v)
    return steps


def grown(n, v):
    steps = [HALVES, WHOLES]
    if n > 1:
        steps.append(functools.partial(blend, v))
    return steps, steps[n % 2] is HALVES, steps[0](v)


def by_number(n, v):
    kept = {}
    for i in range(n):
        kept[i] = HALVES if i % 2 else WHOLES
    return kept


@pytest.mark.parametrize("f", [first_of, swapped, replaced, grown, by_number], ids=lambda f: f.__name__)
def test_a_partial_of_before_the_call_is_itself(f):
    ag.check(f, np.int64(3), V, then=[(np.int64(1), V), (np.int64(2), -V)])


def test_a_partial_in_a_list_of_the_callers_is_itself_whatever_a_path_does_to_the_list():
    def appended(steps, n, v):
        if n == 2:
            steps.append(v)

    def set_anew(steps, n, v):
        if n > 1:
            steps[0] = lambda e, y=v: e

    for f in (appended, set_anew):
        steps = [abs, HALVES]
        graph = ag.function(f)
        for n in (3, 2, 2, 1):
            graph(steps, np.int64(n), V)
            assert steps[1] is HALVES


@pytest.mark.parametrize(
    "turn",
    [
        "click = counter(click(v))",
        "click = counter(v * n)",
        "total += click(v); click = counter(v * n)",
        "click = lambda by, held=v * n: held",
    ],
)
def test_a_function_that_turns_replace_may_not_hold_what_a_turn_has_computed(turn):
    program = f"""
def counter(start):
    count = start
    def tick(by):
        nonlocal count
        count += by
        return count
    return tick
def f(n, v):
    click, total = counter(0.5), 0.0
    while n > 0:
        n -= 1
        {turn}
    return click(v) + total
"""
    with pytest.raises(StateDisagrees, match="that is made in this statement reads `"):
        ag.function(function_of(program))(np.int64(3), np.float64(2.0))


ITEMS = [1.0]
"""A list outside, which grows in a graph."""


@pytest.mark.parametrize(
    "made",
    ["lambda: items", "lambda held=items: held", "lambda held=(items, 1): held[0]", "lambda: [items][0]"],
)
def test_a_function_that_is_given_holds_the_list_that_has_grown_and_no_copy(made):
    program = f"""
def f(v):
    items = ITEMS
    if v > 0:
        items.append(v)
    return {made}
"""
    f = function_of(program, ITEMS=ITEMS)
    ITEMS[:] = [1.0]
    one = ag.function(f)
    for length in (2, 3, 4):
        assert one(V)() is ITEMS
        assert len(ITEMS) == length


def test_a_function_that_is_given_holds_an_argument_of_any_length():
    @ag.function
    def f(items):
        def last():
            return items

        return last

    for n in range(1, 6):
        given = [*range(n)]
        assert f(given)() is given


def test_which_of_two_functions_that_one_line_has_made_is_left_is_no_question():
    def made():
        return lambda: 1

    def f(n):
        a, b = made(), made()
        chosen = a if n > 1 else b
        return chosen is a

    def compared(n):
        a, b = made(), made()
        chosen = a if n > 1 else b
        return chosen() == a(), a is b, a == b, a != b

    def equal(n):
        a, b = made(), made()
        chosen = a if n > 1 else b
        return b != chosen

    for program in (f, equal):
        with pytest.raises(StateDisagrees, match="whether two functions are one"):
            ag.function(program)(np.int64(3))
    ag.check(lambda n: (made() is made(), made() == made(), n), np.int64(3))


def test_functions_that_read_other_things_are_told_apart():
    def made(k):
        return lambda: k

    def f(n):
        a, b = made(1), made(2)
        chosen = a if n > 1 else b
        return chosen is a, chosen == b, a is b, chosen()

    ag.check(f, np.int64(3), then=[(np.int64(1),)])
