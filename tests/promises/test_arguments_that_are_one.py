"""Arguments that are one object: with one another, or with what the function has from outside as well."""

from dataclasses import dataclass

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import StateDisagrees
from tests.promises.kit import function_of


@dataclass
class Pair:
    one: object
    other: object


@dataclass
class Node:
    value: float
    parent: object = None
    children: object = None


class Box:
    def __init__(self, items):
        self.items = items

    def adds_to(self, items):
        items.append(2.0)
        return len(self.items)


@pytest.fixture(autouse=True)
def world():
    """What programs reach from outside, as it is before each of them."""
    LIST[:], ARRAY[:] = [1.0], [1.0, 2.0, 3.0]
    NAMED["items"] = [1.0]


LIST, NAMED, ARRAY = [1.0], {"items": [1.0]}, np.array([1.0, 2.0, 3.0])


# ── with one another ──


def are_one(a, b):
    return a is b


def appended_to_one(a, b):
    a.append(a[0] + 1)
    return len(b), b


def written_into_one(a, b):
    a[0] = b[1] + 4.0
    return b.sum() + a.sum(), a is b


def an_attribute_of_one(a, b):
    a.one = a.one + 1
    return b.one


def swapped(a, b):
    a[0], b[-1] = b[-1], a[0]
    return a[0]


def written_in_turns(a, b, out):
    for i in range(len(a)):
        out[i] = a[i] * b[i] + out[i - 1]
    return out.sum()


def twice(make):
    value = make()
    return value, value


APART_AND_ONE = [
    (are_one, lambda: [1.0]),
    (are_one, lambda: {"a": 1.0}),
    (are_one, lambda: np.ones(3)),
    (are_one, lambda: (1.0, [2.0])),
    (are_one, lambda: Pair(1.0, 2.0)),
    (appended_to_one, lambda: [np.float64(1.0)]),
    (appended_to_one, lambda: [np.float64(1.0), 2.0]),
    (written_into_one, lambda: np.arange(4.0)),
    (an_attribute_of_one, lambda: Pair(np.float64(1.0), 2.0)),
    (swapped, lambda: [np.float64(1.0), np.float64(2.0)]),
]


@pytest.mark.parametrize(("program", "make"), APART_AND_ONE)
def test_an_object_that_is_two_arguments_is_one_object(program, make):
    ag.check(program, *twice(make), then=[(make(), make()), twice(make)])
    ag.check(program, make(), make(), then=[twice(make), (make(), make())])


def test_arrays_that_are_one_are_so_in_every_position():
    x, y = np.array([2.0, 3.0]), np.array([5.0, 7.0])
    calls = [(x, y, np.zeros(2)), (x, x, np.zeros(2)), (*twice(x.copy), y.copy()), (y, *twice(x.copy))]
    ag.check(written_in_turns, *twice(x.copy), x.copy(), then=calls)


def test_an_array_that_is_only_read_may_be_two_arguments_of_one_graph():
    staged = ag.function(written_in_turns)
    x, y = np.array([2.0, 3.0]), np.array([5.0, 7.0])
    for given in ((x, x), (x, y), (y, y), (x, x)):
        out, expected = np.zeros(2), np.zeros(2)
        assert float(staged(*given, out)) == written_in_turns(*given, expected)
        assert out.tolist() == expected.tolist()
    assert len(staged.concrete_functions) == 1
    out, expected = np.ones(2), np.ones(2)
    assert float(staged(x, out, out)) == written_in_turns(x, expected, expected)
    assert out.tolist() == expected.tolist()
    assert len(staged.concrete_functions) == 2


def test_an_array_that_is_left_somewhere_is_one_there():
    def program(a, b, out, box):
        out[0] = a[0] + b[1]
        box.items = [a, b]
        return box.items[0] is box.items[1]

    x = np.array([2.0, 3.0])
    ag.check(program, x, x, np.zeros(2), Box([]), then=[(x, x + 1.0, np.zeros(2), Box([]))])


def test_a_list_that_two_others_hold_is_one():
    def program(holder):
        holder["a"].append(1.0)
        return len(holder["b"]), holder["a"] is holder["b"]

    one, other = twice(lambda: [1.0])
    ag.check(program, {"a": one, "b": other}, then=[({"a": [1.0], "b": [1.0]},)])
    ag.check(lambda pair: (pair.one.append(1.0), len(pair.other))[1], Pair(one, other))


