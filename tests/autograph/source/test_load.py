import ast
import functools
import gc
import inspect
import sys
import traceback
import weakref

import pytest

from autograph.source.load import compile_tree, load, make_function
from autograph.source.origin import clear, stamp
from autograph.source.parse import parse
from autograph.source.template import Statements


def again(function, renames=None, **bindings):
    """The function, taken through its tree under a generated name."""
    tree = parse(function).tree
    tree.name = f"tf__{tree.name}"
    return load(tree, function, bindings, renames or {})


def lines_of(function, *args):
    """The file, line and name of each frame of the error that a call raises."""
    with pytest.raises(ZeroDivisionError) as caught:
        function(*args)
    frames = traceback.extract_tb(caught.value.__traceback__)[1:]
    return [(frame.filename, frame.lineno, frame.name, frame.colno, frame.end_colno) for frame in frames]


SCALE = 3


def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


def divide(x):
    y = 1

    def inner():
        class Holder:
            def method(self):
                return [x / y for y in [0]]

        return Holder().method()

    return inner()


def documented(a, /, b: int = 2, *rest, c: "str" = "c", **more) -> tuple:
    """What it does."""
    return a, b, rest, c, more


documented.note = ["kept"]


class Base:
    def who(self):
        return "base"


class __Private(Base):
    __secret = 5

    def who(self):
        return self.__secret, super().who(), __class__

    def make(self):
        def inner():
            def innermost():
                return self.__secret

            return innermost

        return inner

    @classmethod
    def own(cls):
        return cls.__secret

    def names_its_class(self):
        return __Other.__name__  # noqa: F821  # its mangled name is a global


class _Private__Other:
    pass


def test_a_loaded_function_does_what_the_original_does():
    assert again(factorial)(5) == 120
    assert again(documented)(1, 2, 3, c=4, d=5) == documented(1, 2, 3, c=4, d=5)
    assert again(documented)(1) == documented(1)


def test_names_defaults_annotations_docstring_and_attributes_are_the_originals():
    loaded = again(documented)
    for attribute in ("__name__", "__qualname__", "__module__", "__doc__", "__annotations__", "__defaults__",
                      "__kwdefaults__", "note", "__globals__"):  # fmt: skip
        assert getattr(loaded, attribute) == getattr(documented, attribute), attribute
    assert inspect.signature(loaded) == inspect.signature(documented)
    assert loaded.__code__.co_name == "documented"
    assert loaded.__code__.co_filename == __file__
    assert not hasattr(loaded, "__wrapped__")


def test_changing_keyword_defaults_of_one_leaves_the_other():
    again(documented).__kwdefaults__["c"] = "changed"
    assert documented.__kwdefaults__ == {"c": "c"}


def test_globals_are_read_as_they_are_now(monkeypatch):
    def scaled(x):
        return SCALE * x

    loaded = again(scaled)
    monkeypatch.setitem(globals(), "SCALE", 10)
    assert loaded(2) == 20


def test_cells_are_shared_both_ways():
    count = 0

    def step(by):
        nonlocal count
        count += by
        return count

    loaded = again(step)
    assert [step(1), loaded(1), step(1), loaded(10)] == [1, 2, 3, 13]
    assert count == 13


def test_an_empty_cell_is_as_unbound_as_before():
    def reads():
        return later

    loaded = again(reads)
    with pytest.raises(NameError, match="later"):
        loaded()
    later = 1
    assert loaded() == later


def test_bindings_are_free_names_of_the_tree():
    def function(x):
        return x

    tree = parse(function).tree
    tree.body = Statements("return ag__.double(x)").fill(x="x")
    stamp(tree.body, tree)

    class Operators:
        double = staticmethod(lambda x: 2 * x)

    loaded = load(tree, function, {"ag__": Operators}, {})
    assert loaded(4) == 8
    assert "ag__" not in function.__globals__


def test_a_binding_hides_a_global_of_the_same_name():
    def reads():
        return SCALE

    assert again(reads, SCALE=7)() == 7


def test_the_generated_name_of_the_definition_hides_nothing():
    def reads_its_generated_name():
        return tf__reads_its_generated_name  # noqa: F821  # the point of the test

    with pytest.raises(NameError, match="tf__reads"):
        again(reads_its_generated_name)()


@pytest.mark.parametrize("method", ["who", "own", "names_its_class"])
def test_private_names_super_and_class_cells_work(method):
    loaded = again(
        inspect.getattr_static(__Private, method).__func__ if method == "own" else vars(__Private)[method]
    )
    owner = __Private if method == "own" else __Private()
    expected = getattr(owner, method)()
    assert loaded(owner) == expected


