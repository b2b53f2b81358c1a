"""Functions are found in the statement around them: the whole file is parsed where that does not serve."""

import importlib.util
import sys

import pytest

from autograph.source.file import file_of, part_around
from autograph.source.parse import find, loop_at

TEXT = '''\
import math
from os.path import (
    join,
    split,
)


def decorate(**kwargs):
    return lambda f: f


@decorate(
    a=1,
)
@decorate(b=2)
# beside the margin
def decorated(x):
    a, b = split(join("a", "b"))
    return math.sqrt(x), a, b


class Outer:
    class Inner:
        def method(self, x):
            while x > 0:
                x = x - math.pi
            return self.__hidden, x


first = lambda x: x + 1; second = lambda x: x + 2

if first(1) > 1:
    def chosen(x):
        return x
else:
    def chosen(x):
        return -x


def quoting(x):
    return """
at the margin
""", x


def looping(x):
    for i in range(3):
        x = x + i
    return x
'''
IN_PART = ["decorated", "method", "first", "second", "looping", "chosen"]


@pytest.fixture
def module(tmp_path):
    path = tmp_path / "functions_in_parts.py"
    path.write_text(TEXT)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    found = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = found
    spec.loader.exec_module(found)
    yield found
    del sys.modules[path.stem]


def function(module, name):
    return module.Outer.Inner.method if name == "method" else getattr(module, name)


@pytest.mark.parametrize("name", IN_PART)
def test_a_function_is_found_without_the_rest_of_its_file(module, name):
    before = file_of.cache_info()
    found = find(function(module, name))
    assert file_of.cache_info() == before
    assert found.definition.lineno == TEXT[: TEXT.index(_beginning(name))].count("\n") + 1


def test_where_a_part_does_not_parse_the_whole_file_serves(module):
    line = module.quoting.__code__.co_firstlineno
    assert part_around(module.__file__, tuple(TEXT.splitlines(keepends=True)), line) is None
    assert find(module.quoting).definition.name == "quoting"


def test_a_loop_is_found_where_it_stands(module):
    line = TEXT[: TEXT.index("for i in")].count("\n") + 1
    assert loop_at(module.__file__, line, 4).target.id == "i"
    assert loop_at(module.__file__, line, 0) is None


def test_a_function_in_the_second_of_two_blocks_is_found(tmp_path):
    path = tmp_path / "second_of_two.py"
    path.write_text(TEXT.replace("first(1) > 1", "first(1) < 1"))
    names = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    assert find(names["chosen"]).definition.lineno == names["chosen"].__code__.co_firstlineno


def _beginning(name):
    return {"first": "first =", "second": "first ="}.get(name, f"def {name}(")
