"""Conversion as a whole: recursion, caches, failures, and the public functions."""

import functools
import gc
import linecache
import threading
import warnings
import weakref

import pytest

import autograph as ag
from autograph.options import Options
from autograph.staging.plain import Plain
from autograph.transpiler import Transpiler


class Watched(int):
    pass


class Watcher(Plain):
    """Counts the branches it is asked to decide."""

    name = "watcher"
    owns = (Watched,)

    def __init__(self):
        self.branches = 0

    def if_stmt(self, test, body, orelse, state):
        self.branches += 1
        super().if_stmt(test, body, orelse, state)


@pytest.fixture
def branches():
    """`branches(f, …)`: how many `if`s of f and of what it calls were decided by the backend."""

    def count(function, *arguments, **options):
        watcher = Watcher()
        Transpiler([watcher], Options(**options)).convert(function)(*arguments)
        return watcher.branches

    return count


def decides(x):
    if x:
        return 1
    return 0


class Thing:
    def __init__(self, x):
        self.result = decides(x)

    def method(self, x):
        return decides(x)

    @staticmethod
    def static(x):
        return decides(x)

    @classmethod
    def of_class(cls, x):
        return decides(x)

    __call__ = method


@functools.lru_cache
def cached(x):
    return decides(x)


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@logged
def decorated(x):
    return decides(x)


def sample(x):
    return decides(x)


@pytest.mark.parametrize(
    "callee",
    [
        decides,
        sample,
        decorated,
        functools.partial(sample, Watched(1)),
        lambda x=None: sample(Watched(1)),
        Thing.static,
        Thing.of_class,
        Thing.__new__(Thing),
        Thing.__new__(Thing).method,
    ],
)
def test_callees_are_converted(branches, callee):
    def f(x):
        return callee(x) if not isinstance(callee, functools.partial) else callee()

    assert branches(f, Watched(1)) == 1


def test_a_constructor_is_converted(branches):
    def f(x):
        Thing(x)

    assert branches(f, Watched(1)) == 1


def test_some_callees_are_called_as_they_are(branches):
    callee = ag.do_not_convert(sample)

    def f(x):
        callee(x)

    assert branches(f, Watched(1)) == 0


def test_a_cached_function_goes_past_its_cache_for_a_value_of_a_backend(branches):
    def f(x):
        return cached(x)

    assert branches(f, Watched(1)) == 1
    cached(1)
    before = cached.cache_info().hits
    assert branches(f, 1) == 0
    assert cached.cache_info().hits == before + 1


def test_without_recursion_only_the_function_itself_is_converted(branches):
    def f(x):
        if x:
            decides(x)

    assert branches(f, Watched(1)) == 2
    assert branches(f, Watched(1), recursive=False) == 1


def from_text(text, name, filename="<made>", cache=True):
    """A function made by `exec`; its text can be found if `cache` says so."""
    namespace = {"__name__": "made"}
    exec(compile(text, filename, "exec"), namespace)
    if cache:
        linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    return namespace[name]


def test_a_callee_without_source_is_called_with_one_warning():
    hidden = from_text("def hidden(x):\n    return x + 1\n", "hidden", "<nowhere>", cache=False)

    def f(x):
        return hidden(x) + hidden(x)

    converted = Transpiler().convert(f)
    with pytest.warns(ag.ConversionWarning, match="hidden runs as plain Python") as caught:
        assert converted(1) == 4
    assert len(caught) == 1
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert converted(1) == 4


def test_failures_raise_when_asked_to():
    hidden = from_text("def hidden(x):\n    return x + 1\n", "hidden", "<nowhere else>", cache=False)

    def f(x):
        return hidden(x)

    with pytest.raises(ag.SourceNotFound, match="hidden"):
        Transpiler(options=Options(on_failure="raise")).convert(f)(1)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"recursive": []}, TypeError),
        ({"always": "no"}, TypeError),
        ({"rolls": None}, TypeError),
        ({"strict": 2}, TypeError),
        ({"on_failure": "ignore"}, ValueError),
    ],
)
def test_options_without_meaning_are_refused_by_name(options, error):
    (name,) = options
    with pytest.raises(error, match=f"`{name}` is "):
        Options(**options)


def test_what_is_no_options_is_refused_and_so_is_what_cannot_be_called():
    with pytest.raises(TypeError, match="`options` are `Options`"):
        ag.convert(lambda x: x, options={"recursive": True})
    with pytest.raises(TypeError, match="3 cannot be called"):
        ag.do_not_convert(3)


