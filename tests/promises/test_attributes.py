"""A value has for a program the attributes of what it stands for in plain Python, and no others."""

import collections
import contextlib
import dataclasses
import functools
import operator
import subprocess
import sys

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.backends.tensors.objects.attributes import OF_US
from autograph.backends.tensors.objects.classes import class_of
from autograph.staging.attributes import dict_of
from runtime.errors import NoConcreteValue, StateDisagrees
from tests.promises.kit import function_of

NAMES = [
    *("value", "spec", "graph", "numpy", "at", "static_shape", "shape", "dtype", "T", "item", "tolist"),
    *("__len__", "__iter__", "__getitem__", "__array__", "__array_interface__", "__float__", "__index__"),
    *("ndim", "real", "imag", "is_integer", "bit_length", "hex", "as_integer_ratio", "numerator"),
    *("items", "keys", "append", "add", "pop", "sort", "contents", "built", "length", "original", "upper"),
    *("start", "stop", "__next__", "send", "appendleft", "__dict__", "__slots__", "__weakref__"),
]


def asked(value):
    return [hasattr(value, name) for name in NAMES]


def arrays(x):
    return asked(x), asked(x[:1]), asked(x > 1), asked(np.zeros(3) + x[0])


def numbers_of_numpy(x):
    return asked(x.sum()), asked(x[0] > 1), asked(x.argmax())


def numbers_of_python(x):
    return asked(int(x[0])), asked(float(x[0])), asked(not x[0]), asked(len(x) * int(x[0]))


def a_number_of_one_kind_or_the_other(x):
    n = 0
    if x[0] > 1:
        n = x.argmax()
    return hasattr(n, "shape"), hasattr(n, "real"), hasattr(n, "value"), getattr(n, "ndim", -1)


def grown(x):
    items = []
    for i in range(int(x[0])):
        items.append(i)
    return items


def lists(x):
    return asked(grown(x)), asked(tuple(grown(x)))


def dicts_and_sets(x):
    numbers, members = {}, set()
    for i in range(int(x[0])):
        numbers[i] = i
        members.add(i)
    return asked(numbers), asked(members)


def texts(x):
    return asked(f"{x[0]}"), asked(str(x))


def ranges_and_iterators(x):
    return asked(range(int(x[0]))), asked(zip(x, x, strict=True)), asked(v for v in x)


def given_with_a_default(x):
    total, n = x.sum(), int(x[0])
    return (
        getattr(x, "value", 7),
        getattr(x, "spec", None),
        getattr(total, "__len__", 1),
        getattr(n, "shape", ()),
        getattr(x, "shape", ()),
        getattr(grown(x), "contents", 3),
    )


def caught(x):
    n = int(x[0])
    try:
        shape = n.shape
    except AttributeError:
        shape = ()
    try:
        host = x.numpy()
    except Exception:  # noqa: BLE001  # as careless programs do
        host = x + 1
    try:
        known = x.graph
    except AttributeError as error:
        known = str(error)
    return shape, host, known, x.shape


def suppressed(x):
    found = 0
    with contextlib.suppress(AttributeError):
        found = x.spec
    return found


def asked_by_a_pattern(x):
    match x:
        case object(value=_):
            return 1
        case object(shape=(n,)):
            return n
    return 0


def got_by_the_operator_module(x):
    try:
        return operator.attrgetter("value")(x)
    except AttributeError:
        return operator.attrgetter("shape", "T.ndim")(x)


def held_or_none(x):
    found = x if x[0] > 1 else None
    return hasattr(found, "shape"), hasattr(found, "value")


def listed(x):
    return [name for name in dir(x) if name[0] != "_"], "bit_length" in dir(int(x[0])), "T" in dir(x[0])


class Cell:
    def __init__(self, value):
        self.value = value


def of_instances(x):
    cells = [Cell(x[0]), Cell(x.sum())]
    cell = cells[0] if x[0] > 1 else cells[1]
    cell.value += 1
    return cell.value, [hasattr(each, "value") for each in cells], getattr(cell, "spec", 2)


@pytest.mark.parametrize(
    "program",
    [
        arrays,
        numbers_of_numpy,
        numbers_of_python,
        a_number_of_one_kind_or_the_other,
        lists,
        dicts_and_sets,
        texts,
        ranges_and_iterators,
        given_with_a_default,
        caught,
        suppressed,
        asked_by_a_pattern,
        got_by_the_operator_module,
        held_or_none,
        listed,
        of_instances,
    ],
)
def test_programs_see_the_attributes_of_what_a_value_stands_for(program):
    ag.check(program, np.array([3.0, 2.0]), then=[(np.array([1.0, 2.0]),)])


