"""What an exception carries is the object that was raised with it: who changes it, changes that one."""

from collections import Counter, OrderedDict, defaultdict, deque
from functools import partial

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue, StateDisagrees


class Found(Exception):
    def __init__(self, path):
        super().__init__("found")
        self.path = path


class Cell:
    def __init__(self, value):
        self.value = value


OUTSIDE = [5.0]
HALVES = partial(max, 0.5)


def changed_by_the_handler(n, v):
    path = [1.0]
    try:
        if n > 1:
            raise Found(path)
        path.append(2.0)
    except Found as found:
        found.path.append(v)
    return path


def changed_beside_it(n, v):
    path, got = [1.0], None
    try:
        if n > 1:
            raise Found(path)
    except Found as found:
        got = found.path
    path.append(v)
    return got, path, got is path


def changed_outside(n, v):
    try:
        if n > 1:
            raise Found(OUTSIDE)
    except Found as found:
        found.path[0] += v
        return found.path is OUTSIDE, OUTSIDE[0]
    return True, OUTSIDE[0]


def changed_as_an_argument(n, v):
    counts = {"a": v}
    try:
        if n > 1:
            raise KeyError("name", counts)
    except KeyError as error:
        error.args[1]["a"] += 1.0
    return counts


def grown_before_it_is_raised(n, v):
    path = []
    try:
        for i in range(n):
            path.append(i * v)
        if n > 1:
            raise Found(path)
    except Found as found:
        return found.path, sum(found.path), found.path is path
    return path


def a_partial(n, v):
    try:
        if n > 1:
            raise Found(HALVES)
    except Found as found:
        return found.path is HALVES, found.path(v)
    return v


CARRIED = [
    changed_by_the_handler,
    changed_beside_it,
    changed_outside,
    changed_as_an_argument,
    grown_before_it_is_raised,
    a_partial,
]


@pytest.mark.parametrize("f", CARRIED, ids=lambda f: f.__name__)
def test_a_container_of_before_the_try_is_itself(f):
    ag.check(f, np.int64(3), np.float64(2.0), then=[(np.int64(n), np.float64(n)) for n in (2, 1, 5)])


MADE = {
    "a dict": lambda v: {"x": v, "y": 1},
    "a dict with numbers as keys": lambda v: {1: v},
    "a dict in a list": lambda v: [{"x": v}],
    "an instance": lambda v: Cell(v),
    "a list in a tuple": lambda v: (1, [v]),
}
READ = {
    "a dict": lambda x: (x["x"], x["y"]),
    "a dict with numbers as keys": lambda x: x[1],
    "a dict in a list": lambda x: x[0]["x"],
    "an instance": lambda x: x.value,
    "a list in a tuple": lambda x: x[1][0],
}


@pytest.mark.parametrize("form", MADE)
@pytest.mark.parametrize("where", ["an argument", "an attribute"])
def test_what_the_body_makes_has_the_values_of_the_run(form, where):
    make, read = MADE[form], READ[form]

    def f(n, v):
        try:
            if n > 2:
                raise Found(make(v)) if where == "an attribute" else ValueError(make(v))
            if n > 1:
                raise Found(make(-v)) if where == "an attribute" else ValueError(make(-v))
        except Found as found:
            return read(found.path)
        except ValueError as error:
            return read(error.args[0])
        return read(make(0.0))

    ag.check(f, np.int64(3), np.float64(2.0), then=[(np.int64(n), np.float64(n)) for n in (2, 1, 5)])


def filled(path):
    made = []
    made.append(path)
    return made


def set_later(path):
    made = {}
    made["path"] = path
    return made


AROUND = {
    "a list that is filled": (filled, lambda held: held[0]),
    "a dict that is filled": (set_later, lambda held: held["path"]),
    "a list": (lambda path: [path], lambda held: held[0]),
    "a tuple": (lambda path: (path, 1), lambda held: held[0]),
    "a dict": (lambda path: {"path": path}, lambda held: held["path"]),
    "an instance": (Cell, lambda held: held.value),
    "a deque": (lambda path: deque([path]), lambda held: held[0]),
}


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("where", ["in it", "beside it"])
def test_what_the_body_makes_of_what_was_there_holds_that(around, where):
    make, inside = AROUND[around]

    def f(n, v):
        path = [v]
        try:
            if n > 1:
                raise ValueError(make(path), path)
        except ValueError as error:
            changed = inside(error.args[0]) if where == "in it" else error.args[1]
            changed.append(5.0)
            return path, changed is path
        return path

    ag.check(f, np.int64(3), np.float64(2.0), then=[(np.int64(n), np.float64(n)) for n in (0, 2, 1)])


def of_two_lengths(n, v):
    try:
        if n > 1:
            raise ValueError([v] * 2)
        raise ValueError([v] * 3)
    except ValueError as error:
        return len(error.args[0])


def one_of_two_lists(n, v):
    one, other = [1.0], [2.0]
    try:
        if n > 1:
            raise ValueError(one)
        raise ValueError(other)
    except ValueError as error:
        error.args[0].append(v)
    return one, other


@pytest.mark.parametrize("f", [of_two_lengths, one_of_two_lists], ids=lambda f: f.__name__)
def test_an_argument_that_differs_from_raise_to_raise_is_no_text(f):
    with pytest.raises(NoConcreteValue, match="an argument of an exception that was caught is read"):
        ag.function(f)(np.int64(3), np.float64(2.0))


