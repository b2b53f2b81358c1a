"""Calls, operators, items, lists and asserts on plain values: what is evaluated, how often, when."""

import pytest


class Loud:
    """Notes what is done to it."""

    def __init__(self, log, name, truth=True):
        self.log, self.name, self.truth = log, name, truth

    def note(self, what):
        self.log.append(f"{what} {self.name}")

    def __bool__(self):
        return self.truth

    def __lt__(self, other):
        self.note("lt")
        return Loud(self.log, f"({self.name}<)", self.truth)

    def __eq__(self, other):
        self.note("eq")
        return Loud(self.log, f"({self.name}=)", self.truth)

    __hash__ = None

    def __getitem__(self, index):
        self.note("get")
        return self

    def __setitem__(self, index, value):
        self.note("set")

    def __iadd__(self, other):
        self.note("iadd")
        return self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        self.note(f"attribute {name} of")
        raise AttributeError(name)


@pytest.fixture
def same_log(convert):
    """`same_log(f, …)`: f(log, …) writes the same log, and raises the same, converted or not."""

    def same_log(function, *arguments):
        logs = []
        for each in (function, convert(function)):
            log = []
            try:
                log.append(repr(type(each(log, *arguments))))
            except Exception as error:  # noqa: BLE001  (both must raise it)
                log.append(type(error))
            logs.append(log)
        assert logs[0] == logs[1]

    return same_log


def make(log, name, truth=True):
    log.append(f"make {name}")
    return Loud(log, name, truth)


@pytest.mark.parametrize("a", [True, False])
@pytest.mark.parametrize("b", [True, False])
def test_logic_evaluates_as_much_as_python_does(same_log, a, b):
    def f(log):
        x = make(log, "a", a) and make(log, "b", b) or make(log, "c")  # noqa: RUF021
        y = not make(log, "d", b)
        if make(log, "e", a) and not make(log, "f", b):
            log.append("then")
        return x if x else y

    same_log(f)


@pytest.mark.parametrize("a", [True, False])
def test_chained_comparisons_evaluate_the_middle_once(same_log, a):
    def f(log):
        x = make(log, "a", a) < make(log, "b") < make(log, "c")
        y = make(log, "d", a) == make(log, "e") < make(log, "f")
        return (x, y, 1 < 2 in [2], log is not None is None, 3 != 3 == 3, "a" not in "b" not in "c")

    same_log(f)


def test_calls_evaluate_callee_then_arguments_in_order(same_log):
    def f(log):
        def call(*args, **kwargs):
            log.append((len(args), list(kwargs)))

        def arg(value):
            log.append(value)
            return value

        more, options, again = [arg(2)], {"m": arg(6)}, {"k": 1}
        make(log, "x"), call(arg(1), *more, k=arg(4), *[arg(5)], **options, n=arg(7))
        return call(**again, k=arg(2))

    same_log(f)


def test_call_errors_have_pythons_types(check):
    def f(x):
        return x(1, *2)

    def g(x):
        return x(**3)

    def h(x):
        return x.missing()

    for function in (f, g, h):
        check(lambda x, function=function: kind_of(function, x), (len,), (None,))


def kind_of(function, x):
    try:
        return function(x)
    except (TypeError, AttributeError) as error:
        return type(error).__name__


def test_items_are_read_and_assigned_in_pythons_order(same_log):
    def f(log):
        def index(value):
            log.append(value)
            return value

        x = make(log, "x")
        x[index(1)] = make(log, "value")
        x[index(2)] += make(log, "value")
        x[index(3) : index(4), 0][index(5)] = index(6)
        y = z = x[index(7) :]
        make(log, "y")[index(8)] = index(9)
        return x[index(10)]

    same_log(f)


def test_items_of_lists_dicts_and_nested_containers(check):
    def f(items, table):
        i = 0
        items[i] = items[-1] = 7
        items[i + 1 :] = [1, 2]
        items[i] += 1
        table["list"] = items
        table["list"][i] **= 2
        table.setdefault("n", []).append(items[i])
        first, table["rest"] = items[i], items[1:]
        del items[i]
        return items, table, first, items[i:], items[::-1], items[-1]

    check(f, ([1, 2, 3], {}), ([], {}), ((1, 2), {}))


def test_augmented_assignment_to_an_item_works_in_place(check):
    def f(rows):
        row = rows[0]
        i = 0
        rows[i] += [3]
        return rows, row

    check(f, ([[1]],), ([(1,)],))


def test_lists_grow_in_place(check):
    def f(items):
        alias = items
        items.append(1)
        last = items.pop()
        items.append(last + 1)
        items.pop(0)
        items.append([])
        items[-1].append(items.pop(0) if len(items) > 1 else None)
        return items is alias, items, last

    check(f, ([0],), ([],))


def test_append_of_something_that_is_no_list(check):
    class Tape:
        def __init__(self):
            self.items = ()

        def append(self, item):
            if item:
                self.items = (*self.items, item)

        def pop(self, index):
            return self.items[index]

    def f(x):
        tape = Tape()
        tape.append(x)
        table = {"a": x}
        y = table.pop("a")
        z = tape.pop(0)
        x.append(1)
        return tape.items, y, z

    check(f, (1,), ([],))


def test_a_list_of_another_scope_is_not_rebound(convert):
    shared = []

    def f(x):
        shared.append(x)
        GLOBAL.append(x)
        return shared, GLOBAL

    assert convert(f)(1) == ([1], [1])


GLOBAL = []


def test_asserts(check):
    def f(x, log):
        try:
            assert x, log.append("message")
        except AssertionError:
            log.append("failed")
        assert True
        return log

    check(f, (1, []), (0, []))


def test_an_assert_has_a_message_only_when_it_is_given_one(convert):
    def bare(x):
        assert x

    with pytest.raises(AssertionError) as caught:
        convert(bare)(0)
    assert caught.value.args == ()

    def said(x):
        assert x, ("a", "tuple")

    with pytest.raises(AssertionError) as caught:
        convert(said)(0)
    assert caught.value.args == (("a", "tuple"),)


def test_conditional_expressions_evaluate_one_arm(same_log):
    def f(log):
        x = make(log, "a") if make(log, "test", False) else make(log, "b")
        return (make(log, "c") if x else make(log, "d")) if not x else None

    same_log(f)


def test_builtins_are_the_builtins(check):
    def f(items):
        return (
            len(items),
            list(range(1, 5, 2)),
            list(enumerate(items, 1)),
            list(zip(items, items)),
            (int("12", 8), float("2.5"), bool([]), abs(-3)),
            (max(items), min(items, key=lambda v: -v), sum(items, start=1), any(items), all(items)),
            sorted(items, reverse=True),
            isinstance(items, list),
        )

    check(f, ([3, 1, 2],))


def test_print_prints(convert, capsys):
    def f(x):
        print("x is", x, sep=": ", end="!\n")

    convert(f)(3)
    assert capsys.readouterr().out == "x is: 3!\n"


def test_frame_readers_see_the_users_module(convert):
    def f():
        return globals()["GLOBAL"] is GLOBAL, eval("GLOBAL", {"GLOBAL": 3})

    assert convert(f)() == (True, 3)


def test_a_format_string_is_evaluated_as_written(check):
    def f(x):
        return f"{x!r:>{len(x) + 2}} {x if x else 'none'} {x=}"

    check(f, ("ab",), ("",))
