"""Dicts with string keys that only some paths put in, and that hold arrays, lists and other objects."""

import heapq

import numpy as np
import pytest

import autograph as ag
from autograph.backends.tensors.containers.other_names import OtherNames
from runtime.errors import StateDisagrees
from tests.promises.kit import function_of

X = np.array([3.0, 1.0, 2.0, 0.0])
CALLS = [(X, np.int64(n), np.float64(v)) for n, v in ((3, 2.0), (4, 1.0), (1, 0.5), (0, -1.0))]
KEPT: dict[str, object] = {}


@pytest.fixture(params=[False, True], ids=["as it comes", "held from the first trace on"])
def held_at_once(request, monkeypatch):
    if request.param:
        monkeypatch.setattr(OtherNames, "keeps_objects", lambda _: True)


def an_array_in_a_chosen_dict_from_outside(x, n, v):
    grid = np.arange(9.0).reshape(3, 3)
    kept = KEPT if n % 2 == 0 else {"level": 1.5, "x": x * 2}
    kept.setdefault("grid", grid)
    kept["grid"][-1] = x[n % 3]
    return grid, kept["level"]


def an_array_that_a_branch_puts_in(x, n, v):
    grid = np.arange(9.0).reshape(3, 3)
    kept = {"level": 1.5, "x": x * 2}
    if n > 2:
        kept["grid"] = grid
    if "grid" in kept:
        kept["grid"][0] = v
    kept["x"][0] = 5.0
    return kept, grid, len(kept), kept.get("grid", 3.0)


def an_array_of_the_caller_that_a_loop_puts_in(x, n, v):
    kept = {"level": 1.5, "x": x * 2}
    for i in range(n):
        kept.setdefault("more", x)
        kept["more"][0] += i
        kept["level"] = v
    return kept


def an_array_that_a_loop_leaves_alone(x, n, v):
    grid = np.arange(9.0).reshape(3, 3)
    kept = {"level": 1.5, "x": x * 2}
    if n > 1:
        kept["grid"] = grid
    for _ in x:
        kept.setdefault("more", kept["level"])
    grid[-1, 2] = 77.0
    return kept


def two_arrays_under_one_key(x, n, v):
    kept = {"level": 1.0, "x": x * 1}
    if n > 1:
        kept["more"] = x
        kept["other"] = kept["x"]
    else:
        kept["more"] = kept["x"]
    kept["more"][0] += n
    return x, kept


def a_key_that_a_try_puts_in(x, n, v):
    kept = {"level": 1.5, "x": x * 2}
    try:
        kept["more"] = x
        if n > 2:
            raise ValueError
        kept["other"] = x
    except ValueError:
        kept["x"][0] = 9.0
    kept["x"][1] = 8.0
    return kept, kept["more"]


def a_key_that_is_taken_out(x, n, v):
    kept = {"level": v, "x": x, "y": x + 1}
    if n > 1:
        kept.pop("x")[0] = 7.0
    elif n > 0:
        del kept["y"]
    return kept, kept.pop("y", None) is None, "x" in kept


def a_key_that_is_not_there(x, n, v):
    kept = {"level": v}
    if n > 1:
        kept["grid"] = x
    kept["grid"][0] = v
    return kept


def a_list_that_is_changed_under_its_key(x, n, v):
    rows = [v]
    kept = {"x": x}
    if n > 1:
        kept["rows"] = rows
    if n > 2:
        kept["rows"].append(2.0)
        kept["x"][0] = 1.0
    return rows, kept


def an_update_of_several_keys(x, n, v):
    kept = {"x": x}
    if n > 1:
        kept.update({"y": x * 2}, z=[v])
        kept["y"][0] = v
    kept["x"][1] = v
    copied = kept.copy()
    copied["x"] = None
    return kept, copied


def copies_of_one(x, n, v):
    kept = {"x": x}
    if n > 1:
        kept["y"] = x * 2
    one, other = dict(kept, z=v), {**kept, "y": v}
    kept["x"][0] = v
    one["x"][1] = v
    kept["w"] = one
    return kept, one, other


