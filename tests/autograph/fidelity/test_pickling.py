"""Functions are pickled and copied by reference, converted or not."""

import copy
import functools
import pickle
import sys

import pytest

import autograph as ag


@ag.convert
def decorated(n):
    return n + 1 if n else 0


def plain(n):
    if n:
        return n + 1
    return 0


@ag.function
def graph(n):
    if n > 0:
        return n
    return -n


class Thing:
    def __init__(self, n):
        self.n = n

    @ag.convert
    def method(self, m):
        if m:
            return self.n + m
        return self.n

    @ag.convert
    def __reduce__(self):
        return (Thing, (self.n,)) if self.n else (Thing, (1,))

    @ag.convert
    def __deepcopy__(self, memo):
        return Thing(self.n * 2 if memo is not None else 0)


@pytest.fixture(autouse=True)
def importable(monkeypatch):
    """This module under its name, as a module of the user's would be."""
    monkeypatch.setitem(sys.modules, __name__, sys.modules.get(__name__) or _module())


def _module():
    module = type(sys)(__name__)
    module.__dict__.update(globals())
    return module


def test_a_function_decorated_under_its_own_name_is_pickled_by_reference():
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(decorated, protocol)) is decorated


def test_a_function_that_was_converted_aside_is_pickled_as_the_original(convert):
    converted = convert(plain)
    again = pickle.loads(pickle.dumps(converted)) if converted is plain else plain
    assert again is plain
    with pytest.raises(pickle.PicklingError, match="not the same object"):
        pickle.dumps(converted)


def test_copies_of_functions_are_the_functions(convert):
    converted = convert(plain)
    assert copy.copy(converted) is converted
    assert copy.deepcopy(converted) is converted
    assert copy.deepcopy([decorated, converted]) == [decorated, converted]


def test_methods_and_partial_objects_are_pickled():
    assert pickle.loads(pickle.dumps(Thing.method)) is Thing.method
    assert pickle.loads(pickle.dumps(Thing(3).method))(1) == 4
    assert pickle.loads(pickle.dumps(functools.partial(decorated, 2)))() == 3
    assert pickle.loads(pickle.dumps(Thing(0))).n == 1
    assert copy.deepcopy(Thing(2)).n == 4


def test_a_graph_function_is_pickled_by_reference():
    assert pickle.loads(pickle.dumps(graph)) is graph
    assert copy.copy(graph) is graph
    assert copy.deepcopy({"f": graph})["f"] is graph


def test_functions_within_functions_are_refused_as_in_plain_python(convert):
    def local(n):
        return n if n else 0

    for function in (local, convert(local), ag.function(local)):
        with pytest.raises((pickle.PicklingError, AttributeError), match="local"):
            pickle.dumps(function)


def test_one_graph_of_a_function_is_copied_as_itself_and_says_what_to_pickle():
    concrete = graph.get_concrete_function(1)
    assert copy.copy(concrete) is concrete
    assert copy.deepcopy([concrete]) == [concrete]
    with pytest.raises(TypeError, match=r"cannot pickle a graph of graph\(\): pickle the function"):
        pickle.dumps(concrete)
