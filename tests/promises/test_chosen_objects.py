"""Programs with objects that a tensor chooses: what is done to one of them is done to that object."""

import copy
import enum
import functools
import math
import operator
from collections import defaultdict, deque
from dataclasses import dataclass

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import StateDisagrees
from tests.beyond.kit import check

MISSING = object()


class Level(enum.IntEnum):
    """An enum of numbers."""

    LOW = 0
    HIGH = 2


class Box:
    """An object with attributes that have names of ours, too."""

    def __init__(self, value):
        self.value = value
        self.number = 1
        self.candidates = 2
        self.valid = 3
        self.sum = 4
        self.name = "box"

    def add(self, x):
        if x > 1:
            self.value = self.value + x
        return self

    @property
    def twice(self):
        return self.value * 2


@dataclass
class Total:
    """A dataclass that changes."""

    value: float = 0.0


class Counting:
    """A method by the name of `go`."""

    def go(self, x):
        return x + 1


class Doubling:
    """Another one."""

    def go(self, x):
        return x * 2 if x > 1 else x


def numbers(v):
    level = Level.HIGH if v > 1.5 else Level.LOW
    return level + 1, level < 2, level == 2, int(level), [10, 20, 30][level], level is Level.LOW


def characters(v):
    word = "up" if v > 1.5 else "lo"
    text = ""
    for letter in word:
        text = letter + text
    first, second = word
    return (
        text,
        first,
        second,
        list(word),
        tuple(word),
        list(enumerate(word)),
        list(zip(word, "ab", strict=True)),
    )


def two_choices(v):
    word = "up" if v > 1.5 else "low"
    other = "up" if v > 0.5 else "u"
    return (
        word == other,
        word + other,
        word < other,
        word in other,
        other in word,
        word is other,
        [word, other],
    )


def an_item_of_a_dict(v):
    table = {"up": 1.0, "low": 2.0}
    key = "up" if v > 1.5 else "low"
    table[key] = v
    table[key] += 10
    return table, table.setdefault(key, 0.0)


def a_missing_key(v):
    table = {"up": 1.0}
    try:
        return table["up" if v > 1.5 else "low"]
    except KeyError:
        return -1.0


def a_number_in_a_text(v):
    text = "12" if v > 1.5 else "x"
    try:
        return int(text)
    except ValueError:
        return -1


def a_pattern(v):
    word = "up" if v > 1.5 else "low"
    match word:
        case "up":
            found = 1
        case _:
            found = 2
    match word:
        case str():
            found = found + 10
        case _:
            found = found + 20
    return found


def a_state_machine(n):
    state, seen = "a", 0
    for _ in range(n):
        seen = seen * 10 + len(state)
        state = {"a": "bb", "bb": "ccc", "ccc": "a"}[state]
    return seen, state


def a_sentinel(v):
    found = MISSING if v > 1.5 else v
    if found is MISSING:
        return 1.0
    return found + 1


def a_text_or_a_number(v):
    found = "low" if v > 1.5 else v
    if isinstance(found, str):
        return len(found)
    return 7


def classes(v):
    kind = Counting if v > 1.5 else Doubling
    made = kind()
    return made.go(v), kind is Counting, kind.__name__, isinstance(made, kind), issubclass(kind, Counting)


def builtin_functions(v):
    wave, best, fold = (math.sin, max, np.sum) if v > 1.5 else (math.cos, min, np.prod)
    add = operator.add if v > 1.5 else operator.mul
    return wave(v), best(v, 1.7), fold(np.array([v, 3.0])), wave is math.sin, best is min, add(v, 3)


def attributes(v):
    one, other = Box(1.0), Box(2.0)
    box = one if v > 1.5 else other
    box.value += 1
    box.number = 5
    box.add(v).add(v)
    box.new = v
    setattr(box, "set", v)
    found = box.value, box.number, box.candidates, box.valid, box.sum, box.name, box.twice, box.new, box.set
    return found, one.value, other.value, one.number, other.number, hasattr(one, "new"), box is one


