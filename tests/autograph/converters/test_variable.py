"""Variables: comprehensions, assignment expressions, `del`, and variables without a value."""

import pytest


def test_comprehensions_keep_their_own_names(check):
    def f(items):
        x = "outer"
        squares = [x * x for x in items if x % 2 == 0]
        pairs = {x: [y for y in range(x)] for x in items}
        lazy = sum(x if x > 1 else 0 for x in items)
        unique = {(last := x) for x in items}
        return x, squares, pairs, lazy, unique, last

    check(f, ([1, 2, 3, 4],))


def test_what_is_left_to_python_still_fails_on_unbound_variables(check):
    def f(n):
        if n:
            limit = n

        def numbers():
            yield limit

        return list(numbers())

    check(f, (0,), (1,))

    def g(n):
        if n:
            limit = n

        class Local:
            value = limit

        return Local.value

    check(g, (1,))
    with pytest.raises(NameError):
        g(0)


def test_assignment_expressions(check):
    def f(items):
        if (n := len(items)) > 2 and (first := items[0]):
            return n, first
        best = (m := max(items)) if items else (m := None)
        return n, best, m, (k := 3) and k

    check(f, ([],), ([1],), ([1, 2, 3],), ([0, 1, 2],))


def test_del_of_names_items_and_attributes(check):
    class Box:
        pass

    def f(items):
        box = Box()
        box.value = 1
        a, b = 1, 2
        del a, items[0], box.value
        try:
            return a  # noqa: F821  (the point)
        except UnboundLocalError:
            return items, hasattr(box, "value"), b

    check(f, ([1, 2],), ([],))


def test_except_binds_and_unbinds(check):
    def f(x):
        error = "before"
        try:
            if x:
                raise KeyError(x)
        except KeyError as error:
            x = repr(error)
        return x, error

    check(f, (0,), (1,))


def test_a_variable_deleted_in_a_loop_is_unbound_in_the_next_turn(check):
    def f(n):
        x = 1
        for _ in range(n):
            y = x
            del x
        return y

    check(f, (1,), (2,))
