"""Lists that get longer while something runs over them: it comes to the new items too, as in Python."""

import pytest

import autograph as ag
import runtime as rt
from runtime.errors import NoConcreteValue
from tests.beyond.kit import check


def a_list(n):
    q = [0]
    return [q.append(u + 1) or u for u in q if u < n], q


def without_a_condition(n):
    q = [0]
    return [(q.append(u + 1) if u < n else None) or u for u in q], q


def a_set(n):
    q = [n - n]
    return sorted({q.append(u + 1) or u for u in q if u < n}), q


def a_dict(n):
    q = [n - n]
    return sum({u: q.append(u + 1) or u for u in q if u < n}.values()), q


def a_comprehension_in_another(n):
    q = [0]
    return [each for u in q if u < n for each in (u, q.append(u + 1) or -u)], q


def pairs(n):
    q = [(0, n)]
    return [q.append((a + 1, b - 1)) or a + b for a, b in q if a < b], q


def numbered(n):
    q = [0]
    return [q.append(u + 1) or i * u for i, u in enumerate(q) if u < n], q


def beside_a_range(n):
    q = [0]
    return [q.append(u + 1) or i * u for i, u in zip(range(3), q, strict=False) if u < n], q


def an_iterator(n):
    q = [0]
    it = iter(q)
    return [q.append(u + 1) or u for u in it if u < n], q, next(it, -1)


def an_iterator_of_a_list_that_python_makes_longer(n):
    q = [n - n]
    it = iter(q)
    return [q.append(u + 1) or u for u in it if len(q) < 5], q, next(it, -1)


def of_many_items(n):
    q = [n - n] * 70
    return sum([u for u in q if u < n and not q.append(u + 1)]), len(q)


def in_a_loop(n):
    total = 0
    for k in range(n):
        q = [k - k]
        total += sum([q.append(u + 1) or u for u in q if u < k])
    return total


def builtins_that_take_all(n):
    q, r, s = [n - n], [n - n], [n - n]
    return (
        sum(q.append(u + 1) or u for u in q if u < n),
        sorted(r.append(u + 1) or -u for u in r if u < n),
        list(filter(lambda u: u < n and not s.append(u + 1), s)),
        q,
        r,
        s,
    )


def builtins_that_may_stop(n):
    q, r = [n - n], [n - n]
    return (
        any(q.append(u + 1) or u > 2 for u in q if u < n),
        all(not r.append(u + 1) for u in r if u < n),
        q,
        r,
    )


def a_loop_over_a_generator(n):
    q, total = [0], 0
    for u in (q.append(u + 1) or u for u in q if u < n):
        total += u
    return total, q


def a_list_that_gets_shorter(n):
    q = [n - n, n, n]
    return [q.pop() for u in q if u < n], q


@pytest.mark.parametrize(
    "program",
    [
        a_list,
        without_a_condition,
        a_set,
        a_dict,
        a_comprehension_in_another,
        pairs,
        numbered,
        beside_a_range,
        an_iterator,
        an_iterator_of_a_list_that_python_makes_longer,
        of_many_items,
        in_a_loop,
        builtins_that_take_all,
        builtins_that_may_stop,
        a_loop_over_a_generator,
        a_list_that_gets_shorter,
    ],
)
def test_a_comprehension_comes_to_the_items_that_its_turns_add(program):
    check(program, 4)


def test_python_cannot_run_over_a_list_that_a_tensor_makes_longer():
    def f(n):
        q = [n - n]

        def visit(u):
            if u < n:
                q.append(u + 1)
            return u

        return list(map(visit, q))

    with pytest.raises(NoConcreteValue, match="a list gets longer while Python runs over it"):
        ag.function(f)(rt.asarray(4))


# ── a strict zip ──


def of_a_list_of_python(n):
    q, total = [n - n], 0
    for u, i in zip(q, range(5), strict=True):
        if u < n:
            q.append(u + 1)
        total += u * i
    return total, q


def behind_others(n):
    q, total = [n - n], 0
    for i, u in zip([1, 2, 3, 4, 5], q, strict=True):
        if u < n:
            q.append(u + 1)
        total += u * i
    return total, q


def of_a_list_of_the_graph(n):
    q, total = [0 for _ in range(n)], 0
    for i, u in zip(range(6), q, strict=True):
        if len(q) < 5:
            q.append(i + 1)
        total += u * i
    return total, q


def beside_a_list_that_is_over(n):
    q, total = [n - n], 0
    for i, u in zip([7], q, strict=True):
        if u < n - 4:
            q.append(u + 1)
        total += u + i
    return total, q


def numbered_by_enumerate(n):
    q, total = [n - n], 0
    for k, (i, u) in enumerate(zip(range(5), q, strict=True)):
        if u < n:
            q.append(u + 1)
        total += u * i + k
    return total, q


def left_before_its_end(n):
    q, total = [n - n], 0
    for i, u in zip([1, 2, 3, 4, 5], q, strict=True):
        if u < n:
            q.append(u + 1)
        total += u * i
        if total > 5:
            break
    return total, q


def in_a_comprehension(n):
    q = [n - n]
    return [q.append(u + 1) or i for i, u in zip(range(5), q, strict=True) if u < n], q


def asked_by_hand(n):
    z = zip(range(9), [0 for _ in range(n)], strict=True)
    return next(z), next(z), list(z)


def of_three(n):
    return list(zip(range(n), range(n + 2), range(n - 1), strict=True))


@pytest.mark.parametrize(
    "program",
    [
        of_a_list_of_python,
        behind_others,
        of_a_list_of_the_graph,
        beside_a_list_that_is_over,
        numbered_by_enumerate,
        left_before_its_end,
        in_a_comprehension,
        asked_by_hand,
        of_three,
    ],
)
@pytest.mark.parametrize("n", [3, 4, 5, 9])
def test_a_strict_zip_looks_at_the_lengths_when_it_is_asked_for_more(program, n):
    try:
        program(n)
    except ValueError as error:
        check(program, n, raises=type(error))
    else:
        check(program, n)