def test_it_may_be_raised_again_and_be_said():
    def f(n, v):
        try:
            try:
                if n > 1:
                    raise ValueError([v] * 2)
                if n > 0:
                    raise ValueError([v] * 3)
            except ValueError as error:
                if n > 3:
                    raise
                return str(error)
        except ValueError as error:
            return "again", str(error)
        return "nothing"

    ag.check(f, np.int64(3), np.float64(2.0), then=[(np.int64(n), np.float64(n)) for n in (0, 1, 5)])


class Carrying(Exception):
    def __init__(self, held):
        self.held = held


MAKERS = {
    "deque": lambda x: deque([x + 1, x]),
    "bounded": lambda x: deque([x * 2], maxlen=1),
    "ordered": lambda x: OrderedDict(a=x + 1, b=x),
    "counter": lambda x: Counter(a=x * 2),
    "default": lambda x: defaultdict(float, {"a": x * 2}),
    "nested": lambda x: [deque([OrderedDict(a=x + 1)]), x],
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize("kind", [ValueError, Carrying])
def test_deques_and_dicts_of_own_classes_are_in_what_is_raised(kind, make):
    def raises(x):
        if x > 0:
            raise kind(make(x))
        return x

    def raises_again(x):
        try:
            raises(x)
        except kind as error:
            print(error)
            raise
        return x

    def says(x):
        try:
            return raises(x)
        except kind as error:
            return str(error)

    for program in (raises, raises_again, says):
        ag.check(program, np.float64(4.0), then=[(np.float64(1.0),), (np.float64(-1.0),)])


def test_a_handler_has_the_deque_and_the_dict_that_were_raised():
    def of_a_deque(x):
        try:
            if x > 0:
                raise Carrying(deque([x + 1], maxlen=2))
        except Carrying as error:
            error.held.append(2.0)
            error.held.append(x)
            return error.held, error.held.maxlen
        return x

    def of_two_dicts(x):
        try:
            if x > 2:
                raise Carrying(OrderedDict(a=x + 1, b=x))
            if x > 0:
                raise Carrying(OrderedDict(a=x + 2, b=x))
        except Carrying as error:
            return error.held["a"], list(error.held)
        return x

    def of_a_list_within(x):
        path = []
        try:
            if x > 0:
                raise Carrying(deque([path, x + 1]))
        except Carrying as error:
            error.held[0].append(x)
        return path

    for program in (of_a_deque, of_two_dicts, of_a_list_within):
        ag.check(program, np.float64(4.0), then=[(np.float64(1.0),), (np.float64(-1.0),)])


def test_who_changes_a_copy_of_a_deque_that_was_raised_and_reads_the_other_is_told():
    def program(x):
        kept = deque([1.0])
        try:
            if x > 0:
                kept = deque([x + 1])
                raise Carrying(kept)
        except Carrying as error:
            error.held.append(5.0)
        return kept

    with pytest.raises(StateDisagrees, match="`kept` is read where an exception was caught"):
        ag.function(program)(np.float64(4.0))


@pytest.mark.parametrize("make", [lambda x: [x * 2], lambda x: deque([x * 2])], ids=["list", "deque"])
@pytest.mark.parametrize("kind", [ValueError, Carrying])
def test_what_a_handler_adds_to_an_argument_is_raised_again_with_it(kind, make):
    def inner(x):
        try:
            if x > 0:
                raise kind(make(x))
        except kind as error:
            (error.args[0] if kind is ValueError else error.held).append(x + 5)
            raise
        return x

    def outer(x):
        try:
            return inner(x)
        except kind as error:
            held = error.args[0] if kind is ValueError else error.held
            return held[0] + held[-1]

    for program in (inner, outer):
        ag.check(program, np.float64(4.0), then=[(np.float64(1.0),), (np.float64(-1.0),)])


class Cell:
    level = 0


LOW, HIGH = Cell(), Cell()
USES = {
    "set": lambda cell: setattr(cell, "level", 1),
    "deleted": lambda cell: delattr(cell, "level"),
    "is": lambda cell: cell is HIGH,
    "==": lambda cell: cell == HIGH,
    "hash": lambda cell: hash(cell) == hash(HIGH),
    "id": lambda cell: id(cell) == id(HIGH),
    "type": lambda cell: type(cell).__name__,
    "vars": vars,
    "in": lambda cell: cell in (LOW, HIGH),
}


@pytest.mark.parametrize("name", USES)
def test_an_argument_that_nobody_knows_is_refused_to_whoever_looks_at_it_or_changes_it(name):
    use = USES[name]

    def f(n):
        try:
            chosen = HIGH if n > 0 else LOW
            if n > 2:
                raise ValueError(chosen)
        except ValueError as error:
            return use(error.args[0])

    with pytest.raises(NoConcreteValue, match="an argument of an exception that was caught"):
        ag.function(f)(np.int64(3))


def test_an_attribute_of_one_is_not_set_in_vain():
    def f(n):
        try:
            chosen = HIGH if n > 0 else LOW
            if n > 2:
                raise ValueError(chosen)
        except ValueError as error:
            error.args[0].level = n

    with pytest.raises(NoConcreteValue, match="an argument of an exception that was caught"):
        ag.function(f)(np.int64(3))
