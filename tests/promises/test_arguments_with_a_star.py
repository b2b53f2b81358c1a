"""`f(*items)` where only the run knows how many items there are."""

import functools
import io
import itertools
import math
from dataclasses import dataclass

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue, StateDisagrees
from tests.promises.kit import function_of


def grown(n):
    items = []
    for k in range(n):
        items.append(k * 2)
    return items


def printed(n):
    items, file = grown(n), io.StringIO()
    print(*items)
    print("a", *items, "b", *[f"{item:>3}" for item in items], sep="|", end="!\n")
    print(*items, file=file)
    return file.getvalue()


def of_all(*args, scale=1):
    return sum(args) * scale, len(args), list(args)


def of_some(a, *rest):
    return a, rest


def of_two(a, b):
    return a - b


def handed_on(f, *args, **options):
    return f(*args, **options)


class Row:
    def __init__(self, *items):
        self.items = list(items)

    def more(self, first, *others):
        return first, others, self.items

    def __call__(self, *others):
        return others


@dataclass
class Pair:
    x: int
    y: int


def taken_by_functions(n):
    items = grown(n)
    return (
        of_all(*items),
        of_all(1, *items, 5, scale=3),
        handed_on(of_all, *items),
        functools.partial(of_all, 4)(*items),
    )


def taken_by_classes(n):
    return Row(*grown(n)).items, Row()(*grown(n)), Row(1).more(n, *grown(n))


def taken_by_builtins(n):
    return max(*grown(n)), min(*grown(n), 7), list(itertools.chain(*[[k, k] for k in range(n)]))


def taken_apart(n):
    first, *others = [n, *grown(n), *range(n)]
    return first, others


def too_many_or_too_few(n):
    for f in of_two, of_some, Pair, Row(1).more, max:
        try:
            f(*grown(n))
        except TypeError as error:
            print(error)


@pytest.mark.parametrize(
    "program", [printed, taken_by_functions, taken_by_classes, taken_apart, too_many_or_too_few]
)
def test_arguments_are_as_many_as_the_run_has(program):
    ag.check(program, np.int64(3), then=[(np.int64(0),), (np.int64(1),), (np.int64(2),)])


def test_builtins_get_them_together():
    ag.check(taken_by_builtins, np.int64(3), then=[(np.int64(2),)])


def test_their_number_is_raised_as_python_raises_it():
    ag.check(lambda n: of_two(*grown(n)), np.int64(2), then=[(np.int64(3),), (np.int64(1),), (np.int64(0),)])


def test_who_fills_parameters_by_the_number_of_arguments_is_refused():
    def with_a_default(a, b=1):
        return a + b

    for f in with_a_default, lambda *args: args, "{} {}".format:
        with pytest.raises(NoConcreteValue, match="is given as many arguments as a tensor decides"):
            ag.function(lambda n, f=f: f(*grown(n)))(np.int64(2))


def pairs(n):
    return [(k / 4, k / 2) for k in range(n) if k != 1]


def unzipped(n):
    rows = [(0.0, np.ones(2))]
    for k in range(n):
        rows.append((k / 2, np.full(2, k)))
    times, states = zip(*rows)
    return times, np.array(states), max(times), len(states)


def columns_in_loops(n):
    out = []
    for column in zip(*pairs(n)):
        out.append(sum(column))
    return (
        out,
        [list(column) for column in zip(*pairs(n))],
        list(zip(*pairs(n))),
        list(map(max, zip(*pairs(n)))),
    )


def columns_of_rows(n):
    rows = []
    for k in range(n):
        rows.append(np.arange(3) + k)
    return [column[0] for column in zip(*rows, strict=True)], next(zip(*rows), None)


def columns_into_a_wrong_number(n):
    a, b, c = zip(*pairs(n))
    return a, b, c


def columns_with_a_star(n):
    first, *others = zip(*[(k, 2 * k, 3 * k) for k in range(n)])
    return first, others


@pytest.mark.parametrize(
    "program",
    [unzipped, columns_in_loops, columns_of_rows, columns_into_a_wrong_number, columns_with_a_star],
)
def test_zip_of_rows_that_only_the_run_counts_gives_their_columns(program):
    ag.check(program, np.int64(4), then=[(np.int64(0),), (np.int64(1),), (np.int64(7),)])


def test_zip_of_rows_that_were_never_there_gives_nothing():
    def columns(n):
        rows = []
        for k in range(n):
            rows = rows[:]
        return list(zip(*rows))

    ag.check(columns, np.int64(3))


def test_as_many_divisors_and_multiples_as_a_tensor_decides():
    def program(xs, least):
        kept = [int(x) for x in xs if x >= least]
        return math.gcd(*kept), math.lcm(*kept), math.gcd(12, *kept), math.lcm(*kept, 4)

    xs = np.array([4, 6, 10, -9])
    ag.check(program, xs, np.int64(5), then=[(xs, np.int64(9)), (xs, np.int64(99)), (xs, np.int64(-9))])


def board(n):
    rows = [[0] * n for _ in range(n)]
    for row in range(n):
        for column in range(n):
            rows[row][column] = row * 10 + column
    return rows


def turned_board(n, m):
    rows = board(n)
    for _ in range(m):
        rows = [list(row) for row in zip(*rows[::-1])]
    return rows, list(map(list, zip(*rows, strict=False)))


def ragged(n, m):
    rows = []
    for i in range(n):
        rows.append([i] * (i + m))
    return list(zip(*rows)), [sum(each) for each in zip(*rows)], len(list(zip(*rows))), sorted(zip(*rows))


