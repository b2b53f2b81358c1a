import ast
import functools
import importlib.util
import itertools
import linecache
import pathlib
import sys
import zipfile

import pytest

from autograph.errors import SourceNotFound
from autograph.source.parse import parse
from autograph.source.unparse import unparse


def decorate(f):
    return f


def plain(x):
    return x + 1


@decorate
@functools.lru_cache
def decorated(x):
    return x


class Outer:
    class Inner:
        def method(self):
            return self.__hidden

        @property
        def value(self):
            return 1

        @staticmethod
        def still():
            return __class__


def asserting(x):
    assert x > 0, "positive"
    return x


@pytest.fixture
def load_module(tmp_path):
    """A function that imports a module with the given text, from a file of its own."""
    count = itertools.count()

    def load(text, *, encoding="utf-8"):
        path = tmp_path / f"module_{next(count)}.py"
        path.write_bytes(text.encode(encoding))
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


def source(function):
    return unparse(parse(function).tree)


def test_a_function_keeps_the_lines_and_columns_of_its_file():
    parsed = parse(plain)
    assert parsed.tree.lineno == plain.__code__.co_firstlineno
    assert parsed.tree.col_offset == 0
    assert parsed.filename == plain.__code__.co_filename
    assert parsed.lines[parsed.tree.lineno - 1] == "def plain(x):\n"
    assert parsed.function is plain


def test_every_call_gives_a_tree_of_its_own():
    one, other = parse(plain).tree, parse(plain).tree
    assert one is not other
    one.body.clear()
    assert other.body


def test_decorators_are_kept():
    function = decorated.__wrapped__
    tree = parse(function).tree
    assert [unparse(decorator) for decorator in tree.decorator_list] == ["decorate", "functools.lru_cache"]
    assert tree.lineno == function.__code__.co_firstlineno + 2


def test_methods_properties_and_static_methods_are_found():
    assert parse(Outer.Inner.method).tree.name == "method"
    assert parse(Outer.Inner.value.fget).tree.name == "value"
    assert parse(Outer.Inner.still).tree.name == "still"


def test_nested_functions_of_one_name_are_told_apart():
    def make(first):
        if first:

            def inner():
                return 1
        else:

            def inner():
                return 2

        return inner

    assert "return 1" in source(make(True))
    assert "return 2" in source(make(False))


def test_a_function_with_asserts_is_found_in_a_module_that_pytest_rewrote():
    assert isinstance(parse(asserting).tree.body[0], ast.Assert)


def test_several_lambdas_on_one_line_are_told_apart():
    one, two, three = (lambda x: x + 1), (lambda x: x + 2), (lambda y: y + 1)
    assert [source(f) for f in (one, two, three)] == ["lambda x: x + 1", "lambda x: x + 2", "lambda y: y + 1"]


def test_constant_lambdas_on_one_line_are_told_apart():
    assert [source(f) for f in ((lambda: 1), (lambda: 2), (lambda: 1.0), (lambda: True))] == [
        "lambda: 1", "lambda: 2", "lambda: 1.0", "lambda: True",
    ]  # fmt: skip


def test_nested_lambdas_are_told_apart():
    outer = lambda x: lambda y: lambda: x + y
    assert source(outer) == "lambda x: lambda y: lambda: x + y"
    assert source(outer(1)) == "lambda y: lambda: x + y"
    assert source(outer(1)(2)) == "lambda: x + y"


def test_a_lambda_over_several_lines_is_found():
    f = (
        lambda x: [
            x,
            sorted(x, key=lambda y:
                y),
        ]
    )  # fmt: skip
    assert source(f) == "lambda x: [x, sorted(x, key=lambda y: y)]"


def test_lambdas_in_defaults_and_decorators_are_found():
    found = []

    def keep(f):
        found.append(f)
        return lambda g: g

    @keep(lambda: 1 + plain(2))
    def function(key=lambda v: -v):
        return key

    assert source(found[0]) == "lambda: 1 + plain(2)"
    assert source(function()) == "lambda v: -v"
    assert source(function).startswith("@keep(lambda: 1 + plain(2))\ndef function(key=lambda v: -v)")


def test_lambdas_in_comprehensions_are_found():
    fs = [lambda: i for i in range(2)]
    assert source(fs[1]) == "lambda: i"


def test_lambdas_without_positions_are_told_apart_by_their_code():
    one, two = lambda x: x * 2, lambda x: x * 3
    for f in (one, two):
        f.__code__ = f.__code__.replace(co_linetable=_line_only(f.__code__))
    assert all(position[2] is None for position in two.__code__.co_positions())
    assert (source(one), source(two)) == ("lambda x: x * 2", "lambda x: x * 3")


def _line_only(code):
    """A line table that says nothing about columns, as `-X no_debug_ranges` makes it."""
    units, table = len(code.co_code) // 2, b""
    while units:
        length = min(units, 8)
        table += bytes([0x80 | 13 << 3 | length - 1, 0])
        units -= length
    return table


