"""The functions of the standard, as the oracle has them: `array_api_strict`, one module for each family."""

from types import FunctionType

import array_api_strict
from array_api_strict import (
    _creation_functions,
    _data_type_functions,
    _elementwise_functions,
    _fft,
    _indexing_functions,
    _linalg,
    _linear_algebra_functions,
    _manipulation_functions,
    _searching_functions,
    _set_functions,
    _sorting_functions,
    _statistical_functions,
    _utility_functions,
)

MODULES = {
    "creation": _creation_functions,
    "data type": _data_type_functions,
    "elementwise": _elementwise_functions,
    "indexing": _indexing_functions,
    "linear algebra": _linear_algebra_functions,
    "manipulation": _manipulation_functions,
    "searching": _searching_functions,
    "set": _set_functions,
    "sorting": _sorting_functions,
    "statistical": _statistical_functions,
    "utility": _utility_functions,
    "linalg": _linalg,
    "fft": _fft,
}
EXTENSIONS = {"linalg": (*_linalg.__all__, "eig", "eigvals"), "fft": _fft.__all__}
MOVED = {
    "broadcast_arrays": "manipulation",
    "broadcast_shapes": "manipulation",
    "broadcast_to": "manipulation",
}
"""Functions that the oracle keeps elsewhere than the standard does."""


def find(namespace, name):
    """The function of a namespace, or of one of its extensions: ``"linalg.det"``."""
    for part in name.split("."):
        namespace = getattr(namespace, part)
    return namespace


def _families():
    found = {family: [] for family in MODULES}
    homes = {module.__name__: family for family, module in MODULES.items()}
    for name in sorted(array_api_strict.__all__):
        family = MOVED.get(name) or homes.get(getattr(getattr(array_api_strict, name), "__module__", ""))
        if family is not None:
            found[family].append(name)
    for extension, names in EXTENSIONS.items():
        found[extension] = [f"{extension}.{name}" for name in sorted(names)]
    return found


FAMILIES = _families()
"""The names of the functions, by family."""

NAMES = [name for names in FAMILIES.values() for name in names]
FUNCTIONS = {name: find(array_api_strict, name) for name in NAMES}
assert all(isinstance(function, FunctionType) for function in FUNCTIONS.values())

NEEDS_LENGTHS = {"unstack": "how long the axis is decides how many results there are"}
"""Functions that no graph of unknown dims has, and why."""

OF_OTHER_SUITES = {"linalg": "tests/ops/test_linalg.py", "fft": "tests/ops/test_fft.py"}
"""Extensions that other files compare."""

WITHOUT_CALLS = {"from_dlpack", "finfo", "iinfo"}
"""Functions that take no arrays of ours, or give none; tests/ops/test_exchange.py and others look at them."""
