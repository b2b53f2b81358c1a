"""What objects of libraries hold is read on each run, and changed by it, as what a program's own hold."""

import collections
import configparser
import contextvars
import decimal
import functools
import importlib
import logging
import os
import queue
import random
import string
import sys
import types
import weakref

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.functions.reachable import inside, shown_by

ONE, TWO = np.float64(1.0), np.float64(2.0)
READS = {
    "item": lambda o: o["a"],
    "get": lambda o: o.get("a"),
    "values": lambda o: sum(o.values()),
    "items": lambda o: next(value for _, value in o.items()),
    "dict": lambda o: dict(o)["a"],
    "keys": lambda o: sum([o[key] for key in o]),
    "double_star": lambda o: {**o}["a"],
}
MAPPINGS = {
    "UserDict": lambda: collections.UserDict(a=1.0),
    "ChainMap": lambda: collections.ChainMap({"a": 1.0}, {}),
}


class Part:
    """What a weak reference may refer to."""

    def __init__(self, size):
        self.size = size


def changed(read, made, change):
    """Checks a function of an object outside over calls between which that changes."""

    def f(x):
        return x * read(made)

    ag.check(f, ONE, then=[change, (TWO,), (ONE,)])


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("kind", ["UserDict", "ChainMap"])
def test_mappings(kind, read):
    made = MAPPINGS[kind]()
    changed(READS[read], made, lambda: made.update(a=5.0))


@pytest.mark.parametrize("read", READS)
def test_a_mapping_that_shows_another_one(read):
    held = {"a": 1.0}
    changed(READS[read], types.MappingProxyType(held), lambda: held.update(a=5.0))


@pytest.mark.parametrize("view", ["values", "items", "keys"])
def test_views_of_dicts(view):
    held = {1.0: 1.0}
    made = getattr(held, view)()
    changed(
        lambda o: sum(each[1] if view == "items" else each for each in o),
        made,
        lambda: held.update({2.0: 5.0}),
    )


