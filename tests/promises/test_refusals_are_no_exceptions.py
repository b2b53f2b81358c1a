"""What a graph refuses is no exception of the program's: no handler of it takes a refusal for one."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import DTypeError, StateDisagrees, UnknownKind
from tests.promises.kit import function_of

CALLS = [(np.int64(3),), (np.int64(0),), (np.int64(7),)]


class Box:
    pass


class Answering:
    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return len(name)


def text_chosen(n):
    try:
        return np.array(["a", "b"])[n % 2]
    except (TypeError, ValueError):
        return "bad"


def record_set(n):
    try:
        rows = np.zeros(2, dtype=[("a", int)])
        rows["a"][0] = n
        return rows["a"][0]
    except (TypeError, ValueError):
        return None


def text_beside_an_array(n):
    items = ["a"]
    for _ in range(n):
        items.append("b")
    try:
        return items + np.arange(3)
    except TypeError as error:
        return str(error)


@pytest.mark.parametrize("f", [text_chosen, record_set, text_beside_an_array], ids=lambda f: f.__name__)
def test_what_no_array_of_a_graph_can_hold_is_refused_in_a_try_too(f):
    with pytest.raises(DTypeError):
        ag.check(f, *CALLS[0], then=CALLS[1:])


@pytest.mark.parametrize("handled", ["ValueError", "Exception", "ArithmeticError"])
@pytest.mark.parametrize("power", ["2 ** -int(n)", "(-8.0) ** (1 / int(n))"])
def test_a_power_of_another_kind_is_refused_in_a_try_too(handled, power):
    f = function_of(
        f"def f(n):\n    try:\n        return {power}\n    except {handled}:\n        return 'caught'\n"
    )
    with pytest.raises(UnknownKind):
        ag.check(f, *CALLS[0], then=[(np.int64(7),)])


def test_all_attributes_of_an_object_that_has_one_on_some_paths_are_refused_in_a_try_too():
    def f(n):
        box = Box()
        if n > 2:
            box.value = n
        try:
            return sorted(vars(box))
        except TypeError:
            return "caught"

    with pytest.raises(StateDisagrees):
        ag.check(f, *CALLS[0], then=CALLS[1:])


def test_it_is_asked_where_no_path_has_set_the_attribute():
    def f(n):
        box = Answering()
        box.other = n
        return box.speed + box.other

    ag.check(f, *CALLS[0], then=CALLS[1:])
