"""What a first program does that a graph cannot hold: each says what is wrong and the way out."""

import itertools
import subprocess
import sys

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.staging.spoken import NAMES
from runtime.errors import NoConcreteValue, SignatureError, StateDisagrees


def test_recursion_whose_arguments_always_differ_says_why_it_has_no_end():
    @ag.function
    def f(x, label):
        return x if x < 1 else f(x - 1, label + "!")

    with pytest.raises(RecursionError) as caught:
        f(rt.asarray(3), "")
    (note,) = caught.value.__notes__
    assert "while f() was traced" in note
    assert "has another form in each of them" in note


def test_an_argument_is_named_where_its_value_is_asked_for():
    @ag.function
    def f(weight):
        return weight.numpy()

    with pytest.raises(NoConcreteValue, match="the argument `weight`"):
        f(rt.asarray(1.0))


def test_a_call_with_a_spec_points_to_get_concrete_function():
    @ag.function
    def f(x):
        return x

    with pytest.raises(SignatureError, match=r"(?s)argument `x` of f\(\).*f.get_concrete_function"):
        f(rt.TensorSpec((), rt.int64))


def test_a_concrete_function_takes_arrays_and_leaves_out_python_values():
    @ag.function
    def f(x, times):
        return x * times

    concrete = f.get_concrete_function(rt.TensorSpec((None,), rt.float32), 3)
    assert concrete(np.asarray([1, 2], np.float32)).tolist() == [3, 6]


def test_a_nest_that_never_settles_is_named():
    @ag.function
    def chained(n):
        head = None
        for i in range(n):
            head = (i, head)
        return head

    with pytest.raises(TypeError, match="`head` holds one more object inside of the others"):
        chained(rt.asarray(3))


def test_what_stands_for_objects_of_python_s_is_not_called_by_our_modules():
    @ag.function
    def groups(x):
        return list(itertools.groupby(x.tolist()))

    with pytest.raises(StateDisagrees) as caught:
        groups(np.arange(20))
    assert "cannot hold <list_iterator object at " in str(caught.value)
    assert "autograph." not in str(caught.value).split("\n", 1)[0]
    assert not [kind for kind in NAMES if kind.__repr__ is object.__repr__]


def test_a_new_process_calls_them_by_the_names_of_pythons_from_the_start():
    program = """
import numpy as np
import autograph as ag

def f(n):
    items, table = [], {}
    for k in range(n):
        items.append(k)
        table[k] = k
    for each in (items, table, zip(items), map(abs, items)):
        try:
            each - 1
        except TypeError as error:
            print(error)

ag.function(f)(np.int64(3))
"""
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    kinds = ("list", "dict", "zip", "map")
    assert told.stdout.splitlines() == [
        f"unsupported operand type(s) for -: '{kind}' and 'int'" for kind in kinds
    ]
