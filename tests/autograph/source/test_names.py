import ast

from autograph.source.names import Namer, identifiers, indexed


def test_fresh_names_avoid_those_taken_and_those_given():
    namer = Namer({"if_body", "get_state_1"})
    assert [namer.fresh("if_body") for _ in range(3)] == ["if_body_1", "if_body_2", "if_body_3"]
    assert [namer.fresh("get_state") for _ in range(2)] == ["get_state", "get_state_2"]


def test_identifiers_are_those_of_all_scopes():
    text = """
def f(a, *b, c=d, **e):
    global g
    import h.i, j as k
    class L:
        m = n
    try:
        lambda o: o
    except P as q:
        del r
    match s:
        case {"x": t, **u} | [v, *w] | T(y=z):
            pass
    return a.attribute(keyword=1)
"""
    expected = {*"fabcdeghjkmnoqrstuvwz", "L", "P", "T"}
    assert identifiers(indexed(ast.parse(text))) == expected
