"""The error catalogue: each program in `errors/` fails as its `.err` file says, and runs when mended."""

import contextlib
import io
import linecache
import re
import runpy
import traceback
import warnings
from pathlib import Path

import pytest

import autograph.errors
import runtime.errors

HERE = Path(__file__).parent / "errors"
GENERATE = runpy.run_path(str(HERE.parents[2] / "docs" / "generate.py"))
KINDS = {
    kind.identifier: kind
    for module in (autograph.errors, runtime.errors)
    for kind in GENERATE["exceptions"](module)
    if kind.identifier
}
PROGRAMS = [f"{path.parent.name}/{path.stem}" for path in sorted(HERE.glob("*/*.py"))]
FILE = "model.py"
"""What the programs are called in messages."""


def example_of(name):
    return GENERATE["error_example"](HERE / f"{name}.py")


def outcome_of(program):
    """What running a program raises, or the warning that it gives; None when all is well."""
    lines = program.splitlines(keepends=True)
    linecache.cache[FILE] = len(program), None, lines, FILE
    with warnings.catch_warnings(record=True) as given, contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("always")
        try:
            exec(compile(program, FILE, "exec"), {"__name__": "model"})
        except Exception as error:  # noqa: BLE001  (it is what is looked at)
            return error
    assert all(warning.filename == FILE for warning in given)
    return given[0].message if given else None


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_fails_as_the_catalogue_says(name, golden):
    example = example_of(name)
    error = outcome_of(example.fails)
    assert KINDS[example.path.parent.name] in type(error).__mro__[:2]  # itself, or under TensorFlow's name
    golden(example.golden, "".join(traceback.format_exception_only(error)))


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_program_runs_once_it_is_mended(name):
    assert outcome_of(example_of(name).works) is None


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_message_has_its_four_parts(name):
    """What happened in one line, the user's line, why and the way out, and the identifier."""
    example = example_of(name)
    kind = KINDS[example.path.parent.name]
    said = example.message.removeprefix(f"{kind.__module__}.{kind.__name__}: ").rstrip()
    if getattr(kind, "verbatim", False):
        assert_shows_a_line(said, example.fails)  # in a note: the message is the program's own
        return
    assert said.endswith(f"  [{kind.identifier}]")
    happened, *places, reason = said.split("\n\n")
    assert "\n" not in happened
    why, *way_out = reason.splitlines()
    assert way_out, "the last block says why, and the way out"
    assert all(line[0].isupper() or line[0] in "`'" for line in (why, *way_out))
    if not issubclass(kind, Warning):  # of which Python shows the line
        assert_shows_a_line("\n".join(places), example.fails)


def assert_shows_a_line(text, program):
    """The text names the program's file and a line, and shows it; what was made from text has no file.

    Under TensorFlow's names the line is the user's, which a star says.
    """
    filename, line, shown = re.search(r'File "(.*)", line (\d+), in \S+(?:  \*)?(?:\n +(.*))?', text).groups()
    if filename == FILE:
        assert program.splitlines()[int(line) - 1].strip() == shown
    else:
        assert filename == "<string>"


def test_every_error_has_an_example():
    assert {path.parent.name for path in HERE.glob("*/*.py")} == set(KINDS)


def test_identifiers_are_words_joined_by_hyphens_and_nobody_shares_one():
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", identifier) for identifier in KINDS)
    own = [vars(kind)["identifier"] for kind in KINDS.values()]
    assert len(set(own)) == len(own)


def test_what_is_only_caught_has_subclasses():
    for module in (autograph.errors, runtime.errors):
        for kind in GENERATE["exceptions"](module):
            assert kind.identifier or kind.__subclasses__(), kind


def test_a_message_belongs_to_a_program():
    assert sorted(HERE.glob("*/*.err")) == [path.with_suffix(".err") for path in sorted(HERE.glob("*/*.py"))]