def keys_in_an_order_that_only_the_run_knows(x, n, v):
    kept = {"x": x}
    if n > 1:
        kept["a"], kept["b"] = x * 2, x * 3
    else:
        kept["b"], kept["c"] = x * 4, v
    if v > 1:
        kept.pop("x", None)
    kept["a"] = x * 5
    kept["x"] = x
    kept["b"][0] = v
    return kept


def keys_that_turns_put_in(x, n, v):
    kept = {"x": x}
    for i in range(n):
        if i % 2 == 1:
            kept["odd"] = x * 2
        kept["last"], kept["first"] = x + i, kept.get("first", i)
        kept["last"][0] = v
    return kept


def an_array_in_one_of_two_dicts(x, n, v):
    a = np.zeros(3)
    table, other = {"level": 1.0}, {"level": 2.0}
    kept = table if n > 1 else other
    kept.setdefault("a", a)
    a[1] = v
    return table, other


def a_list_from_outside_and_one_of_a_branch(x, n, v):
    history = [v]
    if n > 2:
        KEPT["seen"] = history
    elif n > 0:
        KEPT["new"] = [x[0]]
    history.append(2.0)
    return len(KEPT)


@pytest.mark.parametrize(
    "program",
    [
        an_array_in_one_of_two_dicts,
        a_list_from_outside_and_one_of_a_branch,
        copies_of_one,
        keys_in_an_order_that_only_the_run_knows,
        keys_that_turns_put_in,
        an_array_in_a_chosen_dict_from_outside,
        an_array_that_a_branch_puts_in,
        an_array_of_the_caller_that_a_loop_puts_in,
        an_array_that_a_loop_leaves_alone,
        two_arrays_under_one_key,
        a_key_that_a_try_puts_in,
        a_key_that_is_taken_out,
        a_key_that_is_not_there,
        a_list_that_is_changed_under_its_key,
        an_update_of_several_keys,
    ],
)
@pytest.mark.usefixtures("held_at_once")
def test_what_a_dict_holds_is_the_object_whatever_path_puts_it_in(program):
    KEPT.clear()
    KEPT.update(level=2.0, x=np.ones(4))
    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_what_is_put_into_a_dict_outside_on_some_calls_is_there_on_these():
    def program(x, n, v):
        grid = x * 2
        kept = KEPT if n > 1 else {"level": 0.0}
        kept["grid"] = grid
        kept["grid"][0] = v
        return kept["level"]

    KEPT.clear()
    KEPT.update(level=2.0, x=np.ones(4))
    function, x = ag.function(program), KEPT["x"]
    function(*CALLS[3])
    assert list(KEPT) == ["level", "x"]
    function(*CALLS[0])
    assert list(KEPT) == ["level", "x", "grid"]
    assert np.asarray(KEPT["grid"]).tolist() == [2.0, 2.0, 4.0, 0.0]
    assert KEPT["x"] is x


def an_array_of_some_paths(x, n, v):
    kept = {"x": x}
    if n > 1:
        kept["y"] = x * 2
        kept["y"][0] = v
    return kept


def stock_of(x, n, v):
    stock = {"nuts": {"count": 5}, "bolts": {"count": 1}}
    if n > 1:
        stock["pins"] = {"count": n}
    return stock


def items_of(stock, key):
    return [(name, held[key]) for name, held in stock.items()], sum(held[key] for held in stock.values())


def all_keys(x, n, v):
    kept = an_array_of_some_paths(x, n, v)
    for key in kept:
        print(key, kept[key])
    return [key for key in kept], sorted(kept), len(kept.keys()), "y" in kept.keys(), len(kept)


def all_values(x, n, v):
    kept = an_array_of_some_paths(x, n, v)
    total = sum(each.sum() for each in kept.values())
    for each in kept.values():
        each += 1.0
    return total, kept, x


def all_items(x, n, v):
    stock = stock_of(x, n, v)
    found = items_of(stock, "count")
    for name, held in stock.items():
        if held["count"] == 3:
            continue
        held["count"] += len(name)
        if name == "bolts" and v > 1:
            break
    else:
        print("all of them")
    return found, items_of(stock, "count"), max(held["count"] for held in stock.values())


def a_key_is_deleted_in_the_loop(x, n, v):
    stock = stock_of(x, n, v)
    try:
        for name in stock:
            if stock[name]["count"] == n:
                del stock[name]
    except RuntimeError as error:
        print(error)
    return items_of(stock, "count")


