import pickle
import traceback

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import (
    AutoGraphError,
    ConversionError,
    Location,
    MissingSource,
    SourceNotFound,
    UnsupportedConstruct,
    UnsupportedSyntax,
)

WHERE = Location("model.py", 12, "step", "    if loss < best:", 4, 18)


def test_a_message_says_what_where_why_and_the_way_out():
    error = UnsupportedSyntax(
        UnsupportedConstruct(WHERE, construct="a generator", because="It stops.", instead="Return a list.")
    )
    assert str(error) == (
        "a generator cannot be converted\n"
        "\n"
        '  File "model.py", line 12, in step\n'
        "    if loss < best:\n"
        "    ^^^^^^^^^^^^^^\n"
        "\n"
        "It stops.\n"
        "Return a list.  [unsupported-syntax]"
    )


def test_a_message_without_a_place_leaves_it_out():
    diagnostic = UnsupportedConstruct(None, construct="x", because="B.", instead="I.")
    assert diagnostic.render() == "x cannot be converted\n\nB.\nI."


def test_carets_stand_under_wide_characters():
    drawn = Location("f.py", 1, "f", "y = f('猫', x)", 11, 12).render().splitlines()
    assert drawn[-1] == "    " + " " * 12 + "^"  # one of the eleven characters before it is two cells wide


def test_a_line_without_columns_has_no_carets():
    assert Location("f.py", 1, "f", "pass").render() == '  File "f.py", line 1, in f\n    pass'


def test_an_unknown_line_shows_the_place_alone():
    assert Location("<string>", 3, "f").render() == '  File "<string>", line 3, in f'


def test_braces_in_the_users_code_are_kept():
    diagnostic = UnsupportedConstruct(None, construct="`{x}`", because="{y}", instead="")
    assert diagnostic.render() == "`{x}` cannot be converted\n\n{y}"


def test_a_plain_message_is_itself():
    error = SourceNotFound("no source")
    assert str(error) == "no source  [source-not-found]"
    assert error.diagnostic is None


@pytest.mark.parametrize("kind", [SourceNotFound, UnsupportedSyntax])
def test_every_error_is_caught_by_its_root(kind):
    assert issubclass(kind, ConversionError)
    assert issubclass(kind, AutoGraphError)


def test_an_error_survives_pickling():
    error = SourceNotFound(MissingSource(WHERE, function="f", because="b", instead="i"))
    copied = pickle.loads(pickle.dumps(error))
    assert (type(copied), str(copied), copied.diagnostic) == (SourceNotFound, str(error), error.diagnostic)


def test_a_traceback_ends_with_the_type_and_the_message():
    lines = traceback.format_exception_only(SourceNotFound(MissingSource(None, "f", "b", "i")))
    assert "".join(lines).startswith("autograph.errors.SourceNotFound: the source of `f` cannot be had: b\n")


def test_an_error_that_a_trace_foresees_says_its_line_once():
    @ag.function
    def walk(key, x):
        while x < 1.0:
            x = x + rt.random.uniform(key)
        return x

    with pytest.raises(ValueError, match="a key was given for the shape") as caught:
        walk(rt.random.key(1), rt.asarray(0.0))
    shown = "".join(traceback.format_exception_only(caught.value))
    assert shown.count("in walk") == 1
