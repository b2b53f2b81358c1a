"""Containers are compared item by item, also under names: `<` of tuples, `==` of dicts and deques."""

import abc
from collections import Counter, OrderedDict, defaultdict, deque
from typing import NamedTuple

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import StateDisagrees
from tests.promises.kit import function_of

CALLS = [(np.float64(v),) for v in (2.0, 1.0, 0.5)]

ORDERED = [
    "one[1:] > other[1:]",
    "one < other",
    "key(one) >= key(other)",
    "one[1:] + (1,) < other[1:] + (2,)",
    "one < other < (9,)",
    "[*one] <= list(other)",
    "max(one, other)",
    "min([one, other], key=lambda each: each[1:])",
]


@pytest.mark.parametrize("text", ORDERED)
def test_the_order_of_tuples_and_lists_under_names(text):
    f = function_of(
        "def f(v):\n    def key(each):\n        return each[::-1]\n"
        f"    one, other = (1, v, 2.0), (1, 1.0, v)\n    found = {text}\n    return found"
    )
    ag.check(f, *CALLS[0], then=CALLS[1:], executors=["numpy"])


def test_the_best_so_far_is_kept_with_what_it_is_of():
    def best(xs):
        found = None
        for at in range(4):
            candidate = (xs[at] * -1, at)
            if found is None or candidate > found:
                found = candidate
        return found

    ag.check(best, np.array([3.0, 1.0, 2.0, 1.0]), then=[(np.array([0.0, 1.0, -2.0, 1.0]),)])


def grown(v):
    found = []
    for i in range(int(v * 2)):
        found.append(i)
    return found


GROWN = [
    "[0, 1] < grown(v)",
    "grown(v) < [0, 1]",
    "grown(v) >= grown(v - 0.5)",
    "grown(v) <= grown(v)",
    "[] < grown(v - 1)",
    "[(v, 1)] + [(i, 2) for i in grown(v)] > [(1.0, 0), (0, 3)]",
    "(1, grown(v)) < (1, [0, 2])",
]


@pytest.mark.parametrize("text", GROWN)
def test_lists_that_have_grown_have_an_order(text):
    f = function_of(f"def f(v):\n    found = {text}\n    return found", grown=grown)
    ag.check(f, *CALLS[0], then=CALLS[1:], executors=["numpy"])


def test_a_list_that_has_grown_is_not_compared_with_a_number():
    def program(v):
        return grown(v) < 3

    ag.check(program, *CALLS[0])


class Limit:
    """Says itself whether it is true."""

    def __init__(self, value):
        self.value = value

    def __bool__(self):
        return bool(self.value > 1)


def test_any_and_all_ask_objects_whether_they_are_true():
    def program(v):
        limits = [Limit(v), Limit(2)]
        return any(limits), all(limits), any(Limit(each) for each in [v, 0]), all([])

    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_a_chosen_list_is_unpacked_into_another():
    def program(v):
        one, other = [1.0, v], [v]
        chosen = one if v > 1 else other
        one.append(2.0)
        return [*chosen, 3.0], (*chosen, v), chosen is one

    ag.check(program, *CALLS[0], then=CALLS[1:])


EQUAL = [
    ("{'a': 1.0, 'b': 2.0}", "{'a': v, 'b': 2.0}"),
    ("{'a': 1.0, 'b': 2.0}", "{'b': 2.0, 'a': v}"),
    ("{'a': 1.0}", "{'a': v, 'b': 2.0}"),
    ("{'a': 1.0}", "{'b': v}"),
    ("OrderedDict(a=v, b=2.0)", "OrderedDict(b=2.0, a=1.0)"),
    ("OrderedDict(a=v, b=2.0)", "dict(b=2.0, a=1.0)"),
    ("defaultdict(list, a=[v, 1.0])", "{'a': [1.0, v]}"),
    ("Counter(a=1, b=v)", "Counter(a=1, b=1.0)"),
    ("Counter(a=1, b=v - 2.0)", "Counter(a=1)"),
    ("deque([1.0, v])", "deque([v, 1.0], maxlen=3)"),
    ("deque([1.0, v])", "[1.0, v]"),
    ("[{'a': v}]", "[{'a': 1.0}]"),
    ("({'a': [v]}, deque([v]))", "({'a': [1.0]}, deque([1.0]))"),
]


@pytest.mark.parametrize(("left", "right"), EQUAL)
def test_what_is_in_containers_decides_whether_they_are_equal(left, right):
    f = function_of(
        f"def f(v):\n    one = {left}\n    other = {right}\n"
        "    return one == other, one != other, (1 if one == other else 2), one == other != one",
        **{each.__name__: each for each in (Counter, OrderedDict, defaultdict, deque)},
    )
    ag.check(f, *CALLS[0], then=CALLS[1:], executors=["numpy"])


