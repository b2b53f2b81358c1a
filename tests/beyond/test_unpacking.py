"""Several targets at once: in assignments and loops, groups within groups, and lists of unknown lengths."""

import numpy as np
import pytest

import autograph as ag


def grown(n, v):
    run = [1.0]
    for _ in range(n):
        run.append(v)
    return run


def in_groups(n, v):
    run = grown(n, v)
    [first, *rest], last = run, v
    (a, (*b, c)), *d = (last, run), n, n
    e = f, (g, *h) = [v, run]
    return first, rest, last, a, b, c, d, len(e), f, g, h


def into_places(n, v):
    box, run = [0.0, 0.0, 0.0], grown(n, v)
    (box[0], *box[1:]), (box[0], k) = run, (v, n)
    return box, k


def in_a_loop(n, v):
    total = 0.0
    for first, *rest in [grown(n, v), (v, 2.0), [v]]:
        total += first - sum(rest, 0.0)
    return total


def in_a_loop_over_a_chosen_tuple(n, v):
    total = 0.0
    for first, *rest in [(1.0, v) if n > 1 else (v, 2.0, 1.0), (v, 2.0)]:
        total += first - sum(rest, 0.0)
    return total


def in_a_loop_with_groups(n, v):
    pairs = [(v, (n, v))]
    for i in range(n):
        pairs.append((v * i, (i, v)))
    total = 0.0
    for i, (a, (b, c)) in enumerate(pairs):
        total += a * b - c + i
    for (a, *b), c in [(grown(n, v), 1), (grown(n, 0.5), 2)]:
        total += a * c + len(b)
    return total, i


def of_two(n, v):
    total = 0.0
    for a, b in [grown(n, v), (v, 2.0)]:
        total += a * b
    return total


def in_comprehensions(n, v):
    pairs = [(grown(n, v), 1), (grown(n, 0.5), 2)]
    sums = [a * c + len(b) for (a, *b), c in pairs if c > n]
    of_rows = {c: [a, b] for a, *b in [grown(n, v), (v, 2.0)] for c in [len(b)]}
    return sums, of_rows, sum([a * b for i, (a, b) in enumerate([(v, n), (n, v)]) if i < n], 0.0)


PROGRAMS = [
    in_comprehensions,
    in_groups,
    into_places,
    in_a_loop,
    in_a_loop_over_a_chosen_tuple,
    in_a_loop_with_groups,
    of_two,
]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("n", [0, 1, 2])
def test_several_targets_take_what_the_run_has(program, n):
    ag.check(program, np.int64(n), np.float64(3.0), then=[(np.int64(2 - n), np.float64(0.5))])


def test_targets_get_their_values_from_left_to_right():
    def f(n, v):
        x = y = 0
        try:
            x, (a, *b), y = n, v, n
        except TypeError as error:
            return x, y, str(error)
        return x, y, a, b

    ag.check(f, np.int64(2), np.float64(3.0))


def test_a_loop_of_nothing_binds_none_of_its_targets():
    def f(n):
        a = b = -1
        for a, (b, _) in [(1, (2, 3))][:0]:
            pass
        for a, b in zip(range(n), range(n)):
            pass
        return a, b

    ag.check(f, np.int64(0), then=[(np.int64(2),)])


def said(unpack):
    def f(n, v):
        grown = [1.0]
        for _ in range(n):
            grown.append(v)
        number = int(n)
        maybe = None if n > 1 else (v, 2.0)
        one = v if n > 1 else (v, 2.0)
        try:
            return unpack(v, number, maybe, one, grown)
        except (TypeError, ValueError) as error:
            return str(error)

    return f


def of_a_number(v, number, maybe, one, grown):
    a, b = v
    return a, b


def of_a_number_with_a_star(v, number, maybe, one, grown):
    a, *b = v
    return a, b


def of_an_int(v, number, maybe, one, grown):
    a, b = number
    return a, b


def of_what_may_be_none(v, number, maybe, one, grown):
    a, b = maybe
    return a, b


def of_what_may_be_none_with_a_star(v, number, maybe, one, grown):
    a, *b = maybe
    return a, b


def of_one_of_two(v, number, maybe, one, grown):
    a, b = one
    return a, b


def of_too_many(v, number, maybe, one, grown):
    a, b = grown
    return a, b


def of_too_few_in_a_loop(v, number, maybe, one, grown):
    for a, b, *c in [grown]:
        pass
    return a, b, c


def of_none_in_a_loop(v, number, maybe, one, grown):
    for a, b in [maybe]:
        pass
    return a, b


REFUSED = [
    of_a_number,
    of_a_number_with_a_star,
    of_an_int,
    of_what_may_be_none,
    of_what_may_be_none_with_a_star,
    of_one_of_two,
    of_too_many,
    of_too_few_in_a_loop,
    of_none_in_a_loop,
]


@pytest.mark.parametrize("unpack", REFUSED)
def test_what_cannot_be_unpacked_is_refused_in_python_s_words(unpack):
    ag.check(said(unpack), np.int64(2), np.float64(3.0), then=[(np.int64(0), np.float64(0.5))])
