"""`tf.function`: its parameters, and the dtypes of Python numbers inside of it."""

import pytest

from autograph.compat import tf
from runtime.errors import KindsMeetWarning


def test_it_decorates_with_and_without_parentheses_and_wraps():
    def double(x):
        return x * 2

    assert tf.function(double)(tf.constant(2)).numpy() == 4
    assert tf.function()(double)(tf.constant(2)).numpy() == 4
    assert tf.function(func=double, jit_compile=True)(tf.constant(2)).numpy() == 4


def test_it_takes_the_parameters_of_tensorflow():
    @tf.function(
        input_signature=[tf.TensorSpec([], tf.int32)],
        autograph=True,
        jit_compile=False,
        reduce_retracing=True,
        experimental_implements="double",
        experimental_autograph_options=tf.autograph.experimental.Feature.ALL,
        experimental_attributes={},
        experimental_relax_shapes=True,
        experimental_compile=None,
        experimental_follow_type_hints=True,
    )
    def double(x):
        return x * 2

    assert double(3).numpy() == 6


def test_python_numbers_take_the_dtypes_of_tensorflow_in_a_graph():
    @tf.function
    def numbers(n):
        count, total = 0, 0.0
        for _ in tf.range(n):
            count += 1
            total += 0.5
        return count, total, 1, 2.5, tf.constant([1, 2]), [1] * tf.ones([1])

    dtypes = [each.dtype.name for each in numbers(tf.constant(2))]
    assert dtypes == ["int32", "float32", "int32", "float32", "int32", "float32"]


def test_an_int_and_a_float_meet_in_float32():
    @tf.function
    def either(x):
        y = 1 if x > 0 else 2.5
        z = 0
        if x > 0:
            z = 1.5
        return y, z, tf.cond(x > 0, lambda: 1, lambda: 2.5)

    with pytest.warns(KindsMeetWarning):
        given = either(tf.constant(1))
    assert [each.dtype.name for each in given] == ["float32"] * 3


def test_a_method_is_a_graph_per_object():
    class Scaled:
        def __init__(self, by):
            self.by = by

        @tf.function
        def __call__(self, x):
            return x * self.by

    assert Scaled(2)(tf.constant(3)).numpy() == 6
    assert Scaled(5)(tf.constant(3)).numpy() == 15


def test_without_autograph_a_tensor_decides_nothing():
    @tf.function(autograph=False)
    def relu(x):
        return x if x > 0 else 0

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="Python `bool` is not allowed"):
        relu(tf.constant(1))


def test_what_is_not_to_be_converted_is_called_as_it_is():
    @tf.autograph.experimental.do_not_convert
    def relu(x):
        return x if x > 0 else 0

    with pytest.raises(TypeError, match="Python `bool` is not allowed"):
        tf.function(relu)(tf.constant(1))


def test_the_converter_can_be_used_by_itself():
    def relu(x):
        if x > 0:
            return x
        return 0

    @tf.autograph.convert()
    def also_relu(x):
        return relu(x)

    assert tf.autograph.to_graph(relu)(tf.constant(-1)) == 0
    assert also_relu(-1) == 0
    assert "ag__.if_stmt" in tf.autograph.to_code(relu)
    try:
        tf.autograph.set_verbosity(3, alsologtostdout=True)
    finally:
        tf.autograph.set_verbosity(0)


def test_trace_prints_while_a_function_is_traced(capsys):
    @tf.function
    def double(x):
        tf.autograph.trace("tracing")
        return x * 2

    double(tf.constant(1))
    double(tf.constant(2))
    assert capsys.readouterr().out == "tracing\n"


def test_a_signature_refuses_what_does_not_fit():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def total(x):
        return tf.reduce_sum(x)

    assert total([1, 2]).numpy() == 3
    with pytest.raises(TypeError, match="input_signature asks for"):
        total(tf.constant([1, 2]))
    with pytest.raises(TypeError, match="input_signature asks for"):
        total(tf.constant(1.0))
