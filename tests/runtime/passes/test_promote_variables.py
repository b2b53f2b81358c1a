"""Variables become inputs and outputs of a module, where nobody else could tell."""

import io

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.base import choose
from runtime.graph.op import Effects
from runtime.graph.verify import verify_module
from runtime.passes.promote_variables import promoted

C, W = rt.Variable(3, name="c"), rt.Variable([1.0, 2.0], name="w")
ANY = rt.Variable([1.0], shape=(None,), name="any")
GENERATOR, FILE = np.random.default_rng(0), io.StringIO()
STRUCTURE = (rt.TensorSpec((), rt.int64), rt.TensorSpec((2,), rt.float64))


def reads(n, x):
    return x * W + C


def writes_and_reads(n, x):
    before = W.value()
    W.assign(x)
    C.assign_sub(n)
    return before, W.value(), C.value()


def in_branches_and_loops(n, x):
    while C < n:
        if x[0] > 1.0:
            W.assign_add(x)
        else:
            for _ in range(n):
                W.assign(W * 0.5)
        C.assign_add(1)
    return x


def called_twice(n, x):
    @ag.function
    def counted(y):
        C.assign_add(1)
        return y * rt.astype(C, rt.float64)

    return counted(counted(x))


def counted_in_a_test(n, x):
    def goes_on(y):
        C.assign_add(1)
        return C < n

    return rt.while_loop(goes_on, lambda y: (y * 2.0,), (x,))


def written_in_a_try(n, x):
    try:
        C.assign_add(10 // n)
    except ZeroDivisionError:
        x = x + 1.0
    return x


def counted_by_recursion(n, x):
    C.assign_add(1)
    return x if n < 1 else counted_by_recursion(n - 1, x)


def seen_by_others(n, x):
    C.assign_add(1)
    ag.host_call(lambda: C.numpy())
    return x


def of_any_length(n, x):
    ANY.assign(rt.concat([ANY, x]))
    return x


def raises_and_draws(n, x):
    C.assign_add(1)
    return x[n] + GENERATOR.random()


def raises_and_prints_to_a_file(n, x):
    C.assign_add(1)
    print(n, file=FILE)
    return x[n]


def raises_and_prints(n, x):
    C.assign_add(1)
    print(n)
    return x[n]


def without_variables(n, x):
    return x * 2.0


def module_of(function):
    return ag.function(function).get_concrete_function(*STRUCTURE).optimised_module


@pytest.mark.parametrize(
    ("function", "read", "written"),
    [
        (reads, ["w", "c"], []),
        (writes_and_reads, ["w", "c"], ["w", "c"]),
        (in_branches_and_loops, ["c", "w"], ["c", "w"]),
        (called_twice, ["c"], ["c"]),
        (raises_and_prints, ["c"], ["c"]),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_what_a_module_holds_comes_in_and_goes_out(function, read, written):
    before = module_of(function)
    held = promoted(before)
    verify_module(held.module)
    assert [each.name for each in held.read] == read
    assert [each.name for each in held.written] == written
    assert not held.module.entry.effects & (Effects.READS | Effects.WRITES)
    assert len(held.module.entry.inputs) == len(before.entry.inputs) + len(read)
    assert len(held.module.entry.outputs) == len(before.entry.outputs) + len(written)


def test_what_it_gives_is_what_is_left_in_variables():
    held = promoted(module_of(writes_and_reads))
    arrays = [np.int64(2), np.array([5.0, 6.0]), np.array([1.0, 2.0]), np.int64(9)]
    found = choose("reference").compile(held.module).run(arrays)
    assert [np.asarray(each).tolist() for each in found] == [[5.0, 6.0], 7, [1.0, 2.0], [5.0, 6.0], 7]


@pytest.mark.parametrize(
    "function",
    [
        counted_in_a_test,
        written_in_a_try,
        counted_by_recursion,
        seen_by_others,
        of_any_length,
        raises_and_draws,
        raises_and_prints_to_a_file,
        without_variables,
    ],
    ids=lambda function: function.__name__,
)
def test_variables_stay_where_somebody_could_tell(function):
    assert promoted(module_of(function)) is None