def test_what_a_graph_cannot_give_of_an_attribute_is_an_error_and_no_default():
    with pytest.raises(NoConcreteValue, match="__array_interface__"):
        ag.function(lambda x: getattr(x, "__array_interface__", None))(np.ones(2))


def test_a_program_may_call_what_only_tensors_have():
    changed = ag.function(lambda x: x.at[0].set(5.0))(rt.asarray([1.0, 2.0]))
    assert changed.numpy().tolist() == [5.0, 2.0]


class Kept:
    def __init__(self, x):
        self.x = x

    @functools.cached_property
    def double(self):
        return self.x * 2


def bound_on_some_paths(x):
    kept = Kept(x)
    if x[0] > 1:
        kept.last = kept.double
    return hasattr(kept, "last"), hasattr(kept, "double")


@pytest.mark.parametrize(
    "asks", [lambda x: "double" in vars(x), lambda x: len(vars(x)), lambda x: "last" in dir(x)]
)
def test_all_names_of_an_object_are_asked_for_where_only_the_run_knows_them(asks):
    def f(x):
        kept = Kept(x)
        if x[0] > 1:
            kept.last = kept.double
        return asks(kept)

    ag.check(bound_on_some_paths, np.array([3.0]), then=[(np.array([0.0]),)])
    graph = ag.function(f)
    assert graph(np.array([3.0])) == f(np.array([3.0]))
    with pytest.raises(StateDisagrees, match="are asked for where it has no 'last'"):
        graph(np.array([0.0]))


class Levelled:
    level = 0

    def __init__(self, x):
        self.x = x


def one_name_is_looked_up(x):
    kept, other = Kept(x), Levelled(x)
    if x[0] > 1:
        kept.last = kept.double
        other.level = 5
    chosen = other if x[0] > 2 else Levelled(x)
    names = "last" in kept.__dict__, "double" not in kept.__dict__, "level" in other.__dict__
    return *names, "nothing" in kept.__dict__, "level" in chosen.__dict__, other.level


def an_attribute_of_the_class_is_deleted(x):
    kept = Levelled(x)
    if x[0] > 1:
        kept.level = 5
    try:
        del kept.level
    except AttributeError as error:
        return str(error), kept.level
    return "gone", kept.level


def a_missing_attribute_is_read(x):
    kept = Kept(x)
    if x[0] > 1:
        kept.last = 1.0
    try:
        return "there", kept.last
    except AttributeError as error:
        return str(error), 0.0


def a_missing_attribute_is_asked_for(x):
    kept = Kept(x)
    if x[0] > 1:
        kept.last = 1.0
    try:
        return "there", getattr(kept, "last")  # the call is what is tested
    except AttributeError as error:
        return str(error), 0.0


def last_of(kept):
    return "there", [kept.last]


def a_missing_attribute_is_returned(x):
    kept = Kept(x)
    if x[0] > 1:
        kept.last = 1.0
    try:
        return last_of(kept)
    except AttributeError as error:
        return str(error), [0.0]


def a_missing_attribute_is_looked_at(x):
    kept = Kept(x)
    if x[0] > 1:
        kept.last = 1.0
    kept.last  # it raises
    return x


@pytest.mark.parametrize(
    "program",
    [
        one_name_is_looked_up,
        an_attribute_of_the_class_is_deleted,
        a_missing_attribute_is_read,
        a_missing_attribute_is_asked_for,
        a_missing_attribute_is_returned,
        a_missing_attribute_is_looked_at,
    ],
)
def test_whether_an_object_has_an_attribute_itself_is_known_by_path(program):
    ag.check(program, np.array([3.0]), then=[(np.array([0.0]),), (np.array([1.5]),)])


class Square:
    sides = 4


class Cube:
    sides = 12


def one_branch_makes_it_a_cube(n, shape):
    if n > 1:
        shape.__class__ = Cube
    return shape.sides


def a_turn_makes_it_a_cube(n, shape):
    for _ in range(n):
        shape.__class__ = Cube
    return shape.sides


@pytest.mark.parametrize("f", [one_branch_makes_it_a_cube, a_turn_makes_it_a_cube])
def test_an_object_does_not_get_another_class_on_some_paths_alone(f):
    shape = Square()
    with pytest.raises(StateDisagrees, match="gets another `__class__` on some paths alone"):
        ag.function(f)(np.int64(2), shape)
    assert type(shape) is Square


