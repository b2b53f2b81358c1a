"""While nothing stages, a converted function runs the statements that the user wrote."""

import inspect
import linecache
import sys
import traceback
import warnings

import pytest

import autograph as ag
import runtime as rt
from autograph.staging.plain import Plain
from autograph.transpiler import Transpiler


class Switch(Plain):
    """Stages while it is on, and counts the branches that it is asked to decide."""

    name = "switch"
    owns = (int,)

    def __init__(self):
        self.on = False
        self.branches = 0

    def is_staging(self):
        return self.on

    def if_stmt(self, test, body, orelse, state):
        self.branches += 1
        super().if_stmt(test, body, orelse, state)


@pytest.fixture
def switch():
    return Switch()


@pytest.fixture
def convert(switch):
    return Transpiler([switch]).convert


def positive(x):
    if x:
        return 1
    return 0


def test_each_call_asks_anew(switch, convert):
    converted = convert(positive)
    assert (converted(3), switch.branches) == (1, 0)
    switch.on = True
    assert (converted(3), switch.branches) == (1, 1)
    switch.on = False
    assert (converted(3), switch.branches) == (1, 1)


def test_what_it_calls_is_then_called_as_it_is(switch, convert):
    def f(x):
        return positive(x)

    converted = convert(f)
    assert (converted(3), switch.branches) == (1, 0)
    switch.on = True
    assert (converted(3), switch.branches) == (1, 1)


def test_lambdas_choose_too(switch, convert):
    add = 1
    converted = convert(lambda x, *, y=2: x + y + add if x else add)
    assert converted(1, y=5) == 7
    switch.on = True
    assert (converted(1), converted(0)) == (4, 1)


@pytest.mark.parametrize("on", [False, True])
def test_every_kind_of_parameter_arrives(switch, convert, on):
    def f(a, /, b, c=3, *args, d, e=5, **kwargs):
        """Says what it takes."""
        if a:
            c += 1
        return a, b, c, args, d, e, kwargs

    converted = convert(f)
    switch.on = on
    assert inspect.signature(converted) == inspect.signature(f)
    assert converted.__doc__ == f.__doc__
    assert converted(1, 2, d=4) == (1, 2, 4, (), 4, 5, {})
    assert converted(0, 2, 3, 4, 5, d=6, e=7, a=8) == (0, 2, 3, (4, 5), 6, 7, {"a": 8})
    with pytest.raises(TypeError, match=r"f\(\) missing 1 required keyword-only argument: 'd'"):
        converted(1, 2)


@pytest.mark.parametrize("on", [False, True])
def test_both_forms_share_the_cells_of_the_original(switch, convert, on):
    count = 0

    def f(x):
        nonlocal count
        if x:
            count += x
        return lambda: count

    converted = convert(f)
    switch.on = on
    assert (converted(2)(), f(3)()) == (2, 5)


@pytest.mark.parametrize("on", [False, True])
def test_methods_keep_super_and_private_names(switch, convert, on):
    class Base:
        def f(self, x):
            return x

    class Derived(Base):
        __secret = 10

        def f(self, __x, *, __y=1):
            if __x:
                return super().f(__x) + self.__secret + __y
            return 0

    switch.on = on
    assert convert(Derived().f)(5) == 16


@pytest.mark.parametrize("on", [False, True])
def test_a_user_may_call_a_variable_what_we_call_the_converted_form(switch, convert, on):
    def f(x):
        tf__f = 3
        if x:
            tf__f += x
        return tf__f

    switch.on = on
    assert convert(f)(1) == 4


def test_variables_of_the_plain_form_are_as_fast_as_the_users(convert):
    def f(x):
        total = 0
        while x:
            total += x
            x -= 1
        return total

    code = convert(f).__code__
    assert not code.co_cellvars
    assert {"x", "total"} <= set(code.co_varnames)


def test_a_function_made_by_the_plain_form_is_converted_where_it_is_traced():
    @ag.convert
    def make():
        def step(x):
            if x > 0:
                x = -x
            return x

        return step

    step = ag.function(make())
    assert not ag.is_converted(make())
    assert [int(step(rt.asarray(value))) for value in (2, -2)] == [-2, -2]


