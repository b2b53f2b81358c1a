"""The guide's examples: what differs between a graph and eager execution, and how to see it."""

import textwrap

import pytest

from autograph.compat import tf


@pytest.fixture
def eagerly():
    """Switches graphs off for a while, as the guide does."""
    yield tf.config.run_functions_eagerly
    tf.config.run_functions_eagerly(False)


@pytest.fixture
def get_MSE():
    @tf.function
    def get_MSE(y_true, y_pred):
        print("Calculating MSE!")
        sq_diff = tf.pow(y_true - y_pred, 2)
        return tf.reduce_mean(sq_diff)

    return get_MSE


Y_TRUE = tf.constant([1, 8, 3, 9, 2])
Y_PRED = tf.constant([0, 9, 6, 3, 4])


def test_the_mean_of_integers_is_an_integer(get_MSE):
    assert repr(get_MSE(Y_TRUE, Y_PRED)) == "<tf.Tensor: shape=(), dtype=int32, numpy=10>"


def test_a_function_can_be_run_eagerly_to_compare(get_MSE, eagerly):
    eagerly(True)
    assert tf.config.functions_run_eagerly()
    assert repr(get_MSE(Y_TRUE, Y_PRED)) == "<tf.Tensor: shape=(), dtype=int32, numpy=10>"
    assert get_MSE.experimental_get_tracing_count() == 0


def test_random_integers_print_as_a_tensor():
    y_true = tf.random.uniform([5], maxval=10, dtype=tf.int32)
    assert str(y_true) == f"tf.Tensor({y_true.numpy()}, shape=(5,), dtype=int32)"
    assert (0 <= y_true.numpy()).all()
    assert (y_true.numpy() < 10).all()


def test_python_prints_while_a_graph_is_made_and_not_when_it_runs(get_MSE, capsys):
    for _ in range(3):
        get_MSE(Y_TRUE, Y_PRED)
    assert capsys.readouterr().out == "Calculating MSE!\n"


def test_python_prints_every_time_in_eager_execution(get_MSE, eagerly, capsys):
    eagerly(True)
    for _ in range(3):
        get_MSE(Y_TRUE, Y_PRED)
    assert capsys.readouterr().out == "Calculating MSE!\n" * 3


def test_tf_print_prints_on_every_run_either_way(eagerly, capsys):
    @tf.function
    def shout(x):
        tf.print("x is", x)
        return x

    shout(tf.constant(1))
    shout(tf.constant(2))
    eagerly(True)
    shout(tf.constant(3))
    assert capsys.readouterr().err == "x is 1\nx is 2\nx is 3\n"


# ── a graph runs only what it needs ──


def unused_return(x):
    tf.gather(x, [1])  # fails where `x` has one element; nobody uses what it gives
    return x


def test_eager_execution_runs_what_nobody_uses():
    with pytest.raises(tf.errors.InvalidArgumentError, match="1"):
        unused_return(tf.constant([0.0]))


def test_a_graph_does_not_run_what_nobody_uses():
    result = tf.function(unused_return)(tf.constant([0.0]))
    assert str(result) == "tf.Tensor([0.], shape=(1,), dtype=float32)"


def test_a_graph_still_runs_what_has_an_effect():
    seen = tf.Variable(0)

    @tf.function
    def counted(x):
        seen.assign_add(1)
        return x

    counted(tf.constant(0.0))
    counted(tf.constant(0.0))
    assert seen.numpy() == 2


# ── seeing when a function is traced ──


def test_a_new_python_argument_traces_again_and_a_new_tensor_does_not(capsys):
    @tf.function
    def a_function_with_python_side_effect(x):
        print("Tracing!")
        return x * x + tf.constant(2)

    print(a_function_with_python_side_effect(tf.constant(2)))
    print(a_function_with_python_side_effect(tf.constant(3)))
    print(a_function_with_python_side_effect(2))
    print(a_function_with_python_side_effect(3))
    assert capsys.readouterr().out == textwrap.dedent("""\
        Tracing!
        tf.Tensor(6, shape=(), dtype=int32)
        tf.Tensor(11, shape=(), dtype=int32)
        Tracing!
        tf.Tensor(6, shape=(), dtype=int32)
        Tracing!
        tf.Tensor(11, shape=(), dtype=int32)
        """)
