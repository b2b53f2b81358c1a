"""Every name of the standard is there, and takes the arguments that the standard gives it."""

import inspect
from inspect import Parameter

import pytest

import runtime as rt

from .functions import FUNCTIONS, NAMES, find

UNSET = {"device"}
"""Parameters whose default the oracle has a mark of its own for."""


def parameters(function):
    """The parameters by place, and those by name only."""
    listed = inspect.signature(function).parameters.values()
    by_place = [each for each in listed if each.kind is not Parameter.KEYWORD_ONLY]
    return by_place, {each.name: each for each in listed if each.kind is Parameter.KEYWORD_ONLY}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_the_standard_is_there_and_public(name):
    assert name in rt.__all__


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_takes_what_the_standard_gives_it(function):
    places, names = parameters(find(rt, function))
    wanted_places, wanted_names = parameters(FUNCTIONS[function])
    assert [(each.name, each.kind) for each in places] == [(each.name, each.kind) for each in wanted_places]
    assert wanted_names.keys() <= names.keys()
    for each in (*wanted_places, *wanted_names.values()):
        found = {**names, **{mine.name: mine for mine in places}}[each.name]
        assert found.default == each.default or each.default is Parameter.empty or each.name in UNSET
    assert all(
        each.default is not Parameter.empty for name, each in names.items() if name not in wanted_names
    )