LOOKED_FOR = [
    "one.index(v)",
    "one.count(2.0)",
    "one.index(v + 1)",
    "1.0 in Pair(2.0, v)",
    "Pair(v, 1.0).index(1.0)",
]


@pytest.mark.parametrize("text", LOOKED_FOR)
def test_what_is_looked_for_in_tuples(text):
    ag.check(
        function_of(f"def f(v):\n    one = (1.0, v, 2.0)\n    return {text}", Pair=Pair),
        *CALLS[0],
        then=CALLS,
    )


class Pair(NamedTuple):
    left: float
    right: float


@pytest.mark.parametrize("text", ["3 in x.shape", "2 in x.shape", "x.shape.index(3)", "x.shape.count(3)"])
def test_what_is_looked_for_in_a_shape_that_only_a_run_knows(text):
    f = function_of(text, "x")
    graph = ag.function(f, input_signature=[rt.TensorSpec((None,), rt.float64)])
    assert graph(rt.ones(3)) == f(np.ones(3))


class Shape(abc.ABC):
    def __init__(self, side):
        self.side = side

    @abc.abstractmethod
    def area(self): ...

    def __lt__(self, other):
        return self.area() < other.area()


class Square(Shape):
    def area(self):
        return self.side**2


class Strip(Shape):
    def area(self):
        return 3 * self.side


def shapes(x):
    found = [Square(x), Strip(1.0), Square(1.5)]
    found.sort()
    try:
        Shape(x)
    except TypeError as error:
        print("abstract" in str(error))
    return [each.side for each in found], type(max(found)).__name__, sorted([Strip(x), Square(2.0)])[0].side


def test_objects_of_abstract_classes_are_in_the_order_of_their_methods():
    ag.check(shapes, np.float64(2.0), then=[(np.float64(0.5),), (np.float64(-1.0),)])


def in_its_words(text):
    return function_of(
        "def f(x, y):\n"
        "    rows, sums = [], []\n"
        "    for i in range(int(abs(x).sum())):\n        rows.append(x * i)\n        sums.append(i)\n"
        f"    try:\n        return {text}\n"
        "    except ValueError as error:\n        return str(error)\n",
        deque=deque,
    )


OF_ARRAYS = [
    "y in [x + 1, y * 2]",
    "y in (x, y)",
    "[x] == [y]",
    "(1, x) != (1, y)",
    "{'a': x} == {'a': y}",
    "deque([x]) == deque([y])",
    "[x, y].index(y)",
    "[y, x].count(x)",
    "[x, y].remove(y)",
    "y in rows",
    "rows.index(y)",
    "rows == [x + 1] * 5",
    "rows.count(y + 1)",
    "y in sums",
    "not x",
    "any([x > 0, y > 0])",
    "all([x])",
    "[x] < [y]",
]


@pytest.mark.parametrize("text", OF_ARRAYS)
def test_arrays_of_several_elements_are_no_items_that_can_be_compared(text):
    first, second = np.array([2.0, 3.0]), np.array([5.0, 1.0])
    f = in_its_words(text)
    assert "ambiguous" in f(first, second)
    ag.check(f, first, second, then=[(second, first)], executors=["numpy"])


@pytest.mark.parametrize("text", [each for each in OF_ARRAYS if "index" not in each])
def test_arrays_of_one_element_are_compared_as_it_is(text):
    first, second = np.array([2.0]), np.array([5.0])
    ag.check(in_its_words(text), first, second, then=[(second, second)], executors=["numpy"])


@pytest.mark.parametrize("text", ["y in rows", "rows == [x] * 5", "rows.count(y)"])
def test_in_a_list_without_items_nothing_is_compared(text):
    calls = [(np.zeros(2), np.ones(2)), (np.ones(2), np.ones(2))]
    ag.check(in_its_words(text), *calls[0], then=calls[1:], executors=["numpy"])


def test_a_handler_around_the_call_sees_the_line_that_compares_arrays():
    def f(x, y):
        return [x] == [y]

    with pytest.raises(ValueError, match=r"ambiguous in this `==`\n\n(.*\n)+ +return \[x\] == \[y\]"):
        ag.function(f)(np.ones(2), np.zeros(2))


def test_an_array_is_not_asked_for_where_what_stands_before_it_differs():
    def f(n, x):
        return (1, x) == (2, x), [n, x] == [n, x], (n, 1, x) < (n, 2, x), [] == [x]

    ag.check(f, np.int64(1), np.ones(2), then=[(np.int64(2), np.ones(3))])


def test_whether_an_element_of_a_list_that_grows_is_one_outside_is_refused_where_rows_have_several_lengths():
    def program(n, v):
        rows = [[1.0], [2.0, v], [3.0]]
        copied, found = list(rows), 0
        for i in range(n):
            if copied[i % 3] is rows[-1]:
                found += 1
            if n < 3:
                copied.append(copied[0])
        return found

    with pytest.raises(StateDisagrees, match="whether two are one list"):
        ag.function(program)(np.int64(4), np.float64(1.0))
