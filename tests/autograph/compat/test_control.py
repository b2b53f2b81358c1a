"""Functional control flow, printing, and the scopes of a TensorFlow program."""

import sys

import pytest

from autograph.compat import tf


def test_an_exclusive_case_checks_that_one_predicate_holds():
    @tf.function
    def route(x):
        pairs = [(x > 0, lambda: tf.constant(1)), (x > 5, lambda: tf.constant(2))]
        return tf.case(pairs, default=lambda: tf.constant(3), exclusive=True)

    assert route(tf.constant(1)).numpy() == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match="more than one predicate"):
        route(tf.constant(9))


def test_a_case_takes_a_dict_and_its_last_function_is_the_default():
    assert tf.case({True: lambda: 1}, default=lambda: 2) == 1
    assert tf.case([(False, lambda: 1), (False, lambda: 2)]) == 2


def test_the_branches_of_switch_case_are_numbered_without_gaps():
    assert tf.switch_case(tf.constant(1), [(1, lambda: "b"), (0, lambda: "a")]) == "b"
    with pytest.raises(ValueError, match=r"numbered \[0, 5\]"):
        tf.switch_case(tf.constant(0), {0: lambda: 1, 5: lambda: 2})


def test_tf_print_goes_where_it_is_told(capsys):
    tf.print("to", "stderr", sep="-")
    tf.print(tf.constant([1, 2]), output_stream=sys.stdout, end="!\n")
    printed = capsys.readouterr()
    assert (printed.err, printed.out) == ("to-stderr\n", "[1 2]!\n")
    with pytest.raises(ValueError, match="output_stream"):
        tf.print(1, output_stream="file:///tmp/x")


def test_effects_need_no_control_dependencies_to_keep_their_order(capsys):
    v = tf.Variable(1)

    @tf.function
    def step():
        first = v.read_value()
        with tf.control_dependencies([v.assign_add(1), tf.no_op()]):
            tf.print("now", v)
        tf.group(v.assign(v * 10), name="last")
        with tf.device("/CPU:0"):
            return first, v.read_value()

    assert [each.numpy() for each in step()] == [1, 20]
    assert capsys.readouterr().err == "now 2\n"


def test_a_name_scope_gives_its_name():
    with tf.name_scope("layer") as scope:
        assert scope == "layer/"


def test_init_scope_leaves_the_graph():
    @tf.function
    def traced(x):
        with tf.init_scope():
            eager = tf.constant(2) * 3
        return x * eager, tf.executing_eagerly()

    result, eager = traced(tf.constant(1))
    assert (result.numpy(), bool(eager)) == (6, False)
    assert tf.executing_eagerly()


def test_functions_can_be_run_eagerly_for_a_while():
    with tf.config.experimental_run_functions_eagerly(True):
        assert tf.config.experimental_functions_run_eagerly()
    assert not tf.config.functions_run_eagerly()


def test_map_fn_finds_the_signature_of_its_output():
    @tf.function
    def pairs(x):
        return tf.map_fn(lambda row: {"sum": tf.reduce_sum(row), "first": row[0] > 2}, x)

    found = pairs(tf.constant([[1, 2], [3, 4]]))
    assert (found["sum"].numpy().tolist(), found["first"].numpy().tolist()) == ([3, 7], [False, True])


def test_map_fn_over_no_rows_gives_no_rows():
    assert tf.map_fn(lambda x: x * 2.0, tf.zeros([0, 3])).shape == (0, 3)
    assert tf.function(lambda x: tf.map_fn(lambda row: row + 1, x))(tf.zeros([0, 3])).shape == (0, 3)


def test_foldl_in_a_graph():
    @tf.function
    def digits(x):
        return tf.foldl(lambda number, digit: number * 10 + digit, x)

    assert digits(tf.constant([4, 2])).numpy() == 42


@pytest.mark.parametrize(
    ("join", "wanted"),
    [
        (tf.stack, [[0, 1], [1, 2], [2, 3]]),
        (lambda rows: tf.stack(rows, axis=1), [[0, 1, 2], [1, 2, 3]]),
        (lambda rows: tf.stack(rows, axis=-1), [[0, 1, 2], [1, 2, 3]]),
        (lambda rows: tf.concat(rows, 0), [0, 1, 1, 2, 2, 3]),
        (lambda rows: tf.concat([row[None] for row in rows], axis=1), [[0, 1, 1, 2, 2, 3]]),
        (lambda rows: tf.concat([row[None] for row in rows], axis=-2), [[0, 1], [1, 2], [2, 3]]),
        (tf.add_n, [3, 6]),
        (tf.convert_to_tensor, [[0, 1], [1, 2], [2, 3]]),
    ],
)
def test_lists_that_grow_are_joined(join, wanted):
    @tf.function
    def grown(n):
        rows = []
        for i in tf.range(n):
            rows.append(tf.stack([i, i + 1]))
        return join(rows)

    found = grown(tf.constant(3))
    assert found.dtype is tf.int32
    assert found.numpy().tolist() == wanted