def an_object_or_none(v):
    one = Box(1.0)
    box = one if v > 1.5 else None
    found = isinstance(box, Box), box is one, box is None, type(box) is Box, box == one
    if box is not None:
        box.value = 100.0
        box.valid += 1
    return found, one.value, one.valid


def a_list_or_none(v):
    one = [1.0]
    chosen = one if v > 1.5 else None
    if chosen is not None:
        chosen.append(v)
        chosen[0] = 5.0
    return one, chosen is one


def lists(v):
    one, other = [1.0], [2.0]
    chosen = one if v > 1.5 else other
    chosen.append(v)
    chosen[0] = 9.0
    chosen += [4.0]
    chosen.extend([v, 5.0])
    chosen.insert(1, v)
    last = chosen.pop()
    return one, other, last, chosen is one, len(chosen), v in chosen, chosen.index(4.0), chosen[-1]


def lists_by_statement(v):
    one, other = [1.0], [2.0, 3.0]
    if v > 1.5:
        chosen = one
    else:
        chosen = other
    chosen.append(float(v))
    return one, other, chosen is other, chosen == one, sum(chosen, 0.0), [x * 2 for x in chosen], max(chosen)


def lists_of_different_lengths(v):
    one, other = [1.0], [2.0, 3.0]
    chosen = one if v > 1.5 else other
    total = 0.0
    for x in chosen:
        total = total + x
    chosen.clear()
    return one, other, total


def dicts(v):
    one, other = {"x": 1.0}, {"x": 2.0}
    chosen = one if v > 1.5 else other
    chosen["x"] = v
    chosen["x"] += 1
    return (
        one,
        other,
        chosen["x"],
        len(chosen),
        chosen is one,
        "x" in chosen,
        list(chosen.items()),
        chosen.get("y", 3),
    )


def queues(v):
    one, other = deque([1.0]), deque([2.0])
    chosen = one if v > 1.5 else other
    chosen[0] = v
    return list(one), list(other)


def dataclasses_that_change(v):
    one, other = Total(1.0), Total(2.0)
    chosen = one if v > 1.5 else other
    chosen.value += v
    return one.value, other.value, chosen is one


def through_a_callee(v):
    def push(items, x):
        items.append(x)
        if x > 1.5:
            items[0] = x
        return items

    one, other = [1.0], [2.0]
    same = push(one if v > 1.5 else other, v)
    return one, other, same is one


def through_an_attribute(v):
    one, other = Box([1.0]), Box([2.0])
    box = one if v > 1.5 else other
    box.value.append(v)
    box.value[0] = 7.0
    return one.value, other.value


def in_a_loop(n):
    evens, odds = [], []
    for i in range(n):
        chosen = evens if i % 2 == 0 else odds
        chosen.append(i)
    return evens, odds


def swapped_in_a_loop(n):
    one, other = [3.0, 4.0], [1.0, 2.0]
    for i in range(n):
        one[0] = float(i)
        one, other = other, one
    return one, other


def methods_that_are_kept(v):
    one, other = [1.0], [2.0]
    add = one.append if v > 1.5 else other.append
    add(v)
    add(3.0)
    return one, other


def copies(v):
    one, other = [1.0, [2.0]], [3.0, [4.0]]
    chosen = one if v > 1.5 else other
    again, deep, short = list(chosen), copy.deepcopy(chosen), chosen[:1]
    again[0] = v
    again[1].append(v)
    deep[1].append(8.0)
    short.append(9.0)
    return one, other, again, deep, short


def left_early(v):
    one, other = [1.0], [2.0]
    chosen = one if v > 1.5 else other
    if v > 1.7:
        chosen.append(7.0)
        return one, other
    chosen.append(8.0)
    return one, other