def test_tabs_form_feeds_and_continued_lines_keep_their_positions(load_module):
    module = load_module(
        "x = 1\n\f\ndef f(a):\n\tif a and \\\n\t\t\ta > 1:\n\t\treturn 'ä' + b\n\f\treturn 0\n"
    )
    tree = parse(module.f).tree
    test = tree.body[0]
    assert (tree.lineno, test.lineno, test.col_offset, test.test.end_lineno) == (3, 4, 1, 5)


def test_columns_count_bytes_and_locations_count_characters(load_module):
    module = load_module("def f(b):\n    return 'ä猫' + b\n")
    parsed = parse(module.f)
    name = parsed.tree.body[0].value.right
    assert name.col_offset == 4 + len("return 'ä猫' + ".encode())
    assert parsed.location(name).column == 4 + len("return 'ä猫' + ")
    assert parsed.location(name).render().endswith("\n    return 'ä猫' + b\n" + " " * 19 + "^")


def test_a_location_shows_the_first_line_of_a_long_node(load_module):
    parsed = parse(load_module("def f(x):\n    if x:\n        return 1\n").f)
    where = parsed.location(parsed.tree.body[0])
    assert (where.line, where.text, where.function) == (2, "    if x:", "f")
    assert where.render().endswith("    if x:\n    ^^^^^")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1"])
def test_files_in_other_encodings_are_read(load_module, encoding):
    cookie = "# -*- coding: latin-1 -*-\n" if encoding == "latin-1" else ""
    module = load_module(f"{cookie}def f():\n    return 'é'\n", encoding=encoding)
    assert source(module.f) == "def f():\n    return 'é'"


def test_private_names_and_future_annotations_compile_to_the_same_code(load_module):
    module = load_module(
        "from __future__ import annotations\n"
        "class A:\n"
        "    __x: int = 1\n"
        "    def f(self, y: Missing = __x) -> Missing:\n"
        "        def g(z: Missing): return super().__init__()\n"
        "        return self.__x + y\n"
    )
    assert parse(module.A.f).tree.name == "f"


def test_calls_through_imported_modules_compile_to_the_same_code(load_module):
    module = load_module(
        "try:\n    import os\nexcept ImportError:\n    os = None\n"
        "from collections import abc as kinds\n"
        "def f(x):\n    return os.fspath(x), kinds.Sized.__len__(x)\n"
    )
    assert parse(module.f).tree.name == "f"


def test_a_function_made_by_exec_needs_its_text_in_linecache():
    text, namespace = "def f():\n    return 1\n", {}
    exec(compile(text, "<made up>", "exec"), namespace)
    with pytest.raises(SourceNotFound, match=r"the source of `f` cannot be had.*") as caught:
        parse(namespace["f"])
    assert "<made up>" in str(caught.value)
    assert "linecache" in caught.value.diagnostic.instead
    linecache.cache["<made up>"] = (len(text), None, text.splitlines(keepends=True), "<made up>")
    try:
        assert source(namespace["f"]) == "def f():\n    return 1"
    finally:
        del linecache.cache["<made up>"]


@pytest.mark.parametrize(
    "edited",
    [
        "def f():\n    return 2\n",
        "def f():\n    return True\n",
        "def f(x=0):\n    return 1\n",
        "\ndef f():\n    return 1\n",
        "def g():\n    return 1\n",
        "def f(:\n",
        "",
    ],
)
def test_a_file_that_was_edited_after_the_import_is_refused(load_module, edited):
    module = load_module("def f():\n    return 1\n")
    pathlib.Path(module.__file__).write_text(edited)
    if edited == "def g():\n    return 1\n":
        assert source(module.f) == "def g():\n    return 1"  # the same code under another name
        return
    with pytest.raises(SourceNotFound, match="`f`"):
        parse(module.f)


def test_a_module_that_was_reloaded_is_read_again(load_module):
    module = load_module("def f():\n    return 1\n")
    assert "return 1" in source(module.f)
    pathlib.Path(module.__file__).write_text("def f():\n    return 1234\n")
    module.__spec__.loader.exec_module(module)
    assert "return 1234" in source(module.f)


def test_a_function_from_a_zip_file_is_read_with_its_form_feeds(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "modules.zip", "w") as archive:
        archive.writestr("zipped_module.py", "\fx = 1\n\f\ndef f():\n    return x\n")
    monkeypatch.syspath_prepend(str(tmp_path / "modules.zip"))
    module = __import__("zipped_module")
    monkeypatch.delitem(sys.modules, "zipped_module")
    assert parse(module.f).tree.lineno == 3


def test_a_generic_function_is_found(load_module):
    if sys.version_info >= (3, 12):
        module = load_module("def f[T](x: T) -> T:\n    y: T = x\n    return y\n")
        assert source(module.f).startswith("def f[T](x: T) -> T:")


def test_only_python_functions_have_source():
    with pytest.raises(TypeError, match="builtin_function_or_method"):
        parse(len)
