"""What operators do when a backend owns a value: who is asked, when, and with what."""

import pytest

from autograph.staging.builtins import OPERATORS
from autograph.staging.journal import recording
from autograph.staging.plain import Plain
from autograph.staging.state import State, Undefined
from autograph.transpiler import Transpiler


class Traced:
    """A number that a backend watches."""

    def __init__(self, value):
        self.value = value

    def __gt__(self, other):
        return Traced(self.value > other)

    def __lt__(self, other):
        return Traced(self.value < other)

    def __sub__(self, other):
        return Traced(self.value - other)

    def __bool__(self):
        raise TypeError("a traced value has no truth of its own")


class Watcher(Plain):
    """Notes every operator that it is asked to run, and runs it on the values within."""

    name = "watcher"
    owns = (Traced,)

    def __init__(self):
        self.log = []

    def if_stmt(self, test, body, orelse, state):
        self.log.append(("if", state.names, state.nouts, state.get()))
        super().if_stmt(test.value, body, orelse, state)

    def while_stmt(self, test, body, state, options, first):
        self.log.append(("while", state.names, options.maximum_iterations, first.value))
        while first.value:
            body()
            first = test()

    def for_stmt(self, items, extra_test, body, state, options):
        self.log.append(("for", state.names, options.iterate_names, extra_test is not None))
        super().for_stmt(items.value, extra_test, body, state, options)

    def if_exp(self, test, body, orelse, text):
        self.log.append(("if_exp", text))
        return body() if test.value else orelse()

    def and_(self, a, b):
        self.log.append("and")
        return b() if a.value else a

    def not_(self, a):
        self.log.append("not")
        return Traced(not a.value)

    def equal(self, a, b):
        self.log.append("equal")
        return Traced(getattr(a, "value", a) == getattr(b, "value", b))

    def assert_stmt(self, test, message):
        self.log.append(("assert", message()))

    def set_item(self, target, index, value):
        self.log.append("set_item")
        return [*target[: index.value], value, *target[index.value + 1 :]]

    def list_append(self, target, element):
        self.log.append("append")
        return Traced([*target.value, element])

    def len_(self, target):
        return len(target.value)


@pytest.fixture
def watcher():
    return Watcher()


@pytest.fixture
def run(watcher):
    return lambda function, *arguments: Transpiler([watcher]).convert(function)(*arguments)


def test_if_hands_over_its_state(run, watcher):
    def f(x):
        y = 1
        if x > 0:
            y = 2
            z = 3
        else:
            z = 4
        return y, z

    assert run(f, Traced(5)) == (2, 3)
    ((kind, names, outs, values),) = watcher.log
    assert (kind, names, outs) == ("if", ("y", "z"), 2)
    assert values[0] == 1
    assert isinstance(values[1], Undefined)


def test_while_starts_in_python_and_goes_on_in_the_backend(run, watcher):
    def f(x, n):
        while x > 0:
            if n == 3:
                x = Traced(x)
            x = x - 1
            n = n + 1
        return n

    assert run(f, 9, 0) == 9
    kinds = [entry[0] for entry in watcher.log]
    assert kinds == ["while"]
    assert watcher.log[0][1] == ("n", "x")
    assert watcher.log[0][3] is True


def test_for_over_a_backends_items(run, watcher):
    def f(items):
        for left, right in items:
            last = left
            if right == 0:
                break
        return last

    assert run(f, Traced([(1, 1), (2, 0), (3, 1)])) == 2
    assert watcher.log == [("for", ("last", "break_"), "(left, right)", True)]


def test_a_break_that_a_backend_decides_guards_the_rest_of_a_python_loop(run, watcher):
    def f(x):
        last = -1
        for i in range(5):
            if x == i:
                break
            last = i
        return last

    class Folding(Watcher):
        """Decides at once, with values of its own."""

        def if_stmt(self, test, body, orelse, state):
            Plain.if_stmt(self, test.value, body, orelse, state)
            state.set(
                tuple(
                    Traced(v) if n == "break_" and isinstance(v, bool) else v
                    for n, v in zip(state.names, state.get(), strict=True)
                )
            )

    assert Transpiler([Folding()]).convert(f)(Traced(3)) == 2


def test_expressions_are_asked_of_the_owner(run, watcher):
    def f(x):
        assert x, "message"
        y = "one" if x > 1 else "none"
        return (y, (x and x == 1).value, (not x).value)

    assert run(f, Traced(1)) == ("none", True, False)
    assert watcher.log == [("assert", "message"), ("if_exp", "x > 1"), "and", "equal", "not"]


def test_containers_are_bound_again(run, watcher):
    def f(items, grows, i):
        items[i] = 7
        grows.append(8)
        return items, grows.value, len(grows)

    original = [1, 2]
    assert run(f, original, Traced([]), Traced(1)) == ([1, 7], [8], 1)
    assert original == [1, 2]
    assert watcher.log == ["set_item", "append"]


def test_every_builtin_of_the_table_has_a_method():
    for name in OPERATORS.values():
        assert callable(getattr(Plain, name))


def test_plain_runs_the_rest_of_a_loop_under_the_extra_test():
    seen, going = [], [True, False, False]
    Plain().for_stmt_python_items(
        iter("abc"), lambda: going.pop(0), seen.append, State(tuple, print, (), 0), None
    )
    assert seen == ["a"]


def test_undefined_names_its_variable():
    undefined = Undefined("x")
    assert repr(undefined) == "Undefined('x')"
    with pytest.raises(UnboundLocalError, match="'x'"):
        undefined.read()
    with pytest.raises(NameError, match="free variable 'x'"):
        undefined.read_from_inner_function()


def test_an_attribute_that_a_branch_creates_can_be_taken_back(watcher):
    class Restoring(Watcher):
        def if_stmt(self, test, body, orelse, state):
            with recording() as journal:
                body()
                journal.undo()

    class Box:
        pass

    def f(x, box, table):
        if x:
            box.value = 1
            box.kept = 2
            rows = table.rows
            rows["a"] = 3
        return vars(box), table.rows

    box, table = Box(), Box()
    box.kept, table.rows = 0, {}
    assert Transpiler([Restoring()]).convert(f)(Traced(1), box, table) == ({"kept": 0}, {})