@dataclasses.dataclass(frozen=True)
class Frozen:
    x: object


class Guarded:
    def __init__(self, x):
        self._x = x

    @property
    def x(self):
        return self._x

    def __getattribute__(self, name):
        return (
            object.__getattribute__(self, "_x") * 2
            if name == "twice"
            else object.__getattribute__(self, name)
        )


def set_what_cannot_be_set(x):
    frozen, guarded, said = Frozen(x[0]), Guarded(x[1]), []
    for owner in (frozen, guarded):
        try:
            owner.x = x[0]
        except AttributeError as error:
            said.append(str(error))
    return said, frozen.x, guarded.x, guarded.twice


def test_what_cannot_be_set_says_so_as_in_python():
    ag.check(set_what_cannot_be_set, np.array([3.0, 2.0]))


def binds(value):
    value.value = 1


def adds(value):
    value.value += 1


def deletes(value):
    del value.value


def sets_what_is_there(value):
    value.count = value.add = value.size = value.sum = 1


def deletes_what_is_there(value):
    for delete in (deletes_a_method_of_lists, deletes_a_method_of_sets, deletes_a_size):
        delete(value)


def deletes_a_method_of_lists(value):
    del value.count


def deletes_a_method_of_sets(value):
    del value.add


def deletes_a_size(value):
    del value.size


def attributes_that_are_changed(x):
    numbers, found, by_number, last = set(), [], {}, collections.deque()
    for i in range(int(x[0])):
        numbers.add(i)
        found.append(i)
        by_number[i] = x
        last.append(i)
    said = []
    for value in (np.zeros(2) + x[0], x, x[0], np.zeros(2), numbers, found, tuple(found), by_number, last):
        for change in (binds, adds, deletes, sets_what_is_there, deletes_what_is_there):
            try:
                change(value)
            except AttributeError as error:
                said.append(str(error))
            else:
                said.append("nothing")
    return said, x.shape, len(found)


def test_an_attribute_is_changed_where_python_changes_it_and_refused_in_its_words_elsewhere():
    ag.check(attributes_that_are_changed, np.array([3.0, 2.0]), then=[(np.array([0.0, 1.0]),)])


def an_attribute_that_a_branch_changes(x):
    row, k = x * 2, 0
    try:
        if x[0] > 1:
            k += 1
            row.value += 1
        k += 5
    except AttributeError:
        k += 10
    return k, row


def test_a_branch_that_changes_an_attribute_of_an_array_goes_to_its_handler():
    ag.check(an_attribute_that_a_branch_changes, np.array([3.0]), then=[(np.array([0.0]),)])


class Open:
    total = 0

    def __init__(self):
        self.a = 1.0


class Slotted:
    __slots__ = ("a",)

    def __init__(self):
        self.a = 1.0


def deleted_twice(x, make):
    thing = make()
    if x > 0:
        del thing.a
    try:
        del thing.a
    except AttributeError:
        return -1
    return 2


def deleted_twice_by_a_call(x, make):
    thing = make()
    if x > 0:
        del thing.a
    try:
        delattr(thing, "a")
    except AttributeError:
        return -1
    return 2


def deleted_in_turns(x, make):
    thing, count = make(), 0
    for i in range(3):
        try:
            if i < x:
                del thing.a
        except AttributeError:
            count += 1
    return count


@pytest.mark.parametrize("make", [Open, Slotted])
@pytest.mark.parametrize("program", [deleted_twice, deleted_twice_by_a_call, deleted_in_turns])
def test_an_attribute_that_a_path_may_have_deleted_cannot_be_deleted_again(program, make):
    ag.check(lambda x: program(x, make), np.float64(1.0), then=[(np.float64(-1.0),), (np.float64(3.0),)])


@pytest.mark.parametrize("made", ["[]", "deque()", "()"])
def test_who_takes_a_sequence_for_a_dict_is_told_by_its_class(made):
    put = "rows += (i,)" if made == "()" else "rows.append(i)"
    source = f"def f(n):\n    rows = {made}\n    for i in range(n):\n        {put}\n    return rows.items()\n"
    ag.check(function_of(source, deque=collections.deque), np.int64(3))


