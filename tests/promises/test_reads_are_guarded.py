"""What a function reads outside of itself is checked before each run: no graph gives an old answer."""

import array
import functools
import gc
import weakref
from types import SimpleNamespace

import numpy as np
import pytest

import autograph as ag
import runtime as rt

ONE, TWO = np.float64(1.0), np.float64(2.0)
RATE = 2


class Config:
    """Attributes at two depths, one of the class."""

    offset = 1.0

    def __init__(self):
        self.scale = 2
        self.deep = SimpleNamespace(shift=3)
        self.layers = [1.0, 2.0]


def changes(read, *statements):
    """Checks a function with a change of the world between calls."""
    steps = []
    for statement in statements:
        steps += [statement, (TWO,)]
    ag.check(read, ONE, then=steps)


def assigned(owner, name, value):
    return lambda: setattr(owner, name, value)


def put(owner, key, value):
    return lambda: owner.__setitem__(key, value)


def test_a_global():
    def f(x):
        return x * RATE

    changes(f, *[put(globals(), "RATE", value) for value in (5, 7, 8, 2.5, 9)])


def test_a_variable_of_a_function_around():
    scale = 2

    def f(x):
        return x * scale

    def change():
        nonlocal scale
        scale += 3

    changes(f, change, change, change)


def test_attributes_at_any_depth_and_of_the_class():
    config = Config()

    def f(x):
        return x * config.scale + config.deep.shift + config.offset

    changes(
        f,
        assigned(config, "scale", 5),
        assigned(config.deep, "shift", 6),
        assigned(config, "deep", SimpleNamespace(shift=9)),
        assigned(Config, "offset", 4.0),
        assigned(config, "offset", 7.0),
    )


def test_items_of_dicts_and_lists():
    table, items = {"a": 1.0, "b": [1.0, 2.0]}, [1.0, 2.0]

    def f(x):
        return x * table["a"] + sum(items) + table["b"][1] + len(items)

    changes(f, put(table, "a", 9.0), lambda: items.append(5.0), put(items, 0, 4.0), put(table["b"], 1, 7.0))


def test_keys_that_come_and_go():
    table = {}

    def f(x):
        return x + table["a"] if "a" in table else x

    changes(f, put(table, "a", 9.0), lambda: table.pop("a"))


def test_whether_a_value_is_none():
    config = Config()
    config.mask = None

    def f(x):
        return x if config.mask is None else x * config.mask

    changes(f, assigned(config, "mask", 3.0), assigned(config, "mask", None))


def test_text_and_flags():
    config = SimpleNamespace(mode="train", debug=False)

    def f(x):
        return (x * 2 if config.mode == "train" else x) + config.debug

    changes(
        f,
        assigned(config, "mode", "eval"),
        assigned(config, "debug", True),
        assigned(config, "mode", "train"),
    )


def test_what_a_callee_a_method_and_a_property_read():
    class Model:
        def __init__(self):
            self.k = 2.0

        @property
        def doubled(self):
            return self.k * 2

        def scaled(self, x):
            return x * self.k

        def __call__(self, x):
            return self.scaled(x) + self.doubled

    model = Model()

    def callee(x):
        return model(x)

    changes(lambda x: callee(x), assigned(model, "k", 3.0), assigned(model, "k", 4.0))


def test_functions_and_methods_that_are_exchanged():
    class Model:
        def step(self, x):
            return x * 2

    model, hooks = Model(), [lambda x: x + 1]

    def f(x):
        for hook in hooks:
            x = hook(x)
        return model.step(x)

    changes(
        f,
        lambda: hooks.append(lambda x: x * 10),
        assigned(Model, "step", lambda self, x: x * 3),
        assigned(model, "step", lambda x: x * 5),
    )


def test_defaults_of_a_callee():
    def g(x, scale=[2.0]):
        return x * scale[0]

    changes(lambda x: g(x), put(g.__defaults__[0], 0, 7.0))


def test_an_attribute_that_getattr_makes():
    class Lazy:
        def __getattr__(self, name):
            return 10.0

    lazy = Lazy()
    changes(lambda x: x + lazy.b, assigned(lazy, "b", 3.0))


def test_an_attribute_that_is_asked_for_by_a_name_in_a_variable():
    config, name = Config(), "scale"
    changes(lambda x: x + getattr(config, name), assigned(config, "scale", 8))


@pytest.mark.parametrize("use", [lambda x, w: x + w, lambda x, w: x + w.mean(), lambda x, w: x * w[0]])
def test_an_array_that_is_written_to(use):
    weights = np.asarray([1.0, 2.0])
    changes(lambda x: use(x, weights), *[put(weights, 0, value) for value in (5.0, 6.0, 7.0, 8.0)])


