import pytest

from runtime.interchange.graphdef.names import Names, argument_name, node_name


def test_a_taken_name_gets_the_next_number():
    names = Names()
    assert [names.unique("Mul") for _ in range(3)] == ["Mul", "Mul_1", "Mul_2"]


def test_names_that_differ_in_case_only_are_the_same():
    names = Names()
    assert [names.unique("add"), names.unique("Add"), names.unique("ADD")] == ["add", "Add_1", "ADD_2"]


def test_a_numbered_name_may_be_taken_already():
    names = Names()
    assert [names.unique(name) for name in ("x_1", "x", "x", "x")] == ["x_1", "x", "x_2", "x_3"]


@pytest.mark.parametrize(
    ("text", "name"), [("x", "x"), ("a/b", "a/b"), ("x.y", "x.y"), ("_x", "x"), ("a b", "a_b"), ("é", "arg")]
)
def test_any_text_becomes_the_name_of_a_node(text, name):
    assert node_name(text) == name


@pytest.mark.parametrize(
    ("text", "name"), [("cond/Identity_1/x", "cond_identity_1_x"), ("X", "x"), ("9", "arg_9"), ("_", "arg")]
)
def test_any_text_becomes_the_name_of_an_argument(text, name):
    assert argument_name(text) == name