def under_finally(v):
    one, other = [1.0], [2.0]
    chosen = one if v > 1.5 else other
    try:
        if v > 1.7:
            raise ValueError(v)
        chosen.append(3.0)
    except ValueError:
        chosen.append(4.0)
    finally:
        chosen[0] = 0.0
    return one, other


def in_a_closure(v):
    one, other = [1.0], [2.0]
    chosen = one if v > 1.5 else other

    def add(x):
        chosen.append(x)
        return len(chosen)

    return add(v), add(2.0), one, other


def chosen_twice(v):
    one, other, third = [1.0], [2.0], [3.0]
    first = one if v > 1.5 else other
    second = first if v > 0.5 else third
    second.append(v)
    first.append(0.0)
    return one, other, third, second is first, second is third


PROGRAMS = [
    *(numbers, characters, two_choices, an_item_of_a_dict, a_missing_key, a_number_in_a_text, a_pattern),
    *(a_sentinel, a_text_or_a_number, classes, builtin_functions, attributes, an_object_or_none),
    *(a_list_or_none, lists, lists_by_statement, lists_of_different_lengths, dicts, queues),
    *(dataclasses_that_change, through_a_callee, through_an_attribute, methods_that_are_kept, copies),
    *(left_early, under_finally, in_a_closure, chosen_twice),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_programs(program):
    for v in (1.0, 2.0, 0.0):
        check(program, v)


@pytest.mark.parametrize("program", [a_state_machine, in_a_loop, swapped_in_a_loop], ids=lambda p: p.__name__)
def test_programs_that_loop(program):
    for n in (0, 1, 5):
        check(program, n)


def test_what_is_wrong_for_one_object_is_wrong_where_it_is_chosen():
    def program(v):
        chosen = "text" if v > 1.5 else [1.0]
        chosen.append(v)
        return v

    check(program, 1.0)
    check(program, 2.0, raises=AttributeError)


def test_a_key_of_a_new_dict_is_chosen():
    def program(v):
        return {("up" if v > 1.5 else "low"): 1}

    check(program, 1.0)
    check(program, 2.0)


def test_the_next_item_of_a_chosen_iterator_is_refused():
    @ag.function
    def program(v):
        return next(iter([1.0]) if v > 1.5 else iter([2.0]))

    with pytest.raises(StateDisagrees, match="an iterator that a tensor chooses"):
        program(rt.asarray(1.0))


class Player:
    def __init__(self, value):
        self.value, self.hist = value, [value]


def a_list_or_its_copy(n, v, use):
    rows = [Player(v), Player(2.0), Player(n * 1.0)]
    team = list(rows)
    if v > 3.0:
        team = rows
    return use(team), rows, team


BUILTINS = {
    "max": lambda team: max(team, key=lambda row: row.value).value,
    "sorted": lambda team: [row.value for row in sorted(team, key=lambda row: -row.value)],
    "map": lambda team: list(map(lambda row: row.value * 2, team)),
    "filter": lambda team: len(list(filter(lambda row: row.value > 1.5, team))),
    "sum": lambda team: sum(row.value for row in team),
    "enumerate": lambda team: [i * row.value for i, row in enumerate(team)],
    "zip": lambda team: [one.value - other.value for one, other in zip(team, team, strict=True)],
}


@pytest.mark.parametrize("use", BUILTINS.values(), ids=BUILTINS)
def test_a_builtin_runs_over_a_list_or_a_copy_of_it_that_are_returned_too(use):
    def program(n, v):
        _, rows, team = found = a_list_or_its_copy(n, v, use)
        return found[0], [row.value for row in rows], [row.value for row in team], len(rows)

    ag.check(program, np.int64(3), np.float64(2.5), then=[(np.int64(1), np.float64(4.0))])


def the_most_of_a_list_or_its_copy(n, v):
    rows = [Player(v), Player(2.0)]
    team = list(rows)
    if v > 3.0:
        team = rows
    most = max(team, key=lambda row: row.value)
    return rows, team, most.value + n


def test_the_most_of_a_list_or_its_copy_is_found_where_both_are_returned():
    ag.check(
        the_most_of_a_list_or_its_copy, np.int64(3), np.float64(2.5), then=[(np.int64(1), np.float64(4.0))]
    )


@functools.singledispatch
def named(value):
    return "other"


@named.register
def _(value: int):
    return "int"


@named.register(np.int64)
def _(value):
    return "int of NumPy's"


@named.register(type(None))
def _(value):
    return "none"


class Teller:
    @functools.singledispatchmethod
    def tell(self, value):
        return "other"

    @tell.register
    def _(self, value: int):
        return f"int {value + 1}"

    @tell.register
    def _(self, value: list):
        return f"list of {len(value)}"


def test_the_class_of_what_was_chosen_chooses_a_function():
    def program(n):
        none_or_one, one_or_n, list_or_none = None if n > 1 else 1, 1 if n > 1 else n, [1] if n > 1 else None
        found = named(none_or_one), named(None if n > 1 else n), named(one_or_n), named(int(n)), named([n])
        return (
            found,
            Teller().tell(list_or_none),
            Teller().tell(none_or_one),
            Teller().tell([1] if n > 1 else 5),
        )

    ag.check(program, np.int64(3), then=[(np.int64(0),)])


@pytest.mark.parametrize("best", [max, min, sorted])
@pytest.mark.parametrize("are_chosen", [False, True], ids=["one", "chosen"])
@pytest.mark.parametrize("of", [list, lambda found: [(each, 1) for each in found]], ids=["members", "tuples"])
def test_members_without_an_order_are_refused_in_pythons_words(best, are_chosen, of):
    def collected(n):
        found = []
        for number in range(n):
            found.append(Plain.A if are_chosen and number > 0 else Plain.B)
        return best(of(found))

    def listed(n):
        chosen = Plain.A if n > 1 and are_chosen else Plain.B
        return best(of([chosen, Plain.B]))

    ag.check(collected, np.int64(4), then=[(np.int64(1),), (np.int64(2),)])
    ag.check(listed, np.int64(4), then=[(np.int64(1),)])


class Plain(enum.Enum):
    """Members of no order."""

    A = 1
    B = 2


class Shape:
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side * 1.0


class Square(Shape):
    def area(self):
        return self.side * self.side


class Big(Square):
    def area(self):
        return super().area() + super().area() * 100


def test_super_of_a_chosen_object_has_the_methods_that_come_behind_a_class():
    def at_once(n):
        shape = Square(n) if n > 2 else Big(n + 1)
        return super(Square, shape).area(), shape.area()

    def by_name(n):
        shape = Square(n) if n > 2 else Big(n + 1)
        found = super(Square, shape)
        return found.area()

    for program in (at_once, by_name):
        ag.check(program, np.int64(4), then=[(np.int64(1),)])


@pytest.mark.parametrize("made", ["of numbers", "of lists"])
def test_a_chosen_dict_that_makes_what_is_missing_makes_it_only_where_it_is_asked(made):
    def counted(n):
        chosen = defaultdict(int) if n != 5 else defaultdict(int, {7: 1})
        for i in range(n):
            chosen[0] += i
        return sorted(chosen.items())

    def asked(n):
        lists, others = defaultdict(list), defaultdict(list, {0: [7]})
        chosen = lists if n != 5 else others
        if n > 1:
            chosen[0]
        return len(lists), len(others), len(chosen)

    program = counted if made == "of numbers" else asked
    ag.check(program, np.int64(0), then=[(np.int64(n),) for n in (5, 1, 3)])


def test_a_dict_that_a_try_makes_gets_no_item_in_a_loop_of_no_turns():
    def program(n):
        try:
            groups = defaultdict(list)
            if n > 5:
                raise ValueError(n)
        except ValueError:
            groups = None
        for i in range(n):
            groups[0].append(i)
        return groups

    ag.check(program, np.int64(0), then=[(np.int64(3),)])
