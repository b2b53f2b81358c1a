import gc
import threading
import warnings
import weakref
from collections import namedtuple
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

import runtime as rt
from runtime.errors import RetracingWarning
from runtime.functions.eagerly import functions_run_eagerly, run_functions_eagerly
from runtime.functions.polymorphic import PolymorphicFunction


def counting(function, **options):
    """The function as a graph, and a list that grows with every trace."""
    traces = []

    def traced(*args, **kwargs):
        traces.append(len(args))
        return function(*args, **kwargs)

    traced.__signature__ = PolymorphicFunction(function)._parameters.signature
    return PolymorphicFunction(traced, **options), traces


def test_on_another_executor_it_takes_its_graphs_along():
    double, traces = counting(lambda x: x * 2, executor="numpy")
    assert double(rt.asarray(2.0)) == 4.0
    twin = double.on_executor("reference")
    assert twin(rt.asarray(3.0)) == 6.0
    assert traces == [1]
    assert [each.concrete_functions[0].report().executor for each in (double, twin)] == ["numpy", "reference"]
    assert twin(rt.asarray([1, 2])).shape == (2,)
    assert (len(twin.concrete_functions), len(double.concrete_functions)) == (2, 1)


def test_calls_of_one_signature_share_one_graph():
    f, traces = counting(lambda x: x + 1)
    assert f(rt.asarray(1)).numpy() == 2
    assert f(rt.asarray(5)).numpy() == 6
    assert len(traces) == 1
    assert f.experimental_get_tracing_count() == 1


def test_dtype_shape_and_structure_each_make_a_graph():
    f, traces = counting(lambda x: x)
    f(rt.asarray(1))
    f(rt.asarray(1.0))
    f(rt.asarray([1]))
    f((rt.asarray(1),))
    f([rt.asarray(1)])
    assert len(traces) == 5


def test_one_as_an_int_a_float_and_a_bool_are_three_signatures():
    f, traces = counting(lambda x: rt.asarray(x))
    assert [f(1).dtype, f(1.0).dtype, f(True).dtype] == [rt.int64, rt.float64, rt.bool]
    assert len(traces) == 3


def test_zero_and_minus_zero_are_two_signatures():
    f, _ = counting(lambda x: rt.asarray(x))
    assert not np.signbit(f(0.0).numpy())
    assert np.signbit(f(-0.0).numpy())


def test_nan_is_traced_once():
    f, traces = counting(lambda x: rt.asarray(x))
    f(float("nan"))
    f(float("nan"))
    assert len(traces) == 1


def test_numpy_arrays_count_as_tensors():
    f, traces = counting(lambda x: x + 1)
    assert f(np.array([1, 2])).numpy().tolist() == [2, 3]
    assert f(rt.asarray([3, 4])).numpy().tolist() == [4, 5]
    assert len(traces) == 1


def test_objects_are_told_apart_by_identity_and_not_kept_alive():
    class Model:
        def __init__(self, scale):
            self.scale = scale

    f, traces = counting(lambda model, x: x * model.scale)
    one, two = Model(2), Model(3)
    assert f(one, rt.asarray(5)).numpy() == 10
    assert f(two, rt.asarray(5)).numpy() == 15
    assert f(one, rt.asarray(5)).numpy() == 10
    assert len(traces) == 2
    traces.clear()
    gone = weakref.ref(one)
    del one
    gc.collect()
    assert gone() is None


def test_keyword_arguments_and_defaults_are_the_same_signature():
    f, traces = counting(lambda x, scale=2: x * scale)
    assert f(rt.asarray(3)).numpy() == 6
    assert f(rt.asarray(3), 2).numpy() == 6
    assert f(x=rt.asarray(3), scale=2).numpy() == 6
    assert len(traces) == 1


Pair = namedtuple("Pair", "left right")


@dataclass
class Point:
    x: object
    y: object


def test_structures_go_in_and_come_out():
    @PolymorphicFunction
    def f(nest):
        return {"sum": nest.left + nest.right["a"], "pair": nest, "none": None, "s": "text"}

    result = f(Pair(rt.asarray(1), {"a": rt.asarray(2)}))
    assert result["sum"].numpy() == 3
    assert isinstance(result["pair"], Pair)
    assert result["pair"].right["a"].numpy() == 2
    assert result["none"] is None
    assert result["s"] == "text"
    g = PolymorphicFunction(lambda p: Point(p.y, p.x))
    swapped = g(Point(rt.asarray(1), rt.asarray(2)))
    assert (swapped.x.numpy(), swapped.y.numpy()) == (2, 1)


def test_an_input_signature_makes_one_graph_for_all_lengths():
    f, traces = counting(lambda x: rt.sum(x), input_signature=[rt.TensorSpec((None,), rt.float32)])
    assert f(rt.asarray([1.0, 2.0], dtype=rt.float32)).numpy() == 3
    assert f([1, 2, 3]).numpy() == 6
    assert len(traces) == 1
    assert [str(spec) for spec in f.get_concrete_function().graph.input_specs] == ["f32[x.0]"]