MADE = {
    "list": "v = []\nfor i in range(n):\n    v.append(i)",
    "list of lists": "v = []\nfor i in range(n):\n    v.append([])\n    v[-1].append(i)",
    "row": "w = []\nfor i in range(n):\n    w.append([])\n    w[-1].append(i)\nv = w[-1]",
    "dict": "v = {}\nfor i in range(n):\n    v[i] = i",
    "defaultdict": "v = collections.defaultdict(list)\nfor i in range(n):\n    v[i].append(i)",
    "Counter": "v = collections.Counter()\nfor i in range(n):\n    v[i] += 1",
    "OrderedDict": "v = collections.OrderedDict()\nfor i in range(n):\n    v[i] = 1",
    "keys": "w = {}\nfor i in range(n):\n    w[i] = i\nv = w.keys()",
    "set": "v = set()\nfor i in range(n):\n    v.add(i)",
    "deque": "v = collections.deque(maxlen=2)\nfor i in range(n):\n    v.append(i)",
    "tuple": "v = ()\nfor i in range(n):\n    v = v + (i,)",
    "range": "v = range(n)",
    "str": "v = str(n)",
    "enumerate": "v = enumerate(range(n))",
    "generator": "v = (i for i in range(n))",
    "maybe None": "v = None\nif n > 1:\n    v = []\n    for i in range(n):\n        v.append(i)",
}
"""How a program makes a value of each kind whose contents only the run knows."""


def made(kind, use):
    body = "".join(f"    {line}\n" for line in [*MADE[kind].splitlines(), *use.splitlines()])
    return function_of(f"def f(n):\n{body}", collections=collections)


@pytest.mark.parametrize("name", ["length", "contents", "items", "value", "total"])
@pytest.mark.parametrize("kind", MADE)
def test_a_name_of_ours_is_none_of_a_program_s(kind, name):
    if name == "items" and kind in {"dict", "defaultdict", "Counter", "OrderedDict"}:
        name = "sort"
    if name == "total" and kind == "Counter":
        name = "elements_held"
    caught = f"try:\n    return v.{name}\nexcept AttributeError as error:\n    return str(error)"
    calls = [(np.int64(n),) for n in (3, 1)]
    ag.check(made(kind, f"return v.{name}"), *calls[0], then=calls[1:])
    ag.check(made(kind, caught), *calls[0], then=calls[1:])


@pytest.mark.parametrize("kind", MADE)
def test_whoever_reads_a_name_of_ours_is_asked_what_the_value_stands_for(kind):
    seen = []

    @ag.do_not_convert
    def look(value):
        names = {name for base in type(value).__mro__ for name in vars(base)} | {*dict_of(value, ())}
        public = {name for name in names if name[0] != "_" and not name.startswith("ag__")}
        seen.append(public - OF_US - {*dir(class_of(value))} - {"count", "index"})  # which say so themselves

    f = function_of(made_text(kind), collections=collections, look=look)
    ag.function(f)(np.int64(3))
    assert seen == [{*()}] * len(seen)
    assert seen


def test_names_of_ours_are_known_before_the_modules_that_have_them_are_loaded():
    before = "from autograph.backends.tensors.objects.attributes import OF_US"
    loaded = "[vars(each) for name, each in [*sys.modules.items()] if name.startswith('autograph.')]"
    after = "from autograph.backends.tensors.objects.attributes import _own_names"
    program = f"import sys, autograph as ag; ag.function; {before}; {loaded}; {after}; "
    program += "print(*[each for each in _own_names() - OF_US if not each.startswith('ag__')])"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.split() == []


def made_text(kind):
    return "def f(n):\n" + "".join(
        f"    {line}\n" for line in [*MADE[kind].splitlines(), "look(v)", "return 0"]
    )


def test_all_names_of_a_value_of_two_kinds_are_no_list():
    for text in ("None", "3"):
        f = function_of(
            f"def f(n):\n    v = {text}\n    if n > 1:\n        v = n\n    return 'real' in dir(v)\n"
        )
        with pytest.raises(NoConcreteValue, match="`dir` of"):
            ag.function(f)(np.int64(3))


@pytest.mark.parametrize("name", ["__repr__", "__len__", "__str__"])
def test_a_protocol_of_what_a_tensor_chooses_is_there_in_a_try_as_well(name):
    body = (
        f"    a = 'ab' if n > 1 else 'c'\n    try:\n        return a.{name}()\n    except AttributeError:\n"
    )
    ag.check(function_of(f"def f(n):\n{body}        return 0\n"), np.int64(3), then=[(np.int64(1),)])


def test_what_none_has_as_well_is_refused_of_a_value_that_may_be_none():
    def f(n):
        a = None if n > 1 else 3
        return a.__repr__()

    with pytest.raises(NoConcreteValue, match="`__repr__` of a value that is None on some paths"):
        ag.function(f)(np.int64(3))
