"""What libraries do around their numbers: keywords, shapes and attributes stay Python's in a graph."""

import calendar
import datetime as dt
import functools
import linecache
import struct
import sys
import types
import warnings
from collections import Counter, deque

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import NoConcreteValue

X = np.array([1.5, 2.5])


class Holder:
    pass


# ── keywords ──────────────────────────────────────────────────────────────────────────────────────────


def keywords_are_put_together(x):
    named = {"keepdims": False}
    given = dict(zip(["a", "b"], [x[0], x[1]], strict=True))
    named.update(given)
    named.update([("c", x[0])])
    named.update(zip(["d", "e"], [x[1], None], strict=True))
    named.update((name + "2", value) for name, value in given.items())
    named |= {"f": x[0]}
    return named, named.setdefault("z", x[1])


def a_registry_has_keys_of_any_kind(x):
    found = {np: "array", (1, 2): "pair"}
    found.setdefault((1, 2), "another")
    found.setdefault(("a", 3), []).append(x[0])
    return found.get(np), found.get(rt), found[1, 2], found["a", 3], found.pop((1, 2), None)


def sets_take_what_python_knows(x):
    names = {"a"}
    names.update(["b", "c"])
    names.update(name for name in ("d", "e"))
    return sorted(names.union(["z"]) - {"a"}), x


def a_mapping_is_counted_in(x):
    counts = Counter(a=1)
    counts.update({"a": 2, "b": x[0]})
    return counts


def keys_of_pairs_are_in_the_first_places(x):
    by_number = {1: x[1]}
    by_number.update([(int(x[1]), x[0])])
    by_number.update({3: x[1]})
    return by_number


def a_deque_compares_what_it_holds(x):
    held = deque([1.0, x[0], x[1]], maxlen=4)
    held.extend(value * 2 for value in [x[0]])
    held.remove(2.5)
    return held, held.count(1.0)


# ── shapes ────────────────────────────────────────────────────────────────────────────────────────────


def common_shape(shapes, axis):
    """As `scipy.stats` broadcasts all axes but one."""
    rank = max([len(shape) for shape in shapes])
    found = np.ones((len(shapes), rank), dtype=int)
    for row, shape in zip(found, shapes, strict=True):
        row[len(row) - len(shape) :] = shape
    axis = np.atleast_1d(axis)
    axis[axis < 0] = rank + axis[axis < 0]
    rest = np.delete(found, axis, axis=1)
    largest = np.max(rest, axis=0)
    largest *= rest.all(axis=0)
    return [tuple(np.insert(largest, axis - np.arange(len(axis)), row)) for row in found[:, axis]]


def shapes_are_known_where_a_tensor_decides(x):
    y = np.stack([x, x])
    if x[0] > 0:
        one, other = common_shape([(1, 2), y.shape], -1)
        return np.broadcast_to(x, one) + np.broadcast_to(y, other)
    return y


def an_array_leaves_the_branch_that_has_made_it(x):
    held = Holder()
    if x[0] > 0:
        held.rows = np.zeros(3)
        held.rows[1] = 4
        kept = held.rows
    else:
        held.rows = kept = np.ones(3)
    kept[0] = x[0]
    held.rows[2] += 1
    return held.rows, kept


def a_try_takes_back_what_it_has_not_reached(x):
    held = Holder()
    held.rows = None
    try:
        if x[0] > 0:
            held.rows = np.zeros(2)
            if x[1] > 2:
                raise ValueError("large")
            held.rows[0] = 1
    except ValueError:
        pass
    return held.rows


# ── attributes that are there on some paths ───────────────────────────────────────────────────────────


def a_list_that_is_set_up_on_one_path_is_run_over(x):
    held, total = Holder(), 0
    if x[0] > 0:
        held.names = []
        held.sizes = {"a": 1, "bc": 2}
    if hasattr(held, "names"):
        for name in held.names:
            name.tear_down()
        for size in held.sizes:
            total += len(size)
        total += sum([value for value in held.sizes.values()])
    return total