def test_tensors_that_are_one_are_one():
    @ag.function
    def program(a, b):
        return a is b

    x = rt.asarray([1.0, 2.0])
    assert [bool(program(*given)) for given in ((x, x), (x, x + 0), (x, x))] == [True, False, True]


def test_a_graph_hands_one_object_over_twice():
    inner = ag.function(appended_to_one)

    def program(x):
        items = [x]
        return inner(items, items)[0] + appended_to_one(items, items)[0], len(items)

    ag.check(program, np.float64(1.0))


# ── with what lies outside ──


def appended_to(items):
    items.append(2.0)
    return len(LIST), items is LIST


def of_a_dict(named):
    named["items"].append(3.0)
    return len(NAMED["items"]), named is NAMED


def written_into(x):
    x[0] = 7.0
    return ARRAY.sum(), x is ARRAY


def written_outside(x):
    ARRAY[0] += x[1]
    return ARRAY.sum() + x.sum()


def written_into_both(x):
    ARRAY[0] += x[1]
    x[1] += 1
    return ARRAY.sum() + x.sum()


@pytest.mark.parametrize(
    ("program", "outside", "another"),
    [
        (appended_to, LIST, [1.0]),
        (of_a_dict, NAMED, {"items": [1.0]}),
        (written_into, ARRAY, np.ones(3)),
        (written_outside, ARRAY, np.ones(3)),
        (written_into_both, ARRAY, np.ones(3)),
    ],
)
def test_what_lies_outside_may_be_an_argument_too(program, outside, another):
    graph = ag.function(program)
    calls = [outside, another, outside, outside, another]
    found = [values(graph(each)) for each in calls]
    left = LIST.copy(), NAMED["items"].copy(), ARRAY.copy()
    LIST[:], ARRAY[:], NAMED["items"] = [1.0], [1.0, 2.0, 3.0], [1.0]
    restore(another)
    assert found == [values(program(each)) for each in calls]
    assert (LIST, NAMED["items"]) == left[:2]
    np.testing.assert_array_equal(ARRAY, left[2])


def values(result):
    return [float(each) for each in (result if isinstance(result, tuple) else (result,))]


def restore(argument):
    if isinstance(argument, dict):
        argument["items"] = [1.0]
    elif isinstance(argument, list):
        argument[:] = [1.0]
    else:
        argument[:] = 1.0


def test_an_argument_may_be_what_an_object_holds():
    box = Box([1.0])
    program = ag.function(box.adds_to)
    assert [int(program(items)) for items in (box.items, [1.0], box.items)] == [2, 2, 3]
    assert box.items == [1.0, 2.0, 2.0]


def test_a_default_that_a_function_changes_is_that_of_the_function():
    def program(x, seen=[]):
        seen.append(x)
        return len(seen)

    graph = ag.function(program)
    assert [int(graph(rt.asarray(1.0))) for _ in range(3)] == [1, 2, 3]
    assert len(program.__defaults__[0]) == 3


# ── what holds itself ──


def test_nodes_that_know_their_parents_are_arguments():
    def program(node, x):
        node.value = node.value + x
        return node.children[0].parent.value

    def tree():
        root = Node(1.0)
        root.children = [Node(2.0, root)]
        return root

    plain, node = tree(), tree()
    graph = ag.function(program)
    for x in (1.0, 2.0):
        assert float(graph(node, np.float64(x))) == program(plain, np.float64(x))
    assert node.value == plain.value


# ── that lie in one another ──

IN_ONE_MEMORY = """
x[0] += n
y[1] += 1
return x, y, x.sum()
---
for i in range(n):
    y[i % 2] += i
    x[i % 2] *= 2
return x.sum()
---
if n > 1:
    x[:] = y[: len(x)] * 2
else:
    y[:] = 1
return y
---
if n > 2:
    y *= 2
    raise KeyError(n)
x += 1
return y
---
try:
    if n > 1:
        raise KeyError(n)
    x[0] = y[-1]
    y += 2
except KeyError:
    pass
return y
---
kept = x if n > 1 else y
ARRAY[1] += 1
kept[0] = 5.0
return kept
""".strip().split("\n---\n")