def test_private_names_in_functions_nested_in_methods_work():
    inner = __Private().make()
    assert again(inner)()() == 5
    assert again(inner())() == 5


def test_super_outside_of_a_class_fails_as_before():
    def function(self):
        return super().who()

    for f in (function, again(function)):
        with pytest.raises(RuntimeError, match=r"super\(\)"):
            f(Base())


def test_tracebacks_show_the_users_lines_and_names():
    plain, loaded = lines_of(divide, 1), lines_of(again(divide), 1)
    assert loaded == plain
    assert loaded[0][0] == __file__


def test_nested_functions_and_classes_keep_their_qualified_names():
    def outer():
        class Inner:
            def method(self):
                return lambda: None

        return Inner

    plain, loaded = outer(), again(outer)()
    assert loaded.__qualname__ == plain.__qualname__
    assert loaded.method.__qualname__ == plain.method.__qualname__
    assert loaded().method().__qualname__ == plain().method().__qualname__


def test_generated_definitions_are_shown_as_the_users_function():
    def scale(x):
        y = x / 0
        return y

    tree = parse(scale).tree
    body = tree.body
    tree.body = Statements("""
        y = None
        def if_body():
            nonlocal y
            statement
        if_body()
    """).fill(statement=body[0], y="y")
    stamp(tree.body, body[0])
    loaded = load(tree, scale, {}, {"if_body": ()})
    line = scale.__code__.co_firstlineno + 1
    assert [(frame[1], frame[2]) for frame in lines_of(loaded, 1)] == [(line, "scale"), (line, "scale")]


def test_names_within_generated_definitions_are_those_of_the_users_text():
    def scale():
        def inner():
            return 1

        return inner

    tree = parse(scale).tree
    tree.body = Statements("def if_body():\n    body\nreturn if_body()").fill(body=tree.body)
    stamp(tree.body, tree)
    assert load(tree, scale, {}, {"if_body": ()})().__qualname__ == scale().__qualname__


def test_nodes_without_a_position_are_compiled_all_the_same():
    tree = parse(factorial).tree
    clear(tree.body)
    assert load(tree, factorial, {}, {})(3) == 6


def test_a_lambda_that_became_a_definition_keeps_its_name():
    f = lambda x, y=2: x + y
    parsed = parse(f)
    (tree,) = Statements("def tf__lambda(): return value").fill(value=parsed.tree.body)
    tree.args = parsed.tree.args
    stamp([tree], parsed.tree)
    loaded = load(tree, f, {}, {})
    assert (loaded(1), loaded.__name__, loaded.__code__.co_name) == (3, "<lambda>", "<lambda>")


def test_a_lambda_can_stay_one():
    f = lambda x, *, y=lambda: 2: [SCALE * x + y() for _ in "a"]
    assert load(parse(f).tree, f, {}, {})(1) == f(1)


def test_a_lambda_in_a_class_body_has_its_private_names():
    class Holder:
        __secret = 7
        read = lambda self: self.__secret

    assert load(parse(Holder.read).tree, Holder.read, {}, {})(Holder()) == 7


def test_one_code_object_serves_many_closures():
    def make(k):
        def times(x):
            return k * x

        return times

    first, second = make(2), make(3)
    code = compile_tree(parse(first).tree, first.__code__, (), {})
    assert [make_function(code, f, {})(10) for f in (first, second)] == [20, 30]


def test_decorators_and_defaults_do_not_run_again():
    ran = []

    def note(f):
        ran.append(f)
        return f

    @note
    def function(x=ran.append("default")):
        return x

    assert again(function)() is None
    assert len(ran) == 2


def test_future_annotations_stay_strings():
    text = "def f():\n    def g(x: Missing): pass\n    return g.__annotations__"
    namespace = {}
    exec(compile(f"from __future__ import annotations\n{text}", __file__, "exec"), namespace)
    assert load(ast.parse(text).body[0], namespace["f"], {}, {})() == {"x": "Missing"}


def test_wrappers_stay_wrappers():
    @functools.wraps(factorial)
    def wrapper(*args):
        return factorial(*args)

    assert again(wrapper).__wrapped__ is factorial


def test_a_loaded_function_dies_with_its_last_reference():
    def function():
        return reference

    loaded = again(function)
    reference = weakref.ref(loaded)
    del loaded
    gc.collect()
    assert reference() is None


def test_type_parameters_are_kept():
    if sys.version_info >= (3, 12):
        namespace = {}
        text = "def f[T](x: T):\n    return T\n"
        exec(compile(text, "<text>", "exec"), namespace)
        f = namespace["f"]
        loaded = load(ast.parse(text).body[0], f, {}, {})
        assert loaded.__type_params__ == f.__type_params__
        assert loaded(1) is f.__type_params__[0]
