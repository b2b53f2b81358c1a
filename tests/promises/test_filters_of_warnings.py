"""What a function ignores of warnings its graph ignores; to record or raise them is for the caller."""

import importlib
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.errors import GraphError


def everything(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.warn("never", stacklevel=1)
        y = np.log(x)
    return y, np.sqrt(x)


def by_text(x):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="divide by zero")
        warnings.warn("told", stacklevel=1)
        return np.log(x)


def by_class(x):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        warnings.warn("old", DeprecationWarning, stacklevel=1)
        warnings.warn("told", stacklevel=1)
        y = np.log(x)
    warnings.warn(DeprecationWarning("older"), stacklevel=1)
    return y


def all_but_one(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        warnings.warn("told", stacklevel=1)
        return np.log(x)


def in_a_branch(x):
    if x > 1:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.warn(f"x is {x}", stacklevel=1)
            return np.log(-x)
    return np.log(-x)


def in_turns(x):
    n = 0
    while n < x:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            warnings.warn(f"turn {n}", stacklevel=1)
            n += int(np.isnan(np.log(n - x)))
    return n


def logarithm(x):
    return np.log(x)


def of_a_callee(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", category=RuntimeWarning)
        return logarithm(x)


def where_errors_are_raised(x):
    with np.errstate(all="raise"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return np.log(x)
        except FloatingPointError as error:
            return str(error)


PROGRAMS = [everything, by_text, by_class, all_but_one, in_a_branch, in_turns, of_a_callee]


@pytest.mark.parametrize("program", [*PROGRAMS, where_errors_are_raised], ids=lambda each: each.__name__)
def test_what_is_ignored(program):
    ag.check(program, np.float64(2.0), then=[(np.float64(-1.0),), (np.float64(0.0),)])


def recorded(x):
    with warnings.catch_warnings(record=True) as found:
        return np.log(x), len(found)


def raised(x):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return np.log(x)
        except RuntimeWarning:
            return 0.0


def known_by_a_text_of_the_run(x):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "x is")
        warnings.warn(f"x is {x}", stacklevel=1)
    return x


@pytest.mark.parametrize("program", [recorded, raised, known_by_a_text_of_the_run])
def test_what_is_refused(program):
    with pytest.raises(GraphError, match="Warnings come when the graph runs"):
        ag.function(program)(np.float64(2.0))


def test_filters_of_a_block_are_gone_behind_it():
    before = warnings.filters[:]
    ag.function(everything)(np.float64(2.0))
    assert warnings.filters == before


def test_the_same_operation_in_two_branches_is_as_quiet_as_each_says():
    def f(x):
        if x > 1:
            with np.errstate(all="ignore"):
                return np.log(-x)
        return np.log(-x)

    ag.check(f, np.float64(2.0), then=[(np.float64(0.0),)])


CHECKED = """
import warnings


def checked(x):
    with warnings.catch_warnings():
        warnings.simplefilter("error", ImportWarning)
        return x.sum() + 1
"""


def test_what_a_library_has_raised_of_its_own_warnings_does_not_matter(tmp_path, monkeypatch):
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "a_library_that_checks.py").write_text(CHECKED)
    monkeypatch.syspath_prepend(folder)
    library = importlib.import_module("a_library_that_checks")
    ag.check(lambda x: library.checked(x), np.array([1.0, 2.0]), then=[(np.array([3.0, 4.0]),)])
