import gc
import weakref

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.functions.polymorphic import PolymorphicFunction


def test_reads_and_writes_happen_in_program_order():
    v = rt.Variable(1)

    @PolymorphicFunction
    def f(x):
        before = v.value()
        v.assign_add(x)
        middle = v + 0
        v.assign(v * 2)
        return before, middle, v

    assert [int(t) for t in f(rt.asarray(4))] == [1, 5, 10]
    assert v.numpy() == 10
    assert [int(t) for t in f(rt.asarray(1))] == [10, 11, 22]


def test_writes_are_never_pruned_and_unneeded_reads_are():
    v = rt.Variable(0)

    @PolymorphicFunction
    def f():
        v.value()
        v.assign_add(1)

    assert f() is None
    f()
    assert v.numpy() == 2
    ops = f.concrete_functions[0].optimised_graph.ops
    assert ops == ["AssignAddVariableOp"]


def test_writes_in_branches_and_loops_happen_when_reached():
    v = rt.Variable(0)

    @PolymorphicFunction
    def f(n):
        rt.while_loop(lambda i: i < n, lambda i: (_add(i), i + 1)[1:], (0,))
        rt.cond(n > 2, lambda: _add(100), lambda: _add(1000))

    def _add(amount):
        v.assign_add(amount)
        return rt.asarray(0)

    f(rt.asarray(3))
    assert v.numpy() == 0 + 1 + 2 + 100
    f(rt.asarray(1))
    assert v.numpy() == 103 + 0 + 1000


def test_a_variable_may_be_created_on_the_first_call_only():
    class Counter:
        v = None

        def add(self, x):
            if self.v is None:
                self.v = rt.Variable(rt.zeros((), dtype=rt.int64))
            return self.v.assign_add(rt.sum(x))

    counter = Counter()
    f = PolymorphicFunction(counter.add)
    assert f(rt.asarray([1, 2])).numpy() == 3
    assert f(rt.asarray([1, 2, 3])).numpy() == 9

    g = PolymorphicFunction(lambda x: rt.Variable(1) + x)
    g(rt.asarray(1))
    assert g(rt.asarray(1.5)).numpy() == 2.5  # another graph, whose variable is new as in Python
    with pytest.raises(rt.errors.GraphError, match=r"Create variables outside"):
        g(rt.asarray(1))


def test_a_variable_that_every_call_makes_is_no_variable_of_all_calls():
    @ag.function
    def counted(x):
        total = rt.Variable(0.0)
        total.assign_add(x)
        return total.value()

    assert counted(rt.asarray(1.0)).numpy() == 1.0
    with pytest.raises(rt.errors.GraphError, match="traced again"):
        counted(rt.asarray(1.0))


def test_a_function_that_is_called_may_not_make_one_on_every_call_either():
    @ag.function
    def fresh(x):
        return rt.Variable(1.0) + x

    @ag.function
    def outer(x):
        return fresh(x) * 2

    assert outer(rt.asarray(1.0)).numpy() == 4.0
    with pytest.raises(rt.errors.GraphError, match="traced again"):
        outer(rt.asarray(1.0))


def test_a_graph_says_which_variables_it_uses():
    weight, step = rt.Variable(2.0, name="weight"), rt.Variable(0, trainable=False, name="step")
    unused = rt.Variable(1.0)
    scale = rt.asarray(3.0)

    @ag.function
    def grow(x):
        if x > 0:
            step.assign_add(1)
        return weight * x * scale

    concrete = grow.get_concrete_function(rt.TensorSpec(()))
    assert set(concrete.variables) == {weight, step}
    assert concrete.trainable_variables == (weight,)
    assert unused not in concrete.captured_inputs
    assert set(concrete.captured_inputs[:2]) == {weight, step}


def test_each_object_may_make_its_own_variable_once():
    class Counter:
        total = None

        @ag.function
        def add(self, x):
            if self.total is None:
                self.total = rt.Variable(0.0)
            self.total.assign_add(x)
            return self.total.value()

    one, other = Counter(), Counter()
    found = [(one.add(rt.asarray(1.0)).numpy(), other.add(rt.asarray(5.0)).numpy()) for _ in range(3)]
    assert found == [(1.0, 5.0), (2.0, 10.0), (3.0, 15.0)]


def test_a_first_value_that_depends_on_an_argument_is_refused():
    with pytest.raises(rt.errors.GraphError, match=r"depends on what only a run"):
        PolymorphicFunction(lambda x: rt.Variable(x + 1))(rt.asarray(1))


def test_a_value_that_does_not_fit_is_refused_and_the_old_one_kept():
    v = rt.Variable([1, 2], name="v")
    with pytest.raises(ValueError, match=r"variable 'v' has the shape \(2,\)"):
        v.assign([1, 2, 3])
    with pytest.raises(TypeError, match=r"int64 and cannot hold a float64 value"):
        v.assign(rt.asarray([0.5, 1.5]))
    with pytest.raises(TypeError, match=r"cannot hold 0.5"):
        v.assign(0.5)
    assert v.numpy().tolist() == [1, 2]


def test_a_tensor_that_was_read_keeps_its_value():
    v = rt.Variable([1.0, 2.0])
    read = v.value()
    v.assign([5.0, 6.0])
    assert read.numpy().tolist() == [1.0, 2.0]


def test_the_callers_array_is_not_shared():
    array = np.array([1.0])
    v = rt.Variable(array)
    array[0] = 7
    assert v.numpy().tolist() == [1.0]


def test_a_variable_takes_part_in_arithmetic():
    v = rt.Variable(2.0)
    assert float(v * 3 + 1) == 7
    assert float(1 / v) == 0.5
    assert bool(v > 1)
    assert repr(v).endswith("shape=() dtype=float64, numpy=2.0>")


def test_a_variable_goes_when_nobody_holds_it():
    def made_and_used():
        v = rt.Variable(1)
        PolymorphicFunction(lambda x: x + v)(rt.asarray(1))
        return weakref.ref(v)

    gone = made_and_used()
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("compiled", [False, True])
def test_an_update_that_does_not_fit_says_so_in_the_words_of_a_sum(compiled):
    variable = rt.Variable(np.ones(2), shape=(None,))

    @ag.function(jit_compile=compiled)
    def grow(x):
        variable.assign_add(x)

    for update in (grow, variable.assign_add):
        with pytest.raises(rt.errors.ShapeError, match=r"shapes \(2,\) and \(3,\) do not broadcast together"):
            update(rt.ones(3))
    assert variable.array.tolist() == [1, 1]
