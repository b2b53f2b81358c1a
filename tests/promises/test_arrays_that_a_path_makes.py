"""An array of NumPy's that a path makes holds what it holds in Python, however it was made."""

from itertools import product

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees
from tests.promises.kit import function_of

WAYS = {
    "a product": "row = base @ base",
    "a sum": "row = base + 1",
    "a negation": "row = -base",
    "an operator in place": "row = base.copy(); row += base; row *= 2",
    "an operator in place of a name": "row = base; row = row + 1; row -= base",
    "an index of a list": "row = base[[1, 0]]",
    "an index of truth": "row = base[base > -1]",
    "a view of what an operator makes": "row = (base + 1)[::-1].T",
    "a row of it": "row = (base + 1)[1]",
    "a copy": "row = base.copy()",
    "another dtype": "row = base.astype(np.float32)",
    "a function": "row = np.where(base > 1, base, -base)",
    "a ufunc": "row = np.add(base, 1)",
    "a method of a ufunc": "row = np.add.accumulate(base)",
    "what is given out": "row = np.empty((2, 2)); np.add(base, 1, out=row)",
    "a call in a call": "row = np.asarray(base + 1).reshape(2, 2)",
    "a function of ours": "row = computed(base)",
    "two of a function of ours": "row, other = both(base)",
    "a function that is not converted": "row = plain(base)",
    "a comprehension": "row = [base * k for k in range(3)][2]",
    "a pair": "row, other = base + 1, base - 1; other[0] = row[1]",
    "a chain of names": "row = other = base + 1",
    "an attribute": "holder.row = base + 1; row = holder.row",
    "an item": "row = {'a': [base + 1]}['a'][0]",
    "a closure": "row = (lambda: base + 1)()",
    "a conditional expression": "row = base + 1 if base.sum() > 0 else base",
    "a loop": "for k in range(3):\n            row = base * k",
    "a branch": "row = base + 1\n        if n != 1:\n            row = base * 3\n            row[0] = 5.0",
}
PLACES = ("body", "late", "handler", "else", "finally", "behind")

PROGRAM = """
def f({parameters}):
    base = {base}
    row = np.zeros((2, 2))
    holder = Holder()
    try:
        {way}
        {body}
        if n == 1:
            raise ValueError
        {late}
        if n == 2:
            raise KeyError
        {early}
    except ValueError:
        {handler}
    except KeyError:
        row = row + 1
    else:
        {orelse}
    finally:
        {final}
    {behind}
    return row, base
"""


class Holder:
    pass


def computed(base):
    made = base * 2
    made[0] = made[1] + 1
    return made


def both(base):
    return base + 1, base - 1


@ag.do_not_convert
def plain(base):
    return np.flip(np.asarray(base)) + 0


def written(way, places, base, returns):
    """The program in which an array is made in this way and written to at these places."""
    writes = {place: "pass" for place in PLACES}
    for number, place in enumerate(places):
        value = ("v", f"{number}.0", "row[1]")[(number + len(way)) % 3]
        writes[place] = f"row[0] = {value}"
    early = "return row, base" if returns == "body" else "pass"
    orelse, final = writes.pop("else"), writes.pop("finally")
    text = PROGRAM.format(
        way=WAYS[way], early=early, orelse=orelse, final=final, **writes, base=base, parameters="n, v, x"
    )
    return function_of(text, Holder=Holder, computed=computed, both=both, plain=plain)


CALLS = [(np.int64(n), np.float64(n + 7), np.arange(4.0).reshape(2, 2)) for n in range(3)]


