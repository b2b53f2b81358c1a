"""Generator functions that staged code calls: what they yield, when their code runs, and who stops whom."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import NoConcreteValue
from tests.beyond.kit import Same, check, loudly, upto

# ── the consumer ──


def test_the_generator_and_its_consumer_take_turns():
    def f(n):
        total = 0
        for i in loudly(n):
            print("takes", i)
            total += i
        return total

    for n in (0, 3):
        check(f, n)


def test_a_generator_that_nobody_asks_does_nothing():
    def f(n):
        loudly(n)
        print("made", n)
        return n

    check(f, 3)


def test_a_call_in_the_place_of_a_generator_that_gives_none(capsys, recwarn):
    def nothing():
        return None

    def f(n):
        for i in nothing():
            n += i
        return n

    check(f, 3, raises=TypeError)
    assert "Exception ignored" not in capsys.readouterr().err


def test_break_and_continue():
    def f(n, limit):
        total = 0
        for i in upto(n):
            if i % 2 == 0:
                continue
            total += i
            if total > limit:
                break
        return total, i

    for pair in ((10, 100), (10, 5), (10, 0)):
        check(f, *pair)


def test_what_a_generator_does_after_it_was_left_is_not_done():
    def f(n, limit):
        for i in loudly(n):
            if i == limit:
                break
        return i

    for limit in (1, 7):
        check(f, 4, limit)


def test_return_in_the_middle():
    def f(n, wanted):
        for i in upto(n):
            if i * i == wanted:
                return i
        return -1

    for wanted in (9, 10):
        check(f, 6, wanted)


def test_a_loop_with_an_else():
    def f(n, wanted):
        for i in upto(n):
            if i == wanted:
                found = i
                break
        else:
            found = -1
        return found

    for wanted in (3, 30):
        check(f, 6, wanted)


def test_variables_of_the_loop_are_known_behind_it():
    def f(n):
        last = None
        for i in upto(n):
            last = i
            half = i / 2
        if n > 0:
            return last, half
        return last, -1.0

    for n in (0, 5):
        check(f, n)


def test_a_list_that_the_consumer_fills():
    def f(n):
        found = []
        for i in upto(n):
            if i % 2 == 1:
                found.append(i)
        return found, len(found)

    for n in (0, 6):
        check(f, n)


def test_objects_that_the_consumer_changes():
    class Counter:
        def __init__(self):
            self.count = 0

    def f(n, counter):
        for i in upto(n):
            counter.count += i
        return counter.count

    for n in (0, 4):
        check(f, n, Same(Counter()))


def test_variables_of_functions_around():
    def f(n):
        total = 0

        def add(i):
            nonlocal total
            total += i

        for i in upto(n):
            add(i)
        return total

    for n in (0, 4):
        check(f, n)


def test_a_loop_in_a_branch_and_a_branch_in_a_loop():
    def f(n, x):
        y = x
        if x > 0:
            for i in upto(n):
                if i > 1:
                    y += i
                else:
                    y -= 1
        return y

    for pair in ((4, 1), (4, -1), (0, 1)):
        check(f, *pair)


def test_a_loop_in_a_loop():
    def f(n):
        total = 0
        pairs = 0
        for i in upto(n):
            for j in upto(i):
                total += i * j
                pairs += 1
        return total, pairs

    for n in (0, 4):
        check(f, n)


def test_a_loop_in_a_while_loop():
    def f(n):
        total = 0
        while n > 0:
            for i in upto(n):
                if i > 2:
                    break
                total += i
            n -= 1
        return total

    for n in (0, 5):
        check(f, n)


def test_tuples_are_unpacked():
    def pairs(n):
        for i in range(n):
            yield i, i * 0.5

    def f(n):
        total = 0.0
        for i, half in pairs(n):
            total += i * half
        return total

    for n in (0, 4):
        check(f, n)


def test_a_variable_of_a_loop_that_never_ran():
    def f(n):
        for i in upto(n):
            last = i
        return last

    check(f, 3)
    check(f, 0, raises=UnboundLocalError)


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")
def test_numbers_become_wider_in_the_loop():
    def f(n):
        total = 0
        for i in upto(n):
            total += i * 0.5
        return total

    for n in (0, 4):
        check(f, n)


def test_return_from_a_loop_in_a_loop():
    def f(n):
        for i in upto(n):
            for j in upto(i):
                if i * j > 5:
                    return i, j
        return -1, -1

    for n in (3, 6):
        check(f, n)


def test_a_loop_over_a_generator_within_an_endless_loop():
    def f(n):
        while True:
            for i in upto(n):
                if i > 3:
                    break
            else:
                n += 1
                continue
            break
        return n, i

    check(f, 2)


def test_a_try_around_a_loop_in_which_the_consumer_raises():
    def f(n):
        try:
            for i in upto(n):
                if i == 2:
                    raise ValueError("two")
            raised = 0
        except ValueError:
            raised = 1
        finally:
            n = n + 1
        return raised, n

    for n in (2, 5):
        check(f, n)


def test_a_generator_that_python_runs_says_so_where_it_counts_to_a_tensor():
    def f(n):
        def waiting():
            try:
                for i in range(n):
                    yield i + 1
            finally:
                pass

        return sum(waiting())

    with pytest.raises(NoConcreteValue, match="Python runs this generator as it is"):
        ag.function(f)(rt.asarray(3))


def test_the_end_of_a_generator_is_caught_where_python_takes_its_items():
    def ends(x):
        numbers = upto(1)
        first = next(numbers)
        try:
            next(numbers)
        except StopIteration:
            return x + first
        return -x

    def gives(x):
        def averages():
            total, count, mean = 0.0, 0, None
            while True:
                item = yield mean
                if item is None:
                    return total, count
                total, count = total + item, count + 1
                mean = total / count

        means = averages()
        next(means)
        found = [means.send(each) for each in (x, x + 1)]
        try:
            means.send(None)
        except StopIteration as end:
            found.append(end.value)
        return found

    for program in (ends, gives):
        for n in (3.0, 4.0):
            check(program, n)


def test_generators_take_turns_in_a_queue_until_they_end():
    def f(x):
        log, waiting = [], [upto(2), upto(1)]
        while waiting:
            worker = waiting.pop(0)
            try:
                log.append(next(worker) + x)
                waiting.append(worker)
            except StopIteration:
                log.append(x)
        return log

    for n in (3.0, 4.0):
        check(f, n)


def halves(value):
    while value > 0:
        value = value // 2
        yield value


def two_lists(n, v):
    found, given = [], []
    for i in halves(40):
        given.append(v)
        if n > i:
            found.append(i)
    return found, given


def lists_of_the_caller(n, v, found, given):
    for _ in halves(2):
        given.append(v)
        if n > 0:
            found.append(0.0)


def one_list_in_two_generators(x, n, v):
    a = [2.0, 3.0]
    b = a
    for _ in halves(len(a) % 9):
        for _ in halves(len(a) % 9):
            for at, each in enumerate(b):
                a[at] = each
        else:
            b.insert(n, v)
    return a, b is a, len(x)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (two_lists, lambda: (np.int64(3), np.float64(2.0))),
        (lists_of_the_caller, lambda: (np.int64(3), np.float64(2.0), [], [1.0, 2.0])),
        (one_list_in_two_generators, lambda: (np.arange(4.0), np.int64(3), np.float64(2.0))),
    ],
)
def test_a_loop_of_a_generator_that_is_not_rolled_leaves_its_consumers_lists(function, arguments):
    ag.check(function, *arguments())
