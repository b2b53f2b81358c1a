"""Exceptions taken apart and put together again."""

import pytest

from runtime.core.exceptions import put_together, take_apart


class Refused(Exception):
    def __init__(self, code):
        super().__init__(f"code {code}")
        self.code = code


class Slotted(LookupError):
    __slots__ = ("place",)


def again(error):
    return put_together(take_apart(error, lambda _: None))


@pytest.mark.parametrize(
    "error",
    [
        ValueError("no"),
        KeyError("k"),
        OSError(2, "no such file", "a.txt"),
        FileNotFoundError(2, "no such file"),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad byte"),
        StopIteration(3),
        SystemExit(2),
        ExceptionGroup("both", [ValueError(1)]),
        ImportError("none", name="json"),
        Refused(7),
    ],
    ids=repr,
)
def test_an_exception_is_the_same_again(error):
    found = again(error)
    assert type(found) is type(error)
    assert found.args == error.args
    assert str(found) == str(error)
    assert vars(found) == vars(error)
    assert found is not error


def test_attributes_outside_of_dict():
    error = Slotted("s")
    error.place = 4
    assert again(error).place == 4
    assert again(OSError(2, "gone")).errno == 2
    assert again(StopIteration(3)).value == 3
    assert again(ImportError("none", name="json")).name == "json"


def test_the_exceptions_behind_an_exception():
    try:
        try:
            raise KeyError("first")
        except KeyError as first:
            raise ValueError("second") from first
    except ValueError as second:
        found = again(second)
    assert isinstance(found.__cause__, KeyError)
    assert found.__suppress_context__


def test_the_constructor_does_not_run_again():
    assert again(Refused(7)).code == 7
