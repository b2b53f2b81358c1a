"""Every `raise` of an error of ours says, itself or by its class, why it is one and what the way out is."""

import ast

import pytest

import autograph
import autograph.errors
import runtime
import runtime.errors
from tests.architecture.trees import files_of, nodes_in

OURS = {**vars(autograph.errors), **vars(runtime.errors)}


def raises_in(package):
    """The errors of `runtime` that the files of a package raise: the place, the class and the call."""
    for path, text in files_of(package.__name__, r"\braise [A-Z]"):
        for node in nodes_in(text):
            match node:
                case ast.Raise(exc=ast.Call(func=ast.Name(name)) as call):
                    kind = OURS.get(name)
                    if isinstance(kind, type) and issubclass(kind, runtime.errors.Error):
                        yield f"{path}:{call.lineno}", kind, call


@pytest.mark.parametrize("package", [autograph, runtime], ids=lambda package: package.__name__)
def test_errors_have_their_parts_where_they_are_raised(package):
    for place, kind, call in raises_in(package):
        if kind.verbatim:  # the message is the program's
            continue
        assert kind.identifier, f"{place}: {kind.__name__} is there to be caught"
        given = {keyword.arg for keyword in call.keywords}
        for part in ("why", "way_out"):
            assert {None, part} & given or getattr(kind, part), f"{place}: no {part}"
        texts = [each.value for part in call.args for each in ast.walk(part) if hasattr(each, "value")]
        assert "\n" not in "".join(map(str, texts)), f"{place}: what happened is told in one line"
