"""Checks: what passes, what raises, in eager code and in a graph."""

import runpy
import threading
from pathlib import Path

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tf
from runtime.graph import build

EXPRESSIONS = runpy.run_path(str(Path(__file__).parents[2] / "golden" / "tensorflow" / "expressions.py"))

CHECKS = [
    (tf.debugging.assert_equal, (1, 1), (1, 2)),
    (tf.debugging.assert_none_equal, (1, 2), (1, 1)),
    (tf.debugging.assert_less, (1, [2, 3]), (1, [2, 1])),
    (tf.debugging.assert_less_equal, (1, 1), (2, 1)),
    (tf.debugging.assert_greater, (2.0, 1.0), (1.0, 1.0)),
    (tf.debugging.assert_greater_equal, (1, 1), (1, 2)),
    (tf.debugging.assert_positive, ([1, 2],), ([1, 0],)),
    (tf.debugging.assert_negative, (-1,), (0,)),
    (tf.debugging.assert_non_negative, (0,), (-1,)),
    (tf.debugging.assert_non_positive, (0,), (1,)),
    (tf.debugging.assert_near, (1.0, 1.0 + 1e-7), (1.0, 1.1)),
    (tf.debugging.assert_all_finite, ([1.0], "finite, please"), ([float("inf")], "finite, please")),
    (tf.debugging.check_numerics, (1.0, "a number, please"), (float("nan"), "a number, please")),
    (tf.debugging.Assert, (True, ["data", 1]), (False, ["data", 1])),
    (tf.Assert, (True, [1]), ([True, False], [1])),
]


@pytest.mark.parametrize(
    ("check", "passes", "fails"), CHECKS, ids=lambda value: getattr(value, "__name__", "")
)
def test_a_check_of_values(check, passes, fails):
    check(*passes)
    with pytest.raises(tf.errors.InvalidArgumentError):
        check(*fails)


@pytest.mark.parametrize(
    ("check", "passes", "fails"), CHECKS[:10], ids=lambda value: getattr(value, "__name__", "")
)
def test_a_check_in_a_graph_runs_with_it(check, passes, fails):
    @tf.function
    def checked(*values):
        check(*values)
        return tf.constant(1)

    checked(*map(tf.constant, passes))
    with pytest.raises(tf.errors.InvalidArgumentError):
        checked(*map(tf.constant, fails))


def test_a_failed_check_shows_its_message_and_the_values():
    with pytest.raises(AssertionError, match=r"sizes differ: Condition x == y did[^\0]*\[1 2\][^\0]*\[1 3\]"):
        tf.debugging.assert_equal([1, 2], [1, 3], message="sizes differ")
    with pytest.raises(AssertionError, match=r"failed: \[step\][^\0]*7"):
        tf.Assert(tf.constant(False), ["step", tf.constant(7)])


def test_nearness_can_be_given():
    tf.debugging.assert_near(1.0, 1.4, atol=0.5)
    tf.debugging.assert_near(100.0, 101.0, rtol=0.1)
    tf.debugging.assert_near(3, 3)
    with pytest.raises(AssertionError):
        tf.debugging.assert_near(3, 4)


def test_checks_of_what_is_known_before_the_run():
    tf.debugging.assert_type(tf.constant(1), tf.int32)
    tf.debugging.assert_integer(tf.constant(1))
    tf.debugging.assert_rank(tf.constant([1]), 1)
    tf.debugging.assert_scalar(tf.constant(1))
    assert tf.debugging.is_numeric_tensor(tf.constant(1))
    assert not tf.debugging.is_numeric_tensor(tf.constant(True))
    assert not tf.debugging.is_numeric_tensor(1)
    with pytest.raises(TypeError, match="kept small: the dtype is int32, not float32"):
        tf.debugging.assert_type(tf.constant(1), tf.float32, message="kept small")
    with pytest.raises(TypeError, match="no integer"):
        tf.debugging.assert_integer(tf.constant(1.0))
    with pytest.raises(ValueError, match="has 1 axes, not 0"):
        tf.debugging.assert_scalar(tf.constant([1]))