@pytest.mark.parametrize("program", IN_ONE_MEMORY)
def test_what_is_written_into_one_is_seen_in_the_others_that_show_its_memory(program):
    source = "\n    ".join(["def f(x, y, n):", *program.splitlines()])
    rows, line, i = np.arange(9.0).reshape(3, 3), np.arange(4.0), np.int64
    pairs = [(line[:2], line), (np.ones(2), np.ones(3)), (line, line[::-1]), (rows[1], rows[:, 1])]
    pairs += [(rows[2], rows[1]), (ARRAY[1:], line[1:3]), (ARRAY[::-1], ARRAY[1:])]
    for number in (3, 1, 2):
        calls = [(*pair, i(number)) for pair in pairs]
        ag.check(function_of(source, ARRAY=ARRAY), *calls[0], then=calls[1:])


def test_arrays_in_a_list_that_show_one_memory_are_written_into():
    def f(rows, n):
        for number, row in enumerate(rows):
            row[n] += number

    grid = np.zeros((3, 3))
    ag.check(f, [grid[0], grid[1], grid[:2]], np.int64(1), then=[([grid[0], grid[1], grid.T], np.int64(0))])


# ── refused ──


def test_an_input_signature_has_one_graph_for_arguments_that_are_apart():
    array, vector = np.zeros(4), rt.TensorSpec((None,), rt.float64)
    with pytest.raises(StateDisagrees, match="shares its memory"):
        ag.function(written_into_one, input_signature=[vector, vector])(array[:2], array)
    spec = [rt.TensorSpec((), rt.float64)]
    graph = ag.function(appended_to_one, input_signature=[spec, spec])
    assert int(graph([rt.asarray(1.0)], [rt.asarray(1.0)])[0]) == 1
    with pytest.raises(StateDisagrees, match="under two names"):
        graph(*twice(lambda: [rt.asarray(1.0)]))


# ── whether two are one is asked, and nothing is written ──


def asked_of_an_attribute(x, box):
    return box.items is x


def asked_on_a_path(x, box):
    if box.items is x and x[0] > 1.0:
        return x.sum()
    return x[0]


def asked_of_a_global(x, box):
    return x is ARRAY, box.items is ARRAY


@pytest.mark.parametrize("program", [asked_of_an_attribute, asked_on_a_path, asked_of_a_global])
def test_an_array_that_is_only_asked_about_is_known_under_its_other_names(program):
    x, other = np.array([2.0, 3.0]), np.array([2.0, 3.0])
    calls = [(x, Box(x)), (x, Box(other)), (ARRAY, Box(other)), (ARRAY, Box(ARRAY)), (other, Box(ARRAY))]
    ag.check(program, *calls[1], then=calls)
    ag.check(program, *calls[0], then=calls[1:])


BUFFER = np.array([1.0, 2.0, 3.0])
SPARE = BUFFER


def becomes_the_buffer(x, k):
    global BUFFER
    if k > 1:
        BUFFER = x
    return x is BUFFER


def becomes_another_array(x, k):
    global BUFFER
    if k > 1:
        BUFFER = x * 1
    return x is BUFFER


def was_the_buffer(x, k):
    global BUFFER
    was = x is BUFFER
    if k > 1:
        BUFFER = x
    return was


def is_remembered(x, k):
    global BUFFER
    if x is not BUFFER:
        BUFFER = x
        return k * 2
    return k


def becomes_the_spare(x, k):
    global BUFFER
    if k > 1:
        BUFFER = SPARE
    return BUFFER is SPARE, x is SPARE


@pytest.mark.parametrize("first", [0.0, 2.0])
@pytest.mark.parametrize(
    "f", [becomes_the_buffer, becomes_another_array, was_the_buffer, is_remembered, becomes_the_spare]
)
def test_an_argument_is_the_array_of_a_global_that_the_function_binds_anew(f, first):
    global BUFFER
    BUFFER, x, y = SPARE, np.ones(3), np.zeros(3)
    later = [(x, 2.0), (x, 0.0), (y, 2.0), (SPARE, 0.0), (y, 0.0)]
    ag.check(f, BUFFER, np.float64(first), then=[(array, np.float64(k)) for array, k in later])