def test_an_input_signature_of_a_method_is_about_what_follows_self():
    class Scaler:
        @partial(PolymorphicFunction, input_signature=[rt.TensorSpec((None,), rt.float32)])
        def scale(self, x, times=2):
            return x * times

    first, second = Scaler(), Scaler()
    assert first.scale([1.0, 2.0]).tolist() == [2.0, 4.0]
    assert first.scale(rt.asarray([1.0], dtype=rt.float32), times=3).tolist() == [3.0]
    assert second.scale([5]).tolist() == [10.0]
    assert [str(spec) for spec in first.scale.get_concrete_function().graph.input_specs] == ["f32[x.0]"]
    with pytest.raises(TypeError, match=r"argument `x` of scale\(\) is i64\[1\]"):
        first.scale(rt.asarray([1]))
    assert first.scale.experimental_get_tracing_count() == 3


def test_an_input_signature_refuses_other_arguments_by_name():
    f = PolymorphicFunction(lambda x: x, input_signature=[rt.TensorSpec((None,), rt.float32)])
    with pytest.raises(TypeError, match=r"argument `x` of .* is f32\[2,2\].* asks for f32\[\?\]"):
        f(rt.ones((2, 2), dtype=rt.float32))


def test_reduce_retracing_settles_on_a_graph_for_any_length():
    f, traces = counting(lambda x: x + 1, reduce_retracing=True)
    for n in (1, 2, 3, 4, 5):
        f(rt.ones(n))
    assert len(traces) == 2


def test_a_wider_graph_serves_a_narrower_call():
    f, traces = counting(lambda x: x + 1)
    f.get_concrete_function(rt.TensorSpec((None,), rt.float64))
    assert f(rt.ones(3)).shape == (3,)
    assert len(traces) == 1


def test_wrong_arguments_name_the_function():
    def scale(x, y):
        return x * y

    f = PolymorphicFunction(scale)
    with pytest.raises(TypeError, match=r"scale\(\) missing 1 required positional argument: 'y'\n"):
        f(rt.asarray(1))


def test_a_failed_trace_leaves_nothing_behind():
    fail = [True]

    def f(x):
        if fail[0]:
            raise KeyError("first")
        return x + 1

    function = PolymorphicFunction(f)
    with pytest.raises(KeyError):
        function(rt.asarray(1))
    fail[0] = False
    assert function(rt.asarray(1)).numpy() == 2


def test_retracing_in_call_after_call_warns_with_the_cause():
    f = PolymorphicFunction(lambda x, epoch: x + epoch)
    for epoch in range(5):
        f(rt.asarray(1), epoch)
    with pytest.warns(RetracingWarning, match=r"argument `epoch` was 4 and then 5"):
        f(rt.asarray(1), 5)