def test_an_array_that_decides_in_python():
    weights = np.asarray([1.0, 2.0])

    def f(x):
        mean = weights.mean()
        return x if x > mean else mean

    changes(f, put(weights, 0, 100.0), put(weights, 0, -9.0), put(weights, 1, -9.0))


def test_arrays_in_attributes_and_lists():
    config = SimpleNamespace(w=np.ones(2), layers=[np.ones(2), np.zeros(2)])

    def f(x):
        return x + config.w + config.layers[0] * config.layers[1]

    changes(
        f, put(config.w, 0, 3.0), put(config.layers[1], 0, 5.0), assigned(config, "w", np.ones(3)[:2] * 7)
    )


def test_a_large_array_is_read_where_it_is():
    table = np.zeros(20_000)

    @ag.function
    def f(x):
        return (x + table).sum()

    for value in (0.0, 1.0, 2.0, 3.0):
        table[0] = value
        assert float(f(ONE)) == 20_000.0 + value
    assert len(f.concrete_functions) == 1


def test_a_number_that_changes_again_becomes_an_input():
    config = Config()

    @ag.function
    def f(x):
        return x * config.scale

    for scale in range(2, 12):
        config.scale = scale
        found = f(ONE)
        assert float(found) == scale
        assert found.dtype is rt.float64
    assert len(f.concrete_functions) == 3
    assert "`Config.scale` was 2 and then 3" in str(f.explain_retraces())


def test_an_int_stays_an_int_and_a_float_a_float():
    config = Config()

    @ag.function
    def f(x):
        return x * config.scale

    whole = rt.asarray(3, dtype=rt.int32)
    kinds = []
    for scale in (2, 3, 4, 5, 2.5, 6):
        config.scale = scale
        kinds.append(f(whole).dtype)
    assert kinds == [rt.int32] * 4 + [rt.float64, rt.int32]


def test_an_equal_number_is_no_change():
    config = Config()

    @ag.function
    def f(x):
        return x * config.scale

    for _ in range(3):
        config.scale = float("1234.5")
        f(ONE)
    assert len(f.concrete_functions) == 1


def test_what_cannot_be_an_input_has_a_graph_for_each_value():
    config, names = SimpleNamespace(k=0), {0: "a", 1: "b", 2: "c", 3: "d"}

    def f(x):
        return x + len(names[config.k] * config.k)

    changes(f, *[assigned(config, "k", k) for k in (1, 2, 3, 0)])


def test_objects_are_not_kept_alive():
    class Model:
        def __init__(self):
            self.k = 2.0

        @ag.function
        def step(self, x):
            self.k += 1
            return x * self.k

    model = Model()
    model.step(ONE)
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None


def test_a_global_that_is_gone_is_the_error_of_python(monkeypatch):
    monkeypatch.setitem(globals(), "PASSING", 3)

    @ag.function
    def f(x):
        return x * PASSING  # noqa: F821

    f(ONE)
    monkeypatch.delitem(globals(), "PASSING")
    with pytest.raises(NameError):
        f(ONE)


def test_a_function_that_is_called_in_a_trace_is_checked_with_it():
    config = Config()

    @ag.function
    def inner(x):
        return x * config.scale

    changes(lambda x: inner(x) + inner(x), assigned(config, "scale", 5), assigned(config, "scale", 6))


def test_a_wrapped_function_is_looked_into():
    config = Config()

    def logged(function):
        @functools.wraps(function)
        def call(x):
            return function(x)

        return call

    @logged
    def g(x):
        return x * config.scale

    changes(lambda x: g(x), assigned(config, "scale", 5))


def test_numbers_in_memory():
    numbers = array.array("d", [1.0, 2.0])
    f = ag.function(lambda x: x + numbers[0])
    for value in (1.0, 5.0, 6.0):
        numbers[0] = value
        assert float(f(ONE)) == 1.0 + value


def test_a_class_that_is_given_what_it_inherits():
    class Base:
        n = 0

    class Derived(Base):
        pass

    def f(x):
        return x + Derived.n

    changes(f, assigned(Base, "n", 2), assigned(Derived, "n", 5), assigned(Base, "n", 7))


class Keeper:
    def __init__(self):
        self.log = [1.0, 5.0]


class Slotted:
    __slots__ = ("log",)

    def __init__(self):
        self.log = [1.0, 5.0]


KEEPER, SLOTTED, LOG = Keeper(), Slotted(), [1.0, 5.0]


def called(function, *args):
    return function(*args)


