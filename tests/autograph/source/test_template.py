import ast

import pytest

from autograph.source.template import Expression, Statements, literal
from autograph.source.unparse import unparse


def expression(text):
    return ast.parse(text).body[0].value


def filled(text, **values):
    return unparse(Statements(text).fill(**values))


def test_a_str_renames_definitions_parameters_and_reads():
    text = "def body(state):\n    return state\nx = body(1)"
    assert (
        filled(text, body="loop_body", state="s", x="y")
        == "def loop_body(s):\n    return s\ny = loop_body(1)"
    )


def test_statements_stand_where_the_name_stands_alone():
    assert filled("if test:\n    body", test=expression("a > b"), body=ast.parse("x = 1\ny = 2").body) == (
        "if a > b:\n    x = 1\n    y = 2"
    )


def test_one_statement_needs_no_list():
    assert filled("body", body=ast.parse("x = 1").body[0]) == "x = 1"


def test_an_empty_block_gets_a_pass():
    assert filled("if x:\n    body", x="x", body=[]) == "if x:\n    pass"


def test_names_are_spliced_into_nonlocal():
    text = "def f():\n    nonlocal names\n    body"
    assert "nonlocal a, b" in filled(text, names=["a", "b"], body=[ast.Pass()])
    assert "nonlocal" not in filled(text, names=[], body=[ast.Pass()])


def test_lists_are_spliced_into_arguments_elements_and_parameters():
    assert filled("f(args)", f="g", args=[expression("x"), expression("*y")]) == "g(x, *y)"
    assert unparse(Expression("(items,)").fill(items=["a", "b"])) == "(a, b)"


def test_contexts_follow_the_place():
    (assign,) = Statements("target = value").fill(
        target=expression("(a, [b.c, *d[0]])"), value=expression("e")
    )
    contexts = {
        type(node.ctx) for node in ast.walk(assign.targets[0]) if isinstance(node, ast.Tuple | ast.List)
    }
    assert contexts == {ast.Store}
    assert unparse(assign) == "(a, [b.c, *d[0]]) = e"
    attribute = assign.targets[0].elts[1].elts[0]
    assert (type(attribute.ctx), type(attribute.value.ctx)) == (ast.Store, ast.Load)
    (delete,) = Statements("del target").fill(target=expression("a.b"))
    assert isinstance(delete.targets[0].ctx, ast.Del)
    compile(ast.fix_missing_locations(ast.Module([assign, delete], [])), "<text>", "exec")


def test_a_stored_name_can_be_read():
    target = ast.parse("x.y = 1").body[0].targets[0]
    assert isinstance(Expression("f(value)").fill(f="g", value=target).args[0].ctx, ast.Load)


def test_user_nodes_are_inserted_as_they_are_and_copied_from_the_second_time_on():
    node = expression("a.b")
    call = Expression("f(x, x)").fill(f="f", x=node)
    assert call.args[0] is node
    assert call.args[1] is not node
    assert unparse(call) == "f(a.b, a.b)"


def test_a_template_is_not_used_up():
    template = Statements("x = value")
    assert template.fill(value=expression("1"))[0] is not template.fill(value=expression("1"))[0]


def test_generated_nodes_have_no_position_and_inserted_ones_keep_theirs():
    (statement,) = Statements("f(value)").fill(f="f", value=expression("  x".strip()))
    assert not hasattr(statement, "lineno")
    assert statement.value.args[0].lineno == 1


def test_parameters_are_spliced_from_names_and_nodes():
    tree = ast.parse("lambda a, b: 0").body[0].value
    text = "def f(params):\n    return f"
    assert filled(text, f="g", params=["a", *tree.args.args[1:]]) == "def g(a, b):\n    return g"


def test_an_unknown_placeholder_is_an_error():
    with pytest.raises(ValueError, match="no placeholder body"):
        Statements("f(x)").fill(f="f", x="x", body=[])


def test_a_forgotten_placeholder_is_an_error():
    with pytest.raises(ValueError, match="needs a value for x"):
        Expression("ag__.f(x, len)").fill()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("x = body", {"body": [ast.Pass()]}),
        ("def f(): pass", {"f": ast.Name("g", ast.Load())}),
        ("x = 1", {"x": ast.Constant(2)}),
    ],
)
def test_a_value_that_cannot_stand_there_is_an_error(text, values):
    with pytest.raises(TypeError):
        Statements(text).fill(**values)


@pytest.mark.parametrize("value", [1, -1, 2.5, "a", None, True, (), ("a",), ("a", (1, -2))])
def test_a_literal_is_spelled_as_it_would_be_parsed(value):
    assert ast.dump(literal(value)) == ast.dump(expression(repr(value)))