def the_best_key(x, n, v):
    stock = stock_of(x, n, v)
    best = None
    for name, held in stock.items():
        if held["count"] > v and (best is None or held["count"] > stock[best]["count"]):
            best = name
    try:
        return best, stock[best]["count"]
    except KeyError as error:
        return error.args


OF_ALL = [all_keys, all_values, all_items, a_key_is_deleted_in_the_loop, the_best_key]


@pytest.mark.parametrize("program", OF_ALL)
@pytest.mark.usefixtures("held_at_once")
def test_each_key_that_is_there_has_its_turn(program):
    ag.check(program, *CALLS[0], then=[*CALLS[1:], (X, np.int64(5), np.float64(7.0))])


SHELF: dict[str, dict[str, object]] = {}


def shelved(name, count):
    if name not in SHELF:
        SHELF[name] = {"count": 0}
    SHELF[name]["count"] += count
    if SHELF[name]["count"] == 0:
        del SHELF[name]
    return sum(held["count"] for held in SHELF.values()), list(SHELF)


def test_a_dict_of_dicts_outside_loses_keys_on_some_paths():
    SHELF.clear()
    calls = [("nuts", 3), ("bolts", 2), ("nuts", -3), ("pins", 1), ("bolts", -2)]
    first, *others = [(name, np.int64(count)) for name, count in calls]
    ag.check(shelved, *first, then=others)


def test_the_order_of_keys_that_paths_put_in_in_several_orders_is_not_asked_for():
    def program(x, n, v):
        kept = {"x": x * 1}
        if n > 1:
            kept["y"], kept["z"] = x * 2, x
        else:
            kept["z"], kept["y"] = x, x * 3
        kept["y"][0] = v
        return [key for key in kept]  # a loop

    with pytest.raises(StateDisagrees):
        ag.function(program)(*CALLS[0])


def test_a_chosen_dict_with_an_array_of_outside_gets_numbers_in_a_loop():
    kept = {"level": 2.0, "x": np.ones(4)}

    def program(x, n, v):
        chosen = kept if n > 1 else {"level": 1.5, "x": x * 2}
        for _ in range(n):
            chosen["level"] = v
        return chosen["x"], chosen["level"]

    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_a_heap_in_a_dict_that_gets_a_key_in_a_turn_is_pushed_to():
    kept = {"level": 2.0}

    def program(x, n, v):
        heap = [3.0]
        kept["heap"] = heap
        for _ in range(n):
            kept.setdefault("more", x * 2)
            heapq.heappush(kept["heap"], v)
        return heap, kept["heap"]

    ag.check(program, *CALLS[0], then=CALLS[1:])


class Row:
    def __init__(self, value):
        self.value, self.history = value, [value]


LEVELS = {"level": 2.0, "x": np.ones(4)}


def test_an_object_that_a_call_has_put_into_one_of_two_dicts_is_there_in_the_next():
    def f(x, n):
        kept = LEVELS if n > 1 else {"level": 1.5, "x": x * 2}
        kept.setdefault("rows", [Row(2.0)])
        for i in range(n):
            kept["level"] = x[0] * i
        return kept["level"]

    ag.check(f, np.arange(4.0), np.int64(3), then=[(np.arange(4.0), np.int64(n)) for n in (3, 0, 1)])


VIEWS = [
    "d.keys() & {'a', 'b'}",
    "{'b'} & d.keys()",
    "d.keys() | {'c'}",
    "{'c'} | d.keys()",
    "d.keys() - {'a'}",
    "{'a', 'c'} - d.keys()",
    "d.keys() ^ {'a', 'z'}",
    "{'a', 'z'} ^ d.keys()",
]


@pytest.mark.parametrize("view", VIEWS)
def test_keys_of_some_paths_are_a_set_also_in_a_loop(view):
    text = f"""
def f(x, n):
    d = {{"a": x[0]}}
    if n > 2:
        d["b"] = x[1]
    total = 0
    for key in sorted({view}):
        total += len(key)
    return total, sorted({view})
"""
    ag.check(function_of(text), np.ones(2), np.int64(3), then=[(np.ones(2), np.int64(1))])
