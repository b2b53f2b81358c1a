"""Numbers outside that a function's own code changes come in as inputs from the first trace on."""

import ctypes

import numpy as np
import pytest

import autograph as ag
import runtime as rt

total = 0
seen = 0
memo = {"a": 1, "b": 2}


class Box:
    """An object with a number."""

    def __init__(self, value=0):
        self.value = value

    def bump(self, by):
        self.value += by


class Slotted:
    """An object that keeps a number elsewhere."""

    __slots__ = ("value",)

    def __init__(self):
        self.value = 0


runs = ctypes.c_int(0)  # no list: what the program changes outside is its effect, and undone after a trace


@ag.do_not_convert
def tick():
    runs.value += 1


@pytest.fixture(autouse=True)
def _anew():
    global total, seen  # what the programs change
    before = total, seen, dict(memo)
    yield
    total, seen = before[:2]
    memo.clear()
    memo.update(before[2])


def traces(function, *arguments):
    """How often a function is traced for its first graph, and that graph."""
    runs.value = 0
    concrete = ag.function(function).get_concrete_function(*arguments)
    return runs.value, concrete


def adds_to_a_global(x):
    global total
    tick()
    total += x
    return total


def adds_to_a_variable_around():
    count = 0

    def add(x):
        nonlocal count
        tick()
        if x > 0:
            count = count + x
        return count

    return add


def adds_to_an_attribute(box, x):
    tick()
    box.value += x
    return box.value


def gives_an_attribute_another_number(box, x):
    tick()
    box.value = x * 2
    return x


def adds_to_an_item(x):
    tick()
    memo["a"] += x
    memo["b"] = x
    return memo["a"]


@pytest.mark.parametrize(
    ("function", "boxes"),
    [
        (adds_to_a_global, []),
        (adds_to_a_variable_around(), []),
        (adds_to_an_attribute, [Box]),
        (adds_to_an_attribute, [Slotted]),
        (gives_an_attribute_another_number, [Box]),
        (adds_to_an_item, []),
    ],
)
def test_one_trace_is_enough(function, boxes):
    count, concrete = traces(function, *[box() for box in boxes], rt.asarray(3))
    assert count == 1
    assert len(concrete.graph.inputs) >= 2


@pytest.mark.parametrize("function", [adds_to_an_attribute, gives_an_attribute_another_number])
def test_attributes_are_what_python_leaves(function):
    graph, mine, other = ag.function(function), Box(), Box()
    for x in (3, 4, -5):
        assert int(graph(mine, rt.asarray(x))) == function(other, x)
        assert int(mine.value) == other.value


def test_items_and_globals_are_what_python_leaves():
    item, whole = ag.function(adds_to_an_item), ag.function(adds_to_a_global)
    assert [int(item(rt.asarray(x))) for x in (3, 4)] == [4, 8]
    assert [int(whole(rt.asarray(x))) for x in (3, 4)] == [3, 7]
    assert (int(memo["b"]), int(total)) == (4, 7)


def test_a_variable_around_counts_on():
    graph, plain = ag.function(adds_to_a_variable_around()), adds_to_a_variable_around()
    for x in (3, 4, -5, 6):
        assert int(graph(rt.asarray(x))) == plain(x)


def never_adds(box, x):
    tick()
    if box is None:
        box.value += 1
    return x + box.value


def test_what_turns_out_to_stay_as_it_is_comes_in_as_nothing():
    count, concrete = traces(never_adds, Box(5), rt.asarray(3))
    assert count == 2
    assert len(concrete.graph.inputs) == 1
    graph, box = ag.function(never_adds), Box(5)
    assert int(graph(box, rt.asarray(3))) == 8
    box.value = 7
    assert int(graph(box, rt.asarray(3))) == 10


def counts_in_python(box, names):
    box.value += 1
    return names[box.value]


def test_a_number_that_python_needs_is_a_number_of_python_s():
    graph, box = ag.function(counts_in_python), Box()
    names = ("a", "b", "c")
    assert [graph(box, names), graph(box, names)] == ["b", "c"]


def becomes_text(x):
    global seen
    seen = "many" if total == 0 else 1
    return x


def test_what_becomes_something_else_is_left_as_it_is():
    graph = ag.function(becomes_text)
    assert int(graph(rt.asarray(1))) == 1
    assert seen == "many"


def fails(x):
    global total
    total += x
    raise KeyError(total)


def test_the_error_is_the_program_s():
    with pytest.raises(KeyError, match="3"):
        ag.function(fails)(rt.asarray(3))
    assert int(total) == 3


def logs_and_fails(box, x):
    box.value += 1
    box.log.append("here")
    return int("no number") + x


def test_what_happens_before_an_error_happens_once():
    box = Box()
    box.log = []
    with pytest.raises(ValueError, match="no number"):
        ag.function(logs_and_fails)(box, rt.asarray(3))
    plain = Box()
    plain.log = []
    with pytest.raises(ValueError, match="no number"):
        logs_and_fails(plain, 3)
    assert (box.value, box.log) == (plain.value, plain.log)


class Switch:
    """An object that asks itself a question."""

    def __init__(self):
        self.is_on = False
        self.count = 0


def switches(switch, x):
    tick()
    switch.is_on = True
    own = Switch()
    own.count = x
    return own.count + x


def test_questions_and_objects_of_its_own_are_not_guessed_about():
    assert traces(switches, Switch(), rt.asarray(3))[0] == 1


def weights(box, x):
    box.value = box.value - x
    return np.sum(box.value)


def test_arrays_are_written_as_before():
    box, plain = Box(np.ones(3)), Box(np.ones(3))
    graph = ag.function(weights)
    for _ in range(3):
        assert float(graph(box, rt.asarray(0.5))) == weights(plain, 0.5)
    assert np.array_equal(box.value, plain.value)


def test_functions_that_call_others_which_change_the_number_agree_with_python():
    def f(box, x):
        box.bump(x)
        for _ in range(x):
            box.bump(1)
        return box.value

    graph, box, plain = ag.function(f), Box(), Box()
    for x in (2, 3, 0):
        assert int(graph(box, rt.asarray(x))) == f(plain, x)


def leaves_out(n):
    global total
    if n > 1:
        if False:
            total = n
    for _ in range(n):
        if False:
            total += 1
    return n


def returns_before(n):
    global total
    if n > 1:
        match (n,):
            case [0, _]:
                return n + 1
                total = n
    return n


@pytest.mark.parametrize("program", [leaves_out, returns_before])
def test_a_global_that_no_code_comes_to_assign_is_what_it_was(program):
    global total
    graph = ag.function(program)
    for held in (0.0, 7.0, 5, "a", None, [1]):
        total = held
        assert graph(np.int64(3)) == 3
        assert type(total) is type(held)
        assert total == held
    ag.check(program, np.int64(3), then=[(np.int64(0),)])
