"""Every name of the standard is there, and takes the arguments that the standard gives it."""

import inspect
from inspect import Parameter

import array_api_strict
import pytest
from array_api_strict._array_object import Array

import runtime as rt
from tests.standard.functions import EXTENSIONS, FUNCTIONS, find

UNSET = {"astype": {"device"}, "from_dlpack": {"device", "copy"}}
"""Parameters whose default the oracle has a mark of its own for."""

NOT_OF_THE_STANDARD = {"Device", "__version__"}
"""What else the oracle shows."""


def parameters(function):
    """The parameters by place, and those by name only."""
    listed = inspect.signature(function).parameters.values()
    by_place = [each for each in listed if each.kind is not Parameter.KEYWORD_ONLY]
    return by_place, {each.name: each for each in listed if each.kind is Parameter.KEYWORD_ONLY}


def test_every_name_of_the_standard_is_there_and_public():
    names = {name for name in array_api_strict.__all__ if "strict" not in name.lower()} - NOT_OF_THE_STANDARD
    assert names - {*rt.__all__, *(name for name in vars(rt) if name.startswith("__"))} == set()
    for extension in EXTENSIONS:
        assert set(EXTENSIONS[extension]) <= set(getattr(rt, extension).__all__)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_takes_what_the_standard_gives_it(function):
    places, names = parameters(find(rt, function))
    wanted_places, wanted_names = parameters(FUNCTIONS[function])
    assert [(each.name, each.kind) for each in places] == [(each.name, each.kind) for each in wanted_places]
    assert wanted_names.keys() <= names.keys()
    for each in (*wanted_places, *wanted_names.values()):
        found = {**names, **{mine.name: mine for mine in places}}[each.name]
        assert (
            found.default == each.default
            or each.default is Parameter.empty
            or each.name in UNSET.get(function, ())
        )
    assert all(
        each.default is not Parameter.empty for name, each in names.items() if name not in wanted_names
    )


OF_THE_ORACLE = {"__new__", "__buffer__", "__str__", "__repr__", "__hash__", "__iter__", "to_device"}
"""Methods that are the oracle's own, or have its own parameters."""

METHODS = [
    name
    for name, value in vars(Array).items()
    if inspect.isfunction(value)
    and not (name in OF_THE_ORACLE or name.startswith("_") != name.endswith("__"))
]


@pytest.mark.parametrize("name", METHODS)
def test_an_array_has_the_methods_of_the_standard(name):
    (_, *places), names = parameters(getattr(rt.Tensor, name))
    (_, *wanted_places), wanted_names = parameters(getattr(Array, name))
    count = len(wanted_places)
    assert [each.kind for each in places[:count]] == [each.kind for each in wanted_places]
    assert all(each.default is not Parameter.empty for each in places[count:])
    assert wanted_names.keys() <= names.keys()


def test_an_array_has_the_attributes_of_the_standard():
    x = rt.asarray([[1.0]])
    assert (x.ndim, x.shape, x.size, x.dtype) == (2, (1, 1), 1, rt.float64)
    assert x.T.shape == x.mT.shape == (1, 1)
    assert x.to_device(x.device).device == x.device
