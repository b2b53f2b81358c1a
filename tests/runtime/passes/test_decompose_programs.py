"""Programs with lists, exceptions, variables and printing: written in core ops, they do the same."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors import base
from runtime.executors.reference import Reference
from runtime.passes.decompose import decompose, is_core
from tests.beyond.kit import outcome_of


class Core:
    """The reference executor, on modules of core ops alone."""

    name = "core"
    optimises = False
    is_complete = True

    def compile(self, module):
        core = module.mapped(decompose)
        assert all(map(is_core, core.graphs()))
        return Reference().compile(core)


@pytest.fixture(autouse=True)
def core():
    base.register(Core())
    yield
    del base._executors["core"]


def lists(n):
    items = []
    for i in range(n):
        items.append(i * i)
    items.insert(1, 100)
    items.insert(-1, n)
    items.extend([7, 8])
    popped = items.pop()
    del items[0]
    part = items[::-1] + items[1:3]
    return items, part, popped, items.index(100), 8 in items, len(items), items == part


def searched(x):
    numbers, rows = [], []
    for each in x:
        if each not in numbers:
            numbers.append(each)
            rows.append(x[:2] - each)
    return numbers, x[0] in numbers, np.nan in numbers, 2 in numbers, numbers == numbers[:1], rows[0] in rows


def tried(n):
    try:
        if n > 3:
            raise KeyError(n)
        result = 10 // n
    except ZeroDivisionError as error:
        result = -1
        print("caught", error)
    except KeyError:
        result = -2
    finally:
        print("done", n)
    return result


def recursive(n):
    if n < 2:
        return n % 3
    return recursive(n // 2) + recursive(n - 1) * 2


def checked(x):
    assert rt.sum(x) > 0, "not positive"
    first, second, *rest = [x[0], x[1], x[2]]
    return first + second, rest


def unpacked(x):
    first, second = x
    return first - second


count = rt.Variable(0.0)


def counted(x):
    count.assign_add(rt.sum(x))
    count.assign_sub(1.0)
    print("so far:", count)
    return count * 2


def nested(x):
    total = x * 0.0
    while rt.sum(x) > 1.0:
        x = x / 2
        total = total + rt.softmax(x) if x[0] > 0 else total - x[::-1]
    return total, rt.mean(x)


CASES = [
    *[(lists, [np.int64(n)]) for n in (0, 1, 5)],
    *[(searched, [np.array(x)]) for x in ([2.0, 3.0, 2.0], [np.nan, 1.0, np.nan], [2.0, 2.0])],
    *[(tried, [np.int64(n)]) for n in (0, 2, 5)],
    *[(recursive, [np.int64(n)]) for n in (1, 5)],
    *[(checked, [np.array(x)]) for x in ([1.0, 2.0, 3.0], [-1.0, -2.0, -3.0])],
    *[(unpacked, [np.array(x)]) for x in ([1.0, 2.0], [1.0, 2.0, 3.0], [1.0])],
    (counted, [np.array([1.0, 2.0])]),
    *[(nested, [np.array(x)]) for x in ([5.0, 1.0], [-3.0, 9.0])],
]


@pytest.mark.parametrize(("program", "arguments"), CASES, ids=lambda each: getattr(each, "__name__", None))
def test_a_program_in_core_ops_does_what_it_does(program, arguments):
    signature = [rt.TensorSpec((None,) * each.ndim, each.dtype) for each in arguments]
    outcomes = []
    for executor in ("reference", "core"):
        count.assign(0.0)
        staged = ag.function(program, executor=executor, input_signature=signature)
        outcomes.append(outcome_of(staged, [rt.asarray(each) for each in arguments]))
    expected, found = outcomes
    assert (found.error, found.message, found.printed) == (expected.error, expected.message, expected.printed)
    assert str(found.result) == str(expected.result)


def test_a_list_of_numbers_is_searched_without_python():
    def distinct(x):
        found = []
        for each in x:
            if each not in found:
                found.append(each)
        return found, found == found[1:]

    graph = ag.function(distinct).get_concrete_function(rt.TensorSpec((None,), rt.int64)).optimised_graph
    core = decompose(graph)
    assert is_core(core)
    assert not any(node.op.name == "HostCall" for inner in core.walk() for node in inner.nodes)


def test_lengths_in_a_loop_have_other_names_than_those_around():
    def program(n):
        seen = {1, 2}
        seen.add(n)
        seen |= {n}
        return sorted(seen)

    ag.check(program, np.int64(3), then=[(np.int64(1),)], executors=["core"])