# ── copies ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "program",
    [
        *(keywords_are_put_together, a_registry_has_keys_of_any_kind, sets_take_what_python_knows),
        *(a_mapping_is_counted_in, keys_of_pairs_are_in_the_first_places, a_deque_compares_what_it_holds),
        *(shapes_are_known_where_a_tensor_decides, an_array_leaves_the_branch_that_has_made_it),
        *(a_try_takes_back_what_it_has_not_reached, a_list_that_is_set_up_on_one_path_is_run_over),
    ],
    ids=lambda program: program.__name__,
)
def test_a_program_gives_what_it_gives_in_python(program):
    ag.check(program, X, then=[(X[::-1] * 3,), (-X,), (X * 10,)])


@pytest.mark.parametrize(
    "copy", [lambda y: rt.astype(y, rt.float64), lambda y: rt.reshape(y, (2,), copy=True)]
)
def test_a_copy_that_the_standard_promises_is_written_to_alone(copy):
    @ag.function
    def program(x):
        y = x + 1
        other = copy(y)
        other[0] = 9.0
        return y, other

    y, other = program(rt.asarray(X))
    assert y.numpy().tolist() == [2.5, 3.5]
    assert other.numpy().tolist() == [9.0, 3.5]


def test_what_a_library_calls_of_text_that_nobody_kept_runs_as_it_is(tmp_path):
    """As the results of `scipy.stats` are made: a class whose constructor is the text of a template."""
    library = types.ModuleType("library_of_results")
    library.__file__ = str(tmp_path / "site-packages" / "library_of_results.py")
    text = (
        "made = {'__name__': 'namedtuple_result'}\n"
        "exec('def __init__(self, value):\\n    self.value = value\\n', made)\n"
        "Base = type('Base', (), {'__init__': made['__init__']})\n"
        "class Result(Base):\n"
        "    def __init__(self, value):\n"
        "        super().__init__(value * 2)\n"
    )
    linecache.cache[library.__file__] = len(text), None, text.splitlines(True), library.__file__
    exec(compile(text, library.__file__, "exec"), vars(library))
    sys.modules[library.__name__] = library
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ag.check(lambda x: library.Result(x[0]).value, X)
    finally:
        del sys.modules[library.__name__]


def test_what_a_partial_appends_to_a_list_is_in_it():
    def program(x):
        out = []
        push = functools.partial(out.append, x[0])
        for _ in range(int(x[1])):
            push()
        list(map(out.append, [x[0], x[1]]))
        return out

    ag.check(program, X, then=[(X * 3,)])


def test_nan_to_num_writes_where_it_is_asked_not_to_copy():
    def program(x):
        y = x * 2
        known = np.array([1.0, np.nan])
        if y[0] > 0:
            np.nan_to_num(known, copy=False, nan=3.0)
        return np.nan_to_num(y, False), y, known, np.nan_to_num(x), x

    ag.check(program, np.array([1.0, np.nan]), then=[(-np.ones(2),)])


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda x: np.poly1d(x), r"numpy\.poly1d"),
        (lambda x: np.lib.stride_tricks.as_strided(x, (2,), (8,)), r"numpy\.lib\.stride_tricks\.as_strided"),
        (lambda x: calendar.isleap(int(x[0])), r"calendar\.isleap"),
        (lambda x: dt.date(2020, 1, int(x[0])), r"datetime\.date"),
        (lambda x: struct.pack("d", x[0]), r"struct\.pack"),
    ],
)
def test_a_library_that_asks_for_a_value_is_named_at_the_line_that_calls_it(call, name):
    with pytest.raises(
        NoConcreteValue, match=name + r"\(\) is given a value that only the run knows"
    ) as caught:
        ag.function(call)(X)
    assert caught.value.where.filename == __file__