def test_the_environment(monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_OF_A_TEST", "2")

    def f(x):
        return x * float(os.environ["AUTOGRAPH_OF_A_TEST"]), os.environ.get("AUTOGRAPH_OF_NOBODY", "none")

    run = ag.function(f)
    for value in "2", "7", "3":
        monkeypatch.setenv("AUTOGRAPH_OF_A_TEST", value)
        assert float(run(ONE)[0]) == float(value)


def test_what_a_module_of_a_library_keeps(monkeypatch):
    def f(x):
        return x * len(sys.argv)

    run = ag.function(f)
    for length in 2, 5, 3:
        monkeypatch.setattr(sys, "argv", ["a"] * length)
        assert float(run(ONE)) == length


def test_lists_and_texts_of_the_module_collections():
    numbers, text = collections.UserList([1.0, 2.0]), collections.UserString("ab")

    def f(x):
        return x * sum(numbers) + numbers[0] + len(text), [each * x for each in numbers]

    ag.check(
        f,
        ONE,
        then=[
            lambda: numbers.__setitem__(0, 5.0),
            (TWO,),
            lambda: numbers.append(3.0),
            lambda: setattr(text, "data", "abc"),
            (TWO,),
        ],
    )


def test_settings_from_a_file():
    settings = configparser.ConfigParser()
    settings.read_dict({"model": {"rate": "0.5"}})

    def f(x):
        return x * float(settings["model"]["rate"])

    ag.check(f, ONE, then=[lambda: settings.set("model", "rate", "2.5"), (TWO,)])


def test_a_template_and_a_queue():
    template, pending = string.Template("$a"), queue.Queue()

    def f(x):
        return x * len(template.template) + pending.qsize()

    ag.check(
        f, ONE, then=[lambda: setattr(template, "template", "$long"), (TWO,), lambda: pending.put(1), (TWO,)]
    )


def test_arguments_that_a_partial_function_has():
    times = functools.partial(lambda a, b: a * b, b=3.0)

    def f(x):
        return times(x)

    ag.check(f, ONE, then=[lambda: times.keywords.update(b=7.0), (TWO,)])


def test_numbers_that_a_memoryview_shows():
    held = bytearray(b"\x01\x02")
    changed(lambda o: o[0] + len(o), memoryview(held), lambda: held.__setitem__(0, 7))


def test_a_context_variable_is_read():
    rate = contextvars.ContextVar("rate", default=1.0)
    changed(lambda o: o.get(), rate, lambda: rate.set(5.0))


def test_a_context_variable_is_not_set():
    rate = contextvars.ContextVar("rate", default=1.0)

    @ag.function
    def f(x):
        rate.set(x)
        return x

    with pytest.raises(rt.errors.Error, match="ContextVar"):
        f(ONE)
    assert rate.get() == 1.0


def test_arrays_with_a_mask():
    numbers = np.ma.array([1.0, 2.0])
    changed(lambda o: float(o.sum()), numbers, lambda: numbers.__setitem__(0, 5.0))


def test_arrays_of_objects():
    objects = np.array([1.0, "a"], object)
    changed(lambda o: o[0], objects, lambda: objects.__setitem__(0, 5.0))


def test_a_referent_is_read_and_changed():
    part = Part(1.0)
    reference, proxy = weakref.ref(part), weakref.proxy(part)
    named = weakref.WeakValueDictionary(part=part)

    def f(x):
        reference().size += x
        named["part"].size *= 2
        return reference().size, proxy.size

    ag.check(f, ONE, then=[(TWO,), lambda: setattr(part, "size", 0.0), (TWO,)])


def test_nothing_of_a_graph_stays_in_a_referent():
    part = Part(1.0)
    reference = weakref.ref(part)

    @ag.function
    def f(x):
        reference().size += x

    f(ONE), f(TWO)
    assert float(part.size) == 4.0


def test_a_referent_that_is_gone():
    parts = [Part(1.0)]
    reference = weakref.ref(parts[0])

    @ag.function
    def f(x):
        return x if reference() is None else x * reference().size * 10

    assert float(f(ONE)) == 10.0
    parts.clear()
    assert float(f(ONE)) == 1.0


def test_a_method_of_a_library_reads_the_attributes_of_a_class_that_derives_from_its_own():
    class Rates(collections.UserDict):
        def best(self):
            return max(self.values())

    rates = Rates(low=1.0)

    def f(x):
        return x * rates.best() + rates["low"]

    ag.check(f, ONE, then=[lambda: rates.update(low=4.0), (TWO,), lambda: rates.update(high=9.0), (TWO,)])


def test_what_a_mapping_of_a_library_is_given_is_there_after_the_call():
    found, pending = collections.UserDict(), queue.Queue()

    def f(x):
        found["last"] = x
        pending.put(x)
        return len(found), pending.qsize()

    ag.check(f, ONE, then=[(TWO,)])


def test_what_views_show():
    part, held = Part(1.0), {"a": 1}
    for view in weakref.ref(part), weakref.proxy(part):
        assert shown_by(view) is part
    for view in types.MappingProxyType(held), held.keys(), held.values(), held.items():
        assert shown_by(view) is held
        assert next(iter(inside(view))) is held


LIBRARY = """
RATE = 2.0
class Model:
    def __init__(self):
        self.slope, self.parts = 2.0, [1.0]
    def predict(self, x):
        return x * self.slope + self.parts[-1]
"""


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A module of an installed library."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "library_of_a_test.py").write_text(LIBRARY, encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    yield importlib.import_module("library_of_a_test")
    del sys.modules["library_of_a_test"]


def test_what_an_installed_library_keeps(library):
    class Own(library.Model):
        def twice(self, x):
            self.parts.append(3.0)
            return self.predict(x) * 2

    model, own = library.Model(), Own()

    @ag.function
    def f(x):
        return model.predict(x) * library.RATE + own.twice(x)

    assert float(f(ONE)) == 3.0 * 2.0 + 5.0 * 2
    model.slope, library.RATE = 4.0, 10.0
    model.parts.append(6.0)
    own.slope = 1.0
    assert float(f(ONE)) == 10.0 * 10.0 + 4.0 * 2
    assert own.parts == [1.0, 3.0, 3.0]


LAZY = """
import importlib


def __getattr__(name):
    part = importlib.import_module(".part_of_a_test", __name__)
    if name == "part_of_a_test":
        return part
    if name != "twice":
        raise AttributeError(name)
    globals()[name] = part.twice
    return part.twice


def scaled(x, by=2.0):
    return x * by
"""


@pytest.fixture
def lazy(tmp_path, monkeypatch):
    """A package of an installed library, which loads its module when that is asked for, as NumPy's are."""
    folder = tmp_path / "site-packages" / "package_of_a_test"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(LAZY, encoding="utf-8")
    (folder / "part_of_a_test.py").write_text("def twice(x):\n    return x * 2\n", encoding="utf-8")
    monkeypatch.syspath_prepend(folder.parent)
    yield importlib.import_module("package_of_a_test")
    for name in [name for name in sys.modules if name.partition(".")[0] == "package_of_a_test"]:
        del sys.modules[name]


def test_a_module_that_is_loaded_when_a_function_first_asks_for_it(lazy):
    @ag.function
    def f(x):
        return lazy.part_of_a_test.twice(x)

    assert "part_of_a_test" not in vars(lazy)
    assert float(f(TWO)) == 4.0
    assert float(f(ONE)) == 2.0
    assert f.experimental_get_tracing_count() == 1


def test_what_a_library_keeps_of_what_it_has_loaded_is_no_change_of_the_program(lazy):
    def refuse(x):
        raise ValueError("no")

    @ag.function
    def f(x):
        return ag.host_call(refuse, lazy.twice(x), result=float)

    with pytest.raises(ValueError, match="no"):  # and no warning that a change is lost
        f(TWO)
    assert vars(lazy)["twice"] is lazy.part_of_a_test.twice


def test_a_function_of_a_library_that_is_kept_is_that_function(lazy):
    kept = {}

    def found(name):
        value = getattr(lazy, name)
        kept[name] = value
        return value

    @ag.function
    def f(x):
        return found("scaled")(x), found("scaled")

    result, function = f(TWO)
    assert float(result) == 4.0
    assert kept["scaled"] is lazy.scaled
    assert function is lazy.scaled


KEPT = {
    "a method of Python's own generator": lambda: random.choice,
    "the environment": lambda: os.environ,
    "a logger": lambda: logging.getLogger("library_of_a_test"),
    "settings": lambda: decimal.DefaultContext,
}


@pytest.mark.parametrize("get", KEPT.values(), ids=KEPT)
def test_an_object_that_a_library_keeps_stays_that_object(get):
    kept = {}

    @ag.function
    def f(x):
        found = get()
        kept["it"] = found
        return x, [found]

    for _ in range(2):
        assert f(ONE)[1] == [get()]
        assert kept["it"] == get()
        assert getattr(kept["it"], "__self__", kept["it"]) is getattr(get(), "__self__", get())