def compared(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("returns", ["body", "behind"])
def test_an_array_that_a_body_makes_is_written_to_wherever_that_may_be(way, returns):
    compared(written(way, PLACES, "np.arange(4.0).reshape(2, 2)", returns))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("way", ["a product", "an index of a list", "what is given out", "a pair"])
def test_an_array_that_a_body_makes_is_written_to_in_one_place(way, place):
    compared(written(way, [place], "np.arange(4.0).reshape(2, 2)", "behind"))


def all_programs():
    """For a search: the way, the places of writes, what it starts with, and where it returns."""
    places = [[], *[[place] for place in PLACES], *[list(pair) for pair in product(PLACES, PLACES)], PLACES]
    return product(WAYS, places, ("np.arange(4.0).reshape(2, 2)", "x"), ("body", "behind"))


TABLE = np.arange(4.0).reshape(2, 2)


def of_a_turn(n, v):
    total = 0.0
    for i in range(n):
        row = TABLE @ TABLE
        row[0, 0] = i * v
        row[1] += row[0]
        total += row.sum()
    return total


def of_a_turn_and_of_all(n, v):
    kept, total = TABLE - 1, 0.0
    for i in range(n):
        row = TABLE[[1, 0]]
        row[0] = kept[1]
        kept[i % 2] += row[1] * v
        total += row.sum()
    return total, kept


def of_a_branch_in_a_turn(n, v):
    row = TABLE
    for i in range(n):
        if i > 1:
            row = row @ row % 7
            row[0, 0] = v
            try:
                row = TABLE + TABLE
                row[0, 0] = 3
                if i > 2:
                    raise ValueError
                row[0, 1] = v
            except ValueError:
                row[1, 1] = v
    return row, TABLE


def of_a_try_in_a_turn(n, v):
    total = 0.0
    for i in range(n):
        try:
            row = TABLE + TABLE
            row[0, 0] = 3
            if i > 2:
                raise ValueError
            row[0, 1] = v
        except ValueError:
            row[1, 1] = v
        total += row.sum()
    return total


def of_a_try_in_a_branch(n, v):
    total = 0.0
    if n > 0:
        try:
            row = -TABLE
            row[0, 0] = 3
            if n > 2:
                raise ValueError
            row[0, 1] = v
        except ValueError:
            row[1, 1] = v
        total += row.sum()
    return total


def of_a_try_in_a_try(n, v):
    row = TABLE
    try:
        outer = TABLE - 1
        outer[0, 0] = 9
        late = TABLE * 2
        try:
            row = TABLE + TABLE
            row[0, 0] = 3
            late[0] = row[0]
            if n > 2:
                raise ValueError
            row[0, 1] = v
            outer[1, 1] = v
        except ValueError:
            row[1, 1] = v
            outer[0, 1] = v
            late[1] = v
        if n > 0:
            raise KeyError
        row[0] = 5
    except KeyError:
        row[1, 0] = v * 3
        outer[1] = row[1]
    return row, outer, late


@pytest.mark.parametrize(
    "program",
    [
        *(of_a_turn, of_a_turn_and_of_all, of_a_branch_in_a_turn, of_a_try_in_a_turn),
        *(of_a_try_in_a_branch, of_a_try_in_a_try),
    ],
)
def test_an_array_that_an_operator_makes_is_one_of_the_path_that_makes_it(program):
    calls = [(np.int64(n), np.float64(n + 2)) for n in (1, 0, 2, 3, 5)]
    ag.check(program, *calls[0], then=calls[1:])


def test_a_list_under_two_names_that_a_try_leaves_is_one_list_though_its_arrays_are_known():
    class Level:
        def __enter__(self):
            pass

        def __exit__(self, kind, error, trace):
            return kind is not None and issubclass(kind, KeyError)

    def program(x, n):
        rows = [x.copy(), np.zeros(4), x * 2]
        more, s = rows, 0.0
        with Level():
            if n > 1 or rows[-1] is more[0]:
                rows[0] += rows[-1][2]
                s = rows[2].sum()
            else:
                more = [r.copy() for r in rows]
            rows[0][:2] = s
            if n % 2 == 0:
                raise KeyError("no")
            return rows, more, s
        return rows, more, s

    calls = [(np.array([3.0, 1.0, 2.0, 0.0]), np.int64(n)) for n in (0, 3, 1, 2)]
    ag.check(program, *calls[0], then=calls[1:])


class Held:
    def __init__(self):
        self.sums = None
        self.same = None


def when_it_is_missing(xs):
    sums = None
    for x in xs:
        if sums is None:
            sums = np.zeros(2)
        sums[0] += x
    return sums


def when_it_is_missing_else_added_to(xs):
    sums = None
    for x in xs:
        if sums is None:
            sums = np.zeros(2)
        else:
            sums[0] += x
    return sums


def in_the_first_turn(xs):
    for number, x in enumerate(xs):
        if number == 0:
            sums = np.zeros(2)
        sums += x
    return sums


def in_a_branch_of_a_branch(xs):
    sums = None
    for x in xs:
        if x > 1:
            if sums is None:
                sums = np.zeros(2)
            sums[0] += x
        elif sums is not None:
            sums[1] -= x
        else:
            sums = np.ones(2)
    return sums


def in_a_loop_of_a_loop(xs):
    sums = None
    for x in xs:
        for y in xs:
            if sums is None:
                sums = np.zeros(2)
            if y > 2:
                sums[0] += x * y
        if x > 2:
            sums = None
    return sums


def under_two_names(xs):
    sums = same = None
    for x in xs:
        if sums is None:
            same = sums = np.zeros(2)
        else:
            sums[0] += x
        same[1] += 1
    return sums, same, sums is same


def held_by_an_object(xs):
    held = Held()
    for x in xs:
        if held.sums is None:
            held.sums = np.zeros(2)
            held.same = held.sums
        held.sums[0] += x
        held.same[1] -= x
    return held.sums, held.same


def handed_out_by_a_function(xs):
    held = Held()

    def sums():
        if held.sums is None:
            held.sums = np.zeros(2)
        return held.sums

    for x in xs:
        if x > 0:
            sums()[0] += x
        sums()[1] -= x
    return held.sums


@pytest.mark.parametrize(
    "program",
    [
        when_it_is_missing,
        when_it_is_missing_else_added_to,
        in_the_first_turn,
        in_a_branch_of_a_branch,
        in_a_loop_of_a_loop,
        under_two_names,
        held_by_an_object,
        handed_out_by_a_function,
    ],
    ids=lambda each: each.__name__,
)
def test_an_array_that_a_branch_makes_is_there_in_the_turns_that_follow(program):
    calls = [np.array([3.0, 1.0, 0.5]), np.array([-1.0, 1.0, 0.0]), np.array([0.5, 3.0, 2.0])]
    ag.check(program, np.array([1.0, 2.0, 3.0]), then=[(xs,) for xs in calls])


def test_an_array_that_a_branch_writes_into_an_attribute_has_what_it_has_written():
    def program(x):
        held = Held()
        if x > 0:
            held.sums = np.zeros(2)
            held.sums[0] += x
        return held.sums

    ag.check(program, np.float64(1.0), then=[(np.float64(-1.0),)])


def test_an_array_that_the_next_turn_has_under_two_names_is_refused():
    def program(xs):
        kept, new = None, np.ones(2)
        for x in xs:
            if kept is not None:
                kept[0] += x
            print(new[0])
            new = np.zeros(2)
            if x > 1:
                kept = new
        return kept, new

    with pytest.raises(StateDisagrees, match="does not settle"):
        ag.function(program)(np.array([1.0, 2.0, 3.0]))