def test_items_of_an_eager_tensor_are_assigned():
    @ag.convert
    def f(x, i):
        before = x
        x[i] = 7
        x[i + 1] *= 2
        x[:1] = x[1:2]
        return before, x

    before, after = f(rt.asarray([1, 2, 3, 4]), 1)
    assert list(before) == [1, 2, 3, 4]
    assert list(after) == [7, 7, 6, 4]


def test_a_parameter_whose_items_are_assigned_is_asked_about_once(switch, convert):
    def f(x, count):
        for index in range(count):
            x[index] = index
        x = list(x)
        x[0] = 7
        return x

    converted = convert(f)
    assert "set_item" not in converted.__code__.co_names
    assert converted([5, 5, 5], 2) == f([5, 5, 5], 2) == [7, 1, 5]
    assert [int(item) for item in ag.convert(f)(rt.asarray([5, 5, 5]), 2)] == [7, 1, 5]


@pytest.mark.parametrize("on", [False, True])
def test_nothing_is_asked_of_the_values_themselves(switch, convert, on):
    asked = []

    class Proxy:
        def __getattribute__(self, name):
            asked.append(name)
            return object.__getattribute__(self, name)

        def __setitem__(self, index, value):
            pass

    def f(proxy, other):
        other = other or proxy
        proxy[0] = 1
        other[0] = 1
        if other is proxy:
            return proxy

    switch.on = on
    convert(f)(Proxy(), None)
    assert asked == []


def test_items_of_everything_else_are_left_to_python():
    class Log(list):
        def __setitem__(self, index, value):
            self.append((index, value))

    @ag.convert
    def f(log, table):
        log[1:2, ...] = 3
        table["a"] += [4]
        rows = [0] * 2
        rows[0] = 1
        return rows

    log, table = Log(), {"a": [1]}
    same = table["a"]
    assert f(log, table) == [1, 0]
    assert log == [((slice(1, 2), ...), 3)]
    assert same == [1, 4]


def test_a_trace_that_fails_shows_no_line_of_the_header():
    @ag.function
    def f(x):
        if x.ndim:
            return {}["missing"]
        return x

    with pytest.raises(KeyError) as caught:
        f(rt.asarray([1]))
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert [frame.line for frame in frames[1:]] == ['return {}["missing"]']


def test_code_made_by_exec_has_both_forms(switch, convert):
    text = "def f(x):\n    if x:\n        return 1\n    return 0\n"
    linecache.cache["<plain path>"] = (len(text), None, text.splitlines(True), "<plain path>")
    namespace = {"__name__": "made"}
    exec(compile(text, "<plain path>", "exec"), namespace)
    converted = convert(namespace["f"])
    assert converted(1) == 1
    switch.on = True
    assert (converted(1), switch.branches) == (1, 1)


def test_the_caller_is_one_frame_away(convert):
    def f():
        warnings.warn("look here", stacklevel=2)
        return sys._getframe(1).f_code.co_name

    with pytest.warns(UserWarning, match="look here") as caught:
        assert convert(f)() == "test_the_caller_is_one_frame_away"
    assert caught[0].filename == __file__


def test_several_backends_are_all_asked(switch):
    other = Switch()
    converted = Transpiler([switch, other]).convert(positive)
    assert (converted(1), switch.branches) == (1, 0)
    other.on = True
    assert (converted(1), switch.branches) == (1, 1)


def test_without_backends_the_converted_form_always_runs():
    assert "is_staging" not in Transpiler().convert(positive).__code__.co_names


def with_first(x, value):
    x[0] = value
    return x


def test_a_function_that_is_always_converted_writes_into_tensors_of_eager_code_and_in_what_it_calls():
    def f(x):
        return with_first(x, 7.0), x

    given = rt.asarray([1.0, 2.0])
    written, before = ag.convert(f, always=True)(given)
    assert (written.tolist(), before.tolist()) == ([7.0, 2.0], [1.0, 2.0])
    with pytest.raises(rt.errors.ImmutableTensor):
        ag.convert(f)(given)