def test_a_few_signatures_do_not_warn():
    f = PolymorphicFunction(lambda x: x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(3):
            for n in (1, 2, 3):
                f(rt.ones(n))


def test_eager_execution_runs_the_python_function():
    ran = []

    def f(x):
        ran.append(type(x))
        return x + 1

    function = PolymorphicFunction(f)
    with run_functions_eagerly(True):
        assert functions_run_eagerly()
        assert function(rt.asarray(1)).numpy() == 2
        assert function(rt.asarray(1)).numpy() == 2
    assert ran == [rt.Tensor, rt.Tensor]
    assert not functions_run_eagerly()


def test_run_eagerly_a_function_has_the_arguments_of_its_caller():
    def program(items, x):
        items.append(x)
        x[0] = 5.0
        return items, x

    items, x = [1.0], np.zeros(2)
    with run_functions_eagerly(True):
        found = PolymorphicFunction(program)(items, x)
    assert found[0] is items
    assert found[1] is x
    assert items[1] is x
    assert x.tolist() == [5.0, 0.0]


def test_methods_have_one_graph_per_object():
    class Scaler:
        def __init__(self, by):
            self.by = by

        def scale(self, x):
            """Scales."""
            return x * self.by

        fast = PolymorphicFunction(scale)

    double, triple = Scaler(2), Scaler(3)
    assert double.fast(rt.asarray(4)).numpy() == 8
    assert triple.fast(rt.asarray(4)).numpy() == 12
    assert double.fast.__doc__ == "Scales."
    concrete = double.fast.get_concrete_function(rt.asarray(4))
    assert double.fast.get_concrete_function(rt.asarray(1)) is concrete


def test_a_function_inside_a_function_is_a_call():
    inner = PolymorphicFunction(lambda x: x * 2, name="inner")
    outer = PolymorphicFunction(lambda x: inner(x) + inner(x))
    assert outer(rt.asarray(3)).numpy() == 12
    graph = outer.concrete_functions[0].graph
    assert graph.ops == ["PartitionedCall", "PartitionedCall", "AddV2"]
    assert inner.experimental_get_tracing_count() == 1


def test_an_inner_function_may_use_tensors_of_the_outer_one():
    def outer(x):
        inner = PolymorphicFunction(lambda y: x + y)
        return inner(rt.asarray(1)) + inner(rt.asarray(2))

    f = PolymorphicFunction(outer)
    assert f(rt.asarray(10)).numpy() == 23
    assert f(rt.asarray(20)).numpy() == 43


def test_a_tensor_that_leaks_out_of_its_graph_is_refused_with_its_origin():
    kept = []

    def f(x):
        kept.append(x + 1)
        return x

    with pytest.warns(rt.errors.LeakWarning, match=r"`kept\[0\]` holds a tensor"):
        PolymorphicFunction(f)(rt.asarray(1))
    with pytest.raises(rt.errors.LeakedTensor, match=r"kept.append\(x \+ 1\)"):
        kept[0] + 1
    with pytest.raises(rt.errors.LeakedTensor):
        PolymorphicFunction(lambda y: y + kept[0])(rt.asarray(1))


def test_a_tensor_as_a_python_bool_says_where_and_what_to_do():
    def f(x):
        if x > 0:
            return x
        return -x

    with pytest.raises(TypeError, match=r"(?s)used as a Python bool.*if x > 0:.*rt.cond"):
        PolymorphicFunction(f)(rt.asarray(1))


def test_many_threads_trace_once_and_agree():
    traces = []

    def f(x):
        traces.append(1)
        return x * 2

    function = PolymorphicFunction(f)
    results = []
    barrier = threading.Barrier(8)

    def work(n):
        barrier.wait()
        results.append(function(rt.asarray(n)).numpy() == 2 * n)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 8
    assert len(traces) == 1


def test_a_concrete_function_takes_its_own_signature_only():
    f = PolymorphicFunction(lambda x, flag: x + 1 if flag else x)
    concrete = f.get_concrete_function(rt.TensorSpec((None,), rt.float64), True)
    assert concrete(rt.ones(2), True).numpy().tolist() == [2.0, 2.0]
    assert concrete(rt.ones(2)).numpy().tolist() == [2.0, 2.0]
    with pytest.raises(TypeError, match=r"not of the signature"):
        concrete(rt.ones(2), False)
    with pytest.raises(TypeError, match=r"not of the signature"):
        concrete(rt.asarray(1))
    args, kwargs = concrete.structured_input_signature
    assert args == (rt.TensorSpec((None,), rt.float64, "x"), True)
    assert kwargs == {}


def test_signatures_print_as_a_person_reads_them():
    f = PolymorphicFunction(lambda x, y: {"a": x, "b": None}, name="f")
    f([rt.asarray(1), rt.ones(2)], "mode")
    assert f.pretty_printed_concrete_signatures() == (
        "f(x, y='mode')\n"
        "  Args:\n"
        "    x: [<1>, <2>]\n"
        "      <1>: int64 Tensor, shape=()\n"
        "      <2>: float64 Tensor, shape=(2,)\n"
        "  Returns:\n"
        "    {'a': [<1>, <2>], 'b': None}\n"
        "      <1>: int64 Tensor, shape=()\n"
        "      <2>: float64 Tensor, shape=(2,)"
    )


def test_a_recursion_that_tracing_cannot_end_is_refused():
    @PolymorphicFunction
    def f(x):
        return f(x)

    with pytest.raises(rt.errors.GraphError, match=r"every path through f\(\) calls it again"):
        f(rt.asarray(1))


def test_a_graph_that_is_not_finished_cannot_be_had():
    @PolymorphicFunction
    def f(x):
        return f.get_concrete_function(x)(x)

    with pytest.raises(rt.errors.GraphError, match=r"asked for while it is traced"):
        f(rt.asarray(1))


def test_a_recursion_that_python_decides_is_unrolled():
    @PolymorphicFunction
    def power(x, n):
        return x if n == 1 else x * power(x, n - 1)

    assert power(rt.asarray(2), 4).numpy() == 16


def test_a_nest_whose_content_changes_is_looked_at_in_every_call():
    @dataclass(eq=False)
    class Box:
        value: object

    f, traces = counting(lambda box: box.value + 1)
    box = Box(rt.asarray(1))
    assert f(box).numpy() == 2
    box.value = rt.asarray([1.0, 2.0])
    assert f(box).numpy().tolist() == [2.0, 3.0]
    box.value = 5
    assert f(box).numpy() == 6
    assert len(traces) == 3


def test_an_object_made_in_the_place_of_another_is_another():
    class Scale:
        def __init__(self, by):
            self.by = by

    f, traces = counting(lambda scale, x: x * scale.by)
    for by in range(4):
        assert f(Scale(by), rt.asarray(3)).numpy() == 3 * by
        traces.clear()
        gc.collect()


def test_it_shows_how_many_graphs_there_are():
    double = PolymorphicFunction(lambda x: x * 2, name="double")
    shown = [repr(double)]
    for argument in (rt.asarray(1), rt.asarray(1.0)):
        double(argument)
        shown.append(repr(double))
    assert shown == [
        f"<PolymorphicFunction double(x), {count}>" for count in ("0 graphs", "1 graph", "2 graphs")
    ]


def test_an_attribute_of_the_program_is_no_method_of_ours():
    def doubled(x):
        return x * 2

    doubled.arguments = ["x"]
    function = PolymorphicFunction(doubled)
    function.get_concrete_function(rt.asarray(1.0))
    assert function.arguments == ["x"]