def test_a_bug_in_the_users_program_is_no_conversion_failure(convert):
    def f(x):
        return fails(x)

    def fails(x):
        raise ag.ConversionError("the user's own")

    with pytest.raises(ag.ConversionError, match="the user's own"):
        convert(f)(1)


def test_the_name_of_the_operators_is_taken():
    def f(ag__):
        return ag__

    with pytest.raises(ag.UnsupportedSyntax, match="ag__"):
        ag.to_code(f)


def test_code_is_converted_once_and_closures_keep_their_own_cells():
    transpiler = Transpiler()

    def make(n):
        def add(x, by=n):
            return x + n + by

        return add

    first, second = transpiler.convert(make(1)), transpiler.convert(make(10))
    assert first.__code__ is second.__code__
    assert (first(0), second(0)) == (2, 20)


def test_defaults_changed_later_are_seen_by_the_next_call(convert):
    def g(x=1):
        return x

    def f():
        return g()

    converted = convert(f)
    assert converted() == 1
    g.__defaults__ = (2,)
    assert converted() == 2


def test_nothing_is_kept_alive():
    transpiler = Transpiler()

    def make():
        def f(n):
            return f(n - 1) if n else 0

        return f

    function = make()
    assert transpiler.convert(function)(2) == 0
    gone = weakref.ref(function)
    del function
    gc.collect()
    assert gone() is None

    text = "def temporary(x):\n    return x\n"
    temporary = from_text(text, "temporary", "<temporary>")
    transpiler.convert(temporary)
    code = weakref.ref(temporary.__code__)
    del temporary
    gc.collect()
    assert code() is None


def test_threads_may_convert_at_once():
    transpiler = Transpiler()
    results = []

    def work():
        results.append(transpiler.convert(decides)(1))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [1] * 8


def test_the_converted_function_looks_like_the_original():
    def f(a: int, *, b: str = "x") -> bool:
        """It says what it does."""
        return bool(a) and b == "x"

    f.attribute = 5
    converted = ag.convert(f)
    assert converted.__name__ == "f"
    assert converted.__qualname__ == f.__qualname__
    assert converted.__doc__ == f.__doc__
    assert converted.__annotations__ == f.__annotations__
    assert converted.__kwdefaults__ == {"b": "x"}
    assert converted.attribute == 5
    assert converted.__code__.co_filename == __file__
    assert converted.__code__.co_firstlineno == f.__code__.co_firstlineno


def test_is_converted():
    converted = ag.convert(decides)
    assert ag.is_converted(converted)
    assert ag.is_converted(functools.partial(converted, 1))
    assert not ag.is_converted(decides)
    assert not ag.is_converted(len)
    assert ag.convert(converted) is converted


def test_convert_as_a_decorator_with_and_without_arguments():
    @ag.convert
    def f(x):
        return decides(x)

    @ag.convert(recursive=False, user_requested=False, backends=[])
    def g(x):
        return decides(x)

    assert (f(1), g(0)) == (1, 0)
    assert ag.is_converted(f)
    assert ag.is_converted(g)


def test_methods_may_be_decorated():
    class Model:
        @ag.convert
        def step(self, x):
            if x:
                return self
            return None

    model = Model()
    assert model.step(1) is model


def test_to_graph_raises_what_convert_warns_about():
    hidden = from_text("def hidden(x):\n    return x + 1\n", "hidden", "<really nowhere>", cache=False)
    with pytest.raises(ag.ConversionError):
        ag.to_graph(hidden)
    with pytest.warns(ag.ConversionWarning):
        assert ag.convert(hidden) is hidden


def test_to_code_needs_a_python_function():
    with pytest.raises(TypeError, match="no Python function behind"):
        ag.to_code(len)


def test_to_code_shows_the_function_behind_a_graph():
    @ag.function
    def double(x):
        return x + x

    assert ag.to_code(double).startswith("def tf__double(x):")


def test_the_options_show_in_the_code():
    assert "recursive=False, user_requested=True" in ag.to_code(decides, recursive=False)


def test_the_front_door_is_exact_and_sorted():
    assert ag.__all__ == sorted(ag.__all__)
    for name in ag.__all__:
        assert getattr(ag, name) is not None
        assert name in dir(ag)
    with pytest.raises(AttributeError, match="nothing"):
        _ = ag.nothing


def test_the_compilers_warnings_are_not_repeated(convert):
    text = "def compares(x):\n    if x is 1:\n        return '\\d'\n    return x\n"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compares = from_text(text, "compares", "<compares>")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert convert(compares)(2) == 2