def of_an_array(n, m):
    grid = np.arange(n * m).reshape(n, m)
    return [sum(each) for each in zip(*grid)], [max(each) for each in zip(*grid[::-1])]


def of_tuples(n, m):
    rows, total = [tuple(range(i, i + m)) for i in range(n)], 0
    for place, each in enumerate(zip(*rows)):
        if place % 2:
            total += sum(each)
        total += sum(one * other for one, other in itertools.pairwise(each))
    return total, any(all(number > 2 for number in each) for each in zip(*rows))


def taken_apart(n, m):
    first, *rest = zip(*[[i] * m for i in range(n)])
    return first, rest


def taken_apart_in_vain(n, m):
    one, other = zip(*[[i] * m for i in range(n)])
    return one, other


@pytest.mark.parametrize(
    "program", [turned_board, ragged, of_an_array, of_tuples, taken_apart, taken_apart_in_vain]
)
def test_zip_of_rows_of_any_length_gives_their_columns(program):
    i = np.int64
    ag.check(program, i(4), i(3), then=[(i(3), i(1)), (i(2), i(2)), (i(1), i(4)), (i(2), i(0))])


def test_rows_of_any_length_are_refused_by_a_strict_zip_with_a_way_out_that_works():
    def by_place(n):
        rows = board(n)
        return [[row[k] for row in rows] for k in range(len(rows[0]))]

    with pytest.raises(NoConcreteValue, match=r"`\[\[row\[k\] for row in rows\] for k in range"):
        ag.function(lambda n: [*zip(*board(n), strict=True)])(np.int64(3))
    ag.check(by_place, np.int64(3), then=[(np.int64(2),)])


def test_columns_are_unpacked_where_there_are_any():
    def f(xs, t):
        out = [(x, x * x) for x in xs if x > t]
        a, b = zip(*out) if out else ((), ())
        c, d = map(list, zip(*out)) if out else ([], [])
        first, *rest = xs[:2] if t > 2 else (t, t, 5.0)
        return a, b, c, d, first, len(rest)

    xs = np.array([1.0, 2.0, 3.0])
    ag.check(f, xs, np.float64(1.5), then=[(xs, np.float64(t)) for t in (0.0, 2.5, 9.0)])


def test_each_arm_says_how_many_values_it_has():
    def f(xs, t):
        try:
            a, b = [x for x in xs if x > t] if t > 0 else xs[:2] if t > -1 else (t, t)
        except ValueError as error:
            return str(error)
        return a, b

    xs = np.array([1.0, 2.0, 3.0])
    ag.check(f, xs, np.float64(1.5), then=[(xs, np.float64(t)) for t in (2.5, 0.5, 0.0, -2.0)])


NAMED = """
def taking(a, c=3, **more):
    return a, c, sorted(more.items())


class Held:
    def __init__(self, a, b=2):
        self.a, self.b = a, b

    def of(self, x, y=1):
        return self.a + self.b * x + y


ONE, OTHER = {"c": 1}, {"c": 2, "e": 5}


def f(x, n):
    given = {"a": x}
    if n > 1:
        given["c"] = n
    if n > 2:
        given["z"] = n * 2
    few = {}
    if n > 1:
        few["y"] = n
    chosen = ONE if n > 1 else OTHER
    try:
        twice = taking(x, c=1, **{key: few[key] for key in ()}, **few)
    except TypeError as error:
        twice = str(error)
    held = Held(**({"a": x, "b": x} if n > 1 else {"a": x}))
    return taking(**given), taking(x, **chosen), held.of(2, **few), held.of(**few, x=3), twice, dict(**given)
"""


def test_a_key_that_only_some_paths_have_put_in_is_given_on_these():
    ag.check(function_of(NAMED), 1, np.int64(1), then=[(1, np.int64(2)), (1, np.int64(3))])


def test_a_name_that_is_given_twice_on_some_paths_is_refused_on_these():
    program = function_of(
        """
def taking(a, c=3):
    return a + c


def f(x, n):
    more = {}
    if n > 1:
        more["c"] = n
    return taking(x, c=1, **more)
"""
    )
    graph = ag.function(program)
    assert graph(1, np.int64(1)) == 2
    with pytest.raises(TypeError, match=r"taking\(\) got multiple values for keyword argument 'c'"):
        graph(1, np.int64(2))


def test_keys_that_only_the_run_knows_are_no_names():
    program = function_of(
        """
def taking(**more):
    return sum(more.values())


def f(n):
    more = {}
    for i in range(n):
        more["abc"[i % 3]] = i
    return taking(**more)
"""
    )
    with pytest.raises(StateDisagrees, match=r"taking\(\*\*more\)[\s\S]*items.get"):
        ag.function(program)(np.int64(2))


@pytest.mark.parametrize("row", ["(k, k + 1)", "[k, -k]", "'ab'", "np.array([k, 3])[:1 + k]"])
def test_the_only_argument_of_max_and_min_is_what_they_look_through(row):
    f = function_of(f"def f(n):\n    rows = [{row} for k in range(n)]\n    return max(*rows), min(*rows)\n")
    ag.check(f, np.int64(1), then=[(np.int64(0),)] if "array" in row else [(np.int64(3),), (np.int64(0),)])


def test_one_argument_too_many_was_given_and_two_were():
    def none(**named):
        return sorted(named)

    def f(n):
        try:
            return none(*range(n))
        except TypeError as error:
            return str(error)

    ag.check(f, np.int64(3), then=[(np.int64(1),), (np.int64(0),)])
