"""Comprehensions without tensors: what Python does."""

import pytest


def test_all_four_kinds(check):
    def f(items):
        return (
            [x * 2 for x in items],
            {x % 2 for x in items},
            {x: x * x for x in items},
            list(x + 1 for x in items),
            sum(x for x in items),
        )

    check(f, [3, 1, 2])


def test_conditions_and_several_loops(check):
    def f(rows):
        return (
            [x for row in rows for x in row if x % 2 if x > 1],
            {(x, y) for x in range(3) if x for y in range(x)},
            {x: y for x in "ab" for y in rows},
            list((x, y) for x in range(3) for y in range(x)),
        )

    check(f, [[1, 2, 3], [4, 5]])


def test_variables_are_found_where_python_finds_them(check):
    def f(x):
        y = 10
        values = [x + y for x in range(3)]
        nested = [[x * z for z in range(2)] for x in range(2)]
        return values, nested, x

    check(f, 7)


def test_functions_made_in_a_comprehension_see_its_variable_late(check):
    def f():
        return [make() for make in [lambda: x for x in range(3)]]

    check(f)


def test_a_name_bound_in_a_comprehension_is_bound_around_it(check):
    def f():
        found = [y for x in range(5) if (y := x * x) > 3]
        return found, y

    check(f)


def test_a_generator_takes_its_first_source_at_once_and_the_rest_late(check):
    def f():
        log = []

        def source(name, items):
            log.append(name)
            return items

        made = (
            log.append((x, y)) or x + y for x in source("first", [1, 2]) for y in source("second", [3, 4])
        )
        log.append("made")
        first = next(made)
        log.append("one")
        return first, list(made), log

    check(f)


def test_what_is_no_iterable_is_refused_when_the_generator_is_made(check):
    def f(items):
        made = (x for x in items)
        return "made", list(made)

    check(f, 5)


def test_a_variable_without_a_value(check):
    def f(flag):
        if flag:
            y = 1
        return [x + y for x in range(2)]

    check(f, True)
    check(f, False)


def test_targets_of_every_form(check):
    def f(pairs):
        box = [0]
        unpacked = [a - b for a, b in pairs]
        starred = [rest for _, *rest in pairs]
        items = [box[0] for box[0] in range(3)]
        return unpacked, starred, items, box

    check(f, [(1, 2), (3, 4)])


@pytest.mark.parametrize("values", [[1, 0], [0]])
def test_errors_are_those_of_python(check, values):
    def f(values):
        return [1 // value for value in values], [a for a, b in values]

    check(f, values)