def by_getattr(x):
    KEEPER.log.append(x)
    return len(getattr(KEEPER, "log"))


def by_what_it_keeps(x):
    KEEPER.log.append(x)
    return sum(len(each) for each in vars(KEEPER).values())


def by_a_function_of_its_own(x):
    KEEPER.log.append(x)
    return len(called(object.__getattribute__, KEEPER, "log"))


def by_the_module(x):
    LOG.append(x)
    return len(globals()["LOG"])


def by_what_a_method_is_of(x):
    add = LOG.append
    add(x)
    return add.__self__[0]


def by_a_slot(x):
    SLOTTED.log.append(x)
    return len(SLOTTED.log)


def surrounding():
    seen = [1.0, 5.0]

    def by_its_cell(x):
        seen.append(x)
        return len(by_its_cell.__closure__[-1].cell_contents)

    return by_its_cell


@pytest.mark.parametrize(
    "program",
    [
        by_getattr,
        by_what_it_keeps,
        by_a_function_of_its_own,
        by_the_module,
        by_what_a_method_is_of,
        by_a_slot,
        surrounding(),
    ],
    ids=lambda program: program.__name__,
)
def test_a_list_that_is_added_to_is_read_however_code_gets_at_it(program):
    ag.check(program, np.float64(2.0), then=[(np.float64(3.0),), (np.float64(0.0),)])


def touched(thing):
    return thing is None


class Recorder:
    def __init__(self):
        self.count, self.values = 0, []

    def hands_itself_on(self, x):
        self.values.append(x)
        return x + touched(self)

    def has_another_name(self, x):
        me = self
        self.values.append(x)
        return x + (me is None)

    def counts(self, x):
        self.count += 1
        self.values.append(x)
        return x / self.count

    def asks(self, x):
        self.values.append(x)
        return x + len(self.values)


@pytest.mark.parametrize("name", ["hands_itself_on", "has_another_name", "counts", "asks"])
def test_a_list_of_an_instance_grows_by_one_in_each_of_many_calls(name):
    values = [np.float64(value) for value in (6, 8, 9, 1)]
    ag.check(getattr(Recorder(), name), values[0], then=[(value,) for value in values[1:]])


def test_an_attribute_that_a_pattern_names_is_looked_at_on_every_call():
    state = SimpleNamespace(level=1)

    def step(x):
        match state:
            case SimpleNamespace(level=1):
                return x + 1
        return x - 1

    changes(step, assigned(state, "level", 2))


def test_an_attribute_that_a_pattern_takes_by_position_is_looked_at_on_every_call():
    class Held:
        __match_args__ = ("level",)

    state = Held()
    assigned(state, "level", 1)()

    def step(x):
        match state:
            case Held(1):
                return x + 1
        return x - 1

    changes(step, assigned(state, "level", 2))


def lacking():
    """A class and a function that lack an attribute, and what gives them one."""

    class Counted:
        step = 1

    def called():
        return Counted.step

    return Counted, called


@pytest.mark.parametrize("which", [0, 1])
def test_an_attribute_that_a_class_or_a_function_gets_later(which):
    owner = lacking()[which]

    def by_name(x):
        return getattr(owner, "extra", x)

    def caught(x):
        try:
            return owner.extra
        except AttributeError:
            return -x

    def counting(x):
        if x > 1:
            try:
                owner.calls += 1
            except AttributeError:
                owner.calls = 1
        return x

    for read in by_name, caught:
        ag.check(read, ONE, then=[lambda: setattr(owner, "extra", 4), (ONE,), (TWO,)])
    ag.check(counting, TWO, then=[(ONE,), (TWO,)])


def test_who_looks_what_is_read_runs_no_code_of_the_program():
    asked = []

    class Lazy:
        def __getattr__(self, name):
            asked.append(name)
            raise AttributeError(name)

    lazy = Lazy()
    lazy.rate = 2.0

    @ag.function
    def scaled(x):
        return x * lazy.rate

    assert scaled(rt.asarray(3.0)) == 6.0
    assert asked == []


KEPT = {"level": 2.0, "x": np.ones(2)}


def test_a_dict_that_a_global_led_to_holds_no_value_of_a_graph_when_the_global_is_another_one():
    def f(x):
        kept = KEPT if x > 1.5 else {"level": x, "x": x * 2}
        kept.setdefault("more", x)
        return kept["level"]

    first = KEPT
    other = {"level": 3.0, "x": np.zeros(2)}
    ag.check(f, ONE, then=[(TWO,), put(globals(), "KEPT", other), (ONE,), (TWO,)])
    assert float(first["level"]) == 2.0
