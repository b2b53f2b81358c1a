"""Strings under TensorFlow's names: what they refuse. What they give is in `tests/golden/tensorflow`."""

import pytest

from autograph.compat import tf


def test_strings_are_printed_as_tensorflow_prints_them(capfd):
    @tf.function
    def told(n):
        tf.print("n is", tf.strings.as_string(n), tf.constant("word"))

    tf.print("a", tf.constant("b"), tf.constant(["c", "d"]))
    told(tf.constant(3))
    assert capfd.readouterr().err == 'a "b" ["c" "d"]\nn is "3" "word"\n'


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda n: tf.strings.split(tf.strings.as_string(n)), "a string that only the run knows"),
        (lambda n: tf.strings.bytes_split(tf.strings.as_string(n)), "a string that only the run knows"),
        (lambda n: tf.strings.regex_replace(tf.strings.as_string(n), "1", "2"), "a pattern was to be found"),
        (lambda n: tf.strings.as_string([n, n]), "of which only the run knows the texts"),
        (lambda n: tf.strings.join([["a", "b"], tf.strings.as_string(n)]), "a tensor of several strings"),
    ],
    ids=["split", "bytes_split", "regex_replace", "as_string", "join"],
)
def test_what_a_graph_cannot_do_with_strings_is_refused_with_a_way_out(call, told):
    with pytest.raises(TypeError, match=told):
        tf.function(call)(tf.constant(1))


def test_several_strings_have_parts_of_several_lengths():
    with pytest.raises(TypeError, match="a string in a tensor of several"):
        tf.strings.split(["a b", "c"])


def test_strings_are_no_numbers_and_no_conditions():
    with pytest.raises(TypeError, match="cannot become a tensor"):
        tf.reduce_sum(tf.constant(["a"]))
    with pytest.raises(TypeError, match="a tensor of strings is no condition"):
        bool(tf.constant("a"))


def test_a_template_has_an_input_for_each_place():
    with pytest.raises(ValueError, match="and there are 1 inputs"):
        tf.strings.format("{} {}", tf.constant(1))


def test_a_text_of_another_function_is_a_text_inside_of_a_graph():
    @tf.function
    def named(n):
        return tf.strings.join(["n", tf.strings.as_string(n)])

    @tf.function
    def twice(n):
        return tf.strings.join([named(n), named(n + 1)], separator="-")

    assert twice(tf.constant(1)).numpy() == b"n1-n2"


def test_a_text_decides_a_branch():
    @tf.function
    def is_ten(n):
        if tf.strings.as_string(n) == "10":
            return "yes"
        return "no"

    assert [is_ten(tf.constant(n)).numpy() for n in (10, 1)] == [b"yes", b"no"]
