"""Whole packages are imported with every function and method of theirs converted in place."""

import sys

import pytest

import autograph as ag
from benchmarks.packages import Always, Never, converted_packages, imported

TEXT = """
import functools

def f(x):
    return 1 if x else 0

same = f

def numbers():
    yield 1

class Thing:
    def method(self, x): return f(x)
    @staticmethod
    def static(x): return f(x)
    @classmethod
    def of_class(cls, x): return f(x)
    @property
    def value(self): return f(1)
    @functools.cached_property
    def kept(self): return f(1)
    class Inner:
        def method(self, x): return f(x)
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """The name of a package that can be imported."""
    folder = tmp_path / "a_small_package"
    folder.mkdir()
    (folder / "__init__.py").write_text(TEXT)
    monkeypatch.syspath_prepend(tmp_path)
    yield "a_small_package"
    sys.modules.pop("a_small_package", None)


def test_functions_and_methods_of_every_kind_are_converted(package):
    with converted_packages([package], Always()) as counts:
        module = __import__(package)
    thing = module.Thing()
    functions = [module.f, thing.method, thing.static, thing.of_class, module.Thing.Inner().method]
    functions += [module.Thing.value.fget, vars(module.Thing)["kept"].func]
    assert all(map(ag.is_converted, functions))
    assert module.same is module.f
    assert counts["converted"] == len(functions)
    assert counts["it is a generator function"] == 1
    assert (thing.method(1), thing.static(0), thing.of_class(2), thing.value, thing.kept) == (1, 0, 1, 1, 1)


def test_a_package_can_be_had_in_several_forms_at_once(package):
    original, plain, staging = (imported(package, backend) for backend in (None, Never(), Always()))
    assert [ag.is_converted(module.f) for module in (original, plain, staging)] == [False, True, True]
    assert package not in sys.modules
    assert [module.Thing().method(3) for module in (original, plain, staging)] == [1, 1, 1]