def test_an_error_of_a_graph_names_the_line():
    @tf.function
    def checked(x):
        tf.debugging.assert_positive(x)
        return x

    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        checked(tf.constant(-1))
    assert "tf.debugging.assert_positive(x)" in "".join(caught.value.__notes__)


# ── numbers of every op ──


quiet = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@pytest.fixture
def numerics():
    tf.debugging.enable_check_numerics(stack_height_limit=1, path_length_limit=5)
    yield
    tf.debugging.disable_check_numerics()


@quiet
def test_an_op_that_gives_no_number_shows_what_it_took_and_gave(numerics):
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.math.log(tf.constant([0.0, -1.0]))
    assert str(caught.value) == (
        '!!! Detected Infinity or NaN in output 0 of eagerly-executing op "Log" (# of outputs: 1) !!!\n'
        "  dtype: float32\n"
        "  shape: (2,)\n"
        "  # of -Inf elements: 1\n"
        "  # of +NaN elements: 1\n"
        "\n"
        "  Input tensor: tf.Tensor([ 0. -1.], shape=(2,), dtype=float32)\n"
        " : Tensor had -Inf and NaN values"
    )


@quiet
def test_a_graph_shows_as_much_of_the_program_as_is_asked_for(numerics):
    def divided(x):
        return x / 0.0

    @tf.function
    def caller(x):
        return divided(x)

    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        caller(tf.constant(1.0))
    shown = str(caught.value).partition("Stack trace")[2]
    assert "    + ... (Omitted 1 frames)\n    + ...ng.py (L" in shown
    assert ") divided\n -> |   return x / 0.0\n : Tensor had +Inf values" in shown
    assert "caller" not in shown


@quiet
def test_a_graph_keeps_the_checks_that_it_was_traced_with():
    zero = tf.constant(0.0)
    before = tf.function(lambda x: 1.0 / x).get_concrete_function(zero)
    tf.debugging.enable_check_numerics()
    try:
        after = tf.function(lambda x: 1.0 / x).get_concrete_function(zero)
    finally:
        tf.debugging.disable_check_numerics()
    assert before(zero).numpy() == np.inf
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Tensor had \+Inf values"):
        after(zero)


@quiet
@pytest.mark.parametrize("executor", ["reference", "numpy", "native"])
def test_compiled_graphs_check_what_the_program_computes_alone(executor, numerics):
    @ag.function(executor=executor)
    def mean(x):
        return rt.mean(rt.log(x))

    assert mean(np.ones((3, 4))).numpy() == 0.0
    with pytest.raises(AssertionError, match='graph op "Log"'):
        mean(np.zeros((3, 4)))
    checks = [node.op.name for node in mean.get_concrete_function(np.ones(2)).graph.nodes]
    assert checks.count("CheckNumerics") == 2


@quiet
def test_nothing_that_functions_do_inside_counts_as_no_number(numerics):
    found = []
    for case in EXPRESSIONS["CASES"]:
        try:
            function, values = EXPRESSIONS["function"](tf, case)
            function(*values)
        except tf.errors.InvalidArgumentError:
            found.append(case)
    assert found == [
        "tf.math.cumulative_logsumexp(v, exclusive=True, reverse=True)"
    ]  # its result is infinite


@quiet
def test_numbers_are_checked_in_one_thread_and_where_nobody_asks_no_op_waits(numerics):
    found = []
    thread = threading.Thread(target=lambda: found.append(tf.math.log(tf.constant(0.0))))
    thread.start()
    thread.join()
    assert found[0].numpy() == -np.inf
    tf.debugging.disable_check_numerics()
    assert build._result_watchers == ()


def test_dumps_are_not_here_and_say_where_to_go():
    with pytest.raises(AttributeError, match=r"tf\.debugging\.experimental.*not here.*ag\.profile"):
        tf.debugging.experimental.enable_dump_debug_info("dump")
