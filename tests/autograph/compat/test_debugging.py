"""Checks: what passes, what raises, in eager code and in a graph."""

import pytest

from autograph.compat import tf

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
