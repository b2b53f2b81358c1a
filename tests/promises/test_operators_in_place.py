"""`x += y` and its likes change the object itself, under all of its names."""

from __future__ import annotations

from collections import deque
from textwrap import dedent

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue
from tests.promises.kit import function_of

CALLS = [(np.int64(2),), (np.int64(1),), (np.int64(0),), (np.int64(3),)]


def check(f):
    ag.check(f, *CALLS[0], then=CALLS[1:])


def test_a_list_gets_elements_of_which_only_the_run_knows_how_many():
    def f(n):
        items = [1, 2]
        also = items
        grown = []
        for i in range(n):
            grown.append(i)
        items += grown
        return also, items, also is items

    check(f)


def test_a_list_is_repeated():
    def f(n):
        items = [1, 2]
        also = items
        items *= n
        also += [n]
        return len(also), also

    check(f)


def test_extend_adds_for_every_name():
    def f(n):
        items = [1, 2]
        within = [items]
        items.extend(range(n))
        return within, items

    check(f)


def test_what_is_given_once_is_added():
    def f(n):
        items = [1]
        also = items
        items += (i * 2 for i in range(n))
        items += map(abs, range(n))
        return also

    check(f)


@pytest.mark.parametrize("symbol", ["|=", "&=", "-=", "^="])
def test_sets(symbol):
    def union(n):
        seen = {1, 3}
        also = seen
        seen |= {n}
        return sorted(also), len(seen), also is seen

    def intersection(n):
        seen = {1, 3}
        also = seen
        seen &= {n, 1}
        return sorted(also), len(seen)

    def difference(n):
        seen = {1, 3}
        also = seen
        seen -= {n}
        return sorted(also), len(seen)

    def symmetric(n):
        seen = {1, 3}
        also = seen
        seen ^= {n}
        seen ^= {n, 7}
        return sorted(also), len(seen)

    check({"|=": union, "&=": intersection, "-=": difference, "^=": symmetric}[symbol])


def test_an_operator_of_sets_refuses_a_list_as_python_does():
    def f(n):
        seen = {1}
        seen |= [n]
        return seen

    check(f)


def test_dicts_and_deques():
    def f(n):
        counts, last = {1: 2}, deque([1], maxlen=3)
        also, recent = counts, last
        counts |= {n: 3}
        last += [n]
        last += [i for i in range(n)]
        return also, counts, recent, last

    check(f)


def test_attributes_and_items():
    class Box:
        def __init__(self):
            self.items, self.seen = [1], {1}

    def f(n):
        box, rows = Box(), {"a": [1]}
        items, seen, row = box.items, box.seen, rows["a"]
        grown = []
        for i in range(n):
            grown.append(i)
        box.items += grown
        box.seen |= {n}
        rows["a"] *= n
        return items, len(seen), row, box.items, rows

    check(f)


def test_a_variable_of_a_function_around():
    def f(n):
        items = [1]
        also = items

        def grow():
            nonlocal items
            items += [n]
            items *= n

        grow()
        return also

    check(f)


def test_a_branch_changes_the_object_that_it_finds():
    def f(n):
        items, seen = [1], {1}
        also, same = items, seen
        if n > 1:
            items *= n
            seen |= {n}
        return also, sorted(same)

    check(f)


def test_a_class_of_ones_own_is_refused():
    class Items(list):
        pass

    def f(n):
        items = Items([1])
        items *= n
        return items

    with pytest.raises(NoConcreteValue, match="`\\*=` gives a Items what only the run knows"):
        ag.function(f)(np.int64(2))


def test_the_owner_of_an_attribute_is_asked_for_once():
    class Inner:
        def __init__(self):
            self.total = 0

    class Outer:
        def __init__(self):
            self._inner, self.asked = Inner(), 0

        @property
        def inner(self):
            self.asked += 1
            return self._inner

    def f(n):
        outer = Outer()
        outer.inner.total += n
        if n > 1:
            outer.inner.total -= 1
        return outer.asked, outer._inner.total

    check(f)


@pytest.mark.parametrize(
    ("symbol", "target", "value"),
    [
        ("|=", "{1}", "{int(x)}"),
        ("-=", "{1, 2}", "{x}"),
        ("|=", "{x for x in xs if x > 1}", "{x}"),
        ("|=", "{1: 2}", "{int(x): 3}"),
        ("|=", "{x: 2 for x in xs}", "{x: 3}"),
        ("+=", "[1]", "[x, 9]"),
        ("+=", "[1]", "(x,)"),
        ("+=", "[x for x in xs if x > 1]", "[x]"),
        ("+=", "deque([1])", "[x]"),
        ("*=", "[1]", "x"),
    ],
)
def test_what_may_be_none_changes_the_container_itself(symbol, target, value):
    source = f"""
    def f(xs):
        items = {target}
        also, more = items, None
        for x in xs:
            if x > 0:
                more = {value}
        items {symbol} more
        return items, also, items is also
    """
    f = function_of(dedent(source).strip(), deque=deque)
    ag.check(f, np.array([1, 2]), then=[(np.array([0]),), (np.array([3, 0]),)])


@pytest.mark.parametrize(
    ("symbol", "target", "one", "other"),
    [
        ("|=", "{1}", "{1, 5}", "{2, 6}"),
        ("-=", "{1, 2}", "{1, 5}", "{2, 6}"),
        ("+=", "[1]", "[1, 5]", "[2]"),
        ("+=", "deque([1])", "[1, 5]", "[2]"),
        ("+=", "[x for x in xs if x > 1]", "[1, 5]", "[2]"),
    ],
)
def test_one_of_several_changes_the_container_itself(symbol, target, one, other):
    source = f"""
    def f(xs):
        items, one, other = {target}, {one}, {other}
        also = items
        more = one if xs[0] > 0 else other
        items {symbol} more
        return items, also, items is also, one, other
    """
    f = function_of(dedent(source).strip(), deque=deque)
    ag.check(f, np.array([1, 2]), then=[(np.array([0]),), (np.array([3, 0]),)])


@pytest.mark.parametrize("value", ["{7}", "{int(xs[0])}", "{xs[0]}"])
def test_a_set_that_may_be_none_is_changed_itself(value):
    source = f"""
    def f(xs):
        items, found = {{1}}, None
        for x in xs:
            if x > 0:
                found = items
        found |= {value}
        return items, found
    """
    ag.check(
        function_of(dedent(source).strip()), np.array([1, 2]), then=[(np.array([0]),), (np.array([3, 0]),)]
    )


def test_a_method_that_runs_over_none_says_so():
    def f(xs):
        found, more = {x for x in xs}, None
        for x in xs:
            if x > 0:
                more = {x, 9}
        found.update(more)
        return found

    def g(xs):
        found, more = {1}, None
        for x in xs:
            if x > 0:
                more = {x}
        found.update(more)
        return found

    def always(xs):
        return {x for x in xs}.union(None)

    for function in (f, g, always):
        ag.check(function, np.array([1, 2]), then=[(np.array([0]),), (np.array([3, 0]),)])


def test_of_what_may_be_none_an_operator_says_what_python_says():
    def f(xs):
        found = None
        for x in xs:
            if x > 0:
                found = {x}
        try:
            found |= {4}
        except TypeError as error:
            return str(error)
        return found

    ag.check(f, np.array([1, 2]), then=[(np.array([0]),), (np.array([3, 0]),)])
