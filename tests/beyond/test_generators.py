"""Generator functions that staged code calls: what they yield, when their code runs, and who stops whom."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import GraphError, NoConcreteValue, RefusedType
from tests.beyond.kit import Same, check


def upto(n):
    i = 0
    while i < n:
        yield i
        i += 1


def loudly(n):
    print("started", n)
    for i in range(n):
        print("gives", i)
        yield i
    print("ended", n)


def naturals():
    i = 0
    while True:
        yield i
        i += 1


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


# ── the generator ──


def test_a_generator_consumes_another():
    def odd(items):
        for item in items:
            if item % 2 == 1:
                yield item

    def squared(items):
        for item in items:
            yield item * item

    def f(n):
        total = 0
        for each in squared(odd(upto(n))):
            total += each
        return total

    for n in (0, 6):
        check(f, n)


def test_yield_from():
    def both(n):
        yield -1
        yield from upto(n)
        yield from (10, 20)
        yield from [i * 2 for i in range(n)]

    def f(n):
        total = 0
        for i in both(n):
            if i == 20:
                break
            total = total * 3 + i
        return total

    for n in (0, 4):
        check(f, n)


def test_a_yield_in_branches_and_a_return():
    def collatz(n):
        while True:
            yield n
            if n == 1:
                return
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1

    def f(n):
        steps = 0
        highest = 0
        for value in collatz(n):
            steps += 1
            highest = max(highest, value)
        return steps, highest

    for n in (1, 7):
        check(f, n)


def test_the_value_of_a_return_is_evaluated():
    def two(x):
        yield 1
        yield 2
        return print("evaluated", x)

    def f(x):
        for i in two(x):
            x += i
        return x

    check(f, 1)


def test_an_empty_yield_and_an_empty_generator():
    def ticks(n):
        for _ in range(n):
            yield

    def none():
        return
        yield

    def f(n):
        count = 0
        for tick in ticks(n):
            if tick is None:
                count += 1
        for _ in none():
            count += 100
        return count

    for n in (0, 4):
        check(f, n)


def test_a_walk_over_a_tree():
    def walk(tree):
        if tree is not None:
            left, value, right = tree
            yield from walk(left)
            yield value
            yield from walk(right)

    def f(x):
        total = x
        for value in walk(((None, 1, None), 2, ((None, 3, None), 4, None))):
            if value < x:
                total = total * 2 + value
        return total

    for x in (0, 3, 9):
        check(f, x)


def test_a_method_that_is_a_generator():
    class Steps:
        def __init__(self, step):
            self.step = step
            self.given = 0

        def upto(self, n):
            i = 0
            while i < n:
                self.given += 1
                yield i
                i += self.step

    def f(n):
        steps = Steps(2)
        total = 0
        for i in steps.upto(n):
            total += i
        return total, steps.given

    for n in (0, 7):
        check(f, n)


def test_a_generator_function_within_the_function():
    def f(n, k):
        def multiples():
            for i in range(n):
                if i % k == 0:
                    yield i

        total = 0
        for i in multiples():
            total += i
        return total

    for pair in ((0, 2), (9, 4)):
        check(f, *pair)


def test_a_generator_changes_a_variable_of_its_function():
    def f(n):
        given = 0

        def items():
            nonlocal given
            for i in range(n):
                given += 1
                yield i

        total = 0
        for i in items():
            total += i * given
        return total, given

    for n in (0, 4):
        check(f, n)


def test_a_generator_reads_a_variable_of_its_function_that_has_no_value():
    def f(n):
        if n > 3:
            late = n * 2

        def items():
            yield n
            if n > 1:
                yield late

        total = 0
        for i in items():
            total += i
        return total

    ag.check(f, np.int64(3), then=[(np.int64(0),), (np.int64(5),)])


def test_defaults_and_keywords():
    def steps(n, *, step=2, **more):
        i = more.get("start", 0)
        while i < n:
            yield i
            i += step

    def f(n):
        total = 0
        for i in steps(n):
            total += i
        for i in steps(n, step=3, start=1):
            total += i
        return total

    check(f, 7)


def test_wrong_arguments_are_refused_where_the_generator_is_made():
    def f(n):
        upto(n, n)
        return n

    check(f, 3, raises=TypeError)


def test_a_generator_in_the_place_of_an_argument():
    def total(items, start):
        for item in items:
            start += item
        return start

    def f(n):
        return total(upto(n), 1)

    for n in (0, 4):
        check(f, n)


# ── exceptions ──


def test_the_generator_raises():
    def limited(n):
        for i in range(n):
            if i == 3:
                raise ValueError("three")
            yield i

    def f(n):
        total = 0
        for i in limited(n):
            total += i
        return total

    check(f, 2)
    check(f, 6, raises=ValueError)


def test_the_consumer_raises():
    def f(n):
        total = 0
        for i in upto(n):
            if i == 3:
                raise KeyError("three")
            total += i
        return total

    check(f, 2)
    check(f, 6, raises=KeyError)


def test_the_consumer_catches_what_the_generator_raises():
    def limited(n):
        for i in range(n):
            if i == 3:
                raise ValueError("three")
            yield i

    def f(n):
        total = 0
        try:
            for i in limited(n):
                total += i
        except ValueError:
            total += 100
        return total

    for n in (2, 6):
        check(f, n)


# ── builtins and comprehensions ──


def test_builtins():
    def f(n):
        return (
            sum(upto(n)),
            list(upto(n)),
            tuple(upto(n)),
            any(upto(n)),
            all(upto(n)),
            min(upto(n)),
            max(upto(n)),
            sorted(upto(n), reverse=True),
        )

    for n in (1, 4):
        check(f, n)


def test_any_all_and_in_stop_a_generator():
    def f(n):
        return (
            any(i > n for i in naturals()),
            all(i < n for i in naturals()),
            n in naturals(),
        )

    check(f, 4)


def test_comprehensions():
    def f(n):
        return [i * i for i in upto(n)], [i for i in upto(n) if i % 2 == 0], sum(i + 1 for i in upto(n))

    for n in (0, 5):
        check(f, n)


def test_enumerate_zip_map_and_filter():
    def f(n):
        total = 0
        for number, i in enumerate(upto(n), 1):
            total += number * i
        for i, j in zip(upto(n), upto(n + 2)):
            total += i * j
        for i in map(lambda i: i + 1, upto(n)):
            total += i
        for i in filter(lambda i: i > 1, upto(n)):
            total += i
        return total

    for n in (0, 5):
        check(f, n)


def test_a_comprehension_and_its_generator_take_turns():
    def say(i):
        print("takes", i)
        return i

    def f(n):
        return [say(i) for i in loudly(n)]

    check(f, 3)


def test_extend_and_unpacking():
    def f(n):
        found = [0]
        found.extend(upto(n))
        a, b = upto(2)
        return found, a, b

    check(f, 3)


# ── generators that Python runs ──


def test_next_and_then_a_loop():
    def three(x):
        yield x
        yield x + 1
        yield x + 2

    def f(x):
        items = three(x)
        first = next(items)
        total = first * 100
        for item in items:
            if item > 4:
                break
            total += item
        return total, next(items, -1)

    for x in (1, 3):
        check(f, x)


def test_a_generator_that_takes_what_is_sent():
    def averages():
        total = 0.0
        count = 0
        average = None
        while True:
            value = yield average
            total += value
            count += 1
            average = total / count

    def f(x):
        items = averages()
        next(items)
        items.send(x)
        return items.send(x + 2)

    check(f, 1)


@pytest.mark.parametrize("ask", [len, bool], ids=["len", "bool"])
def test_a_generator_that_python_runs_does_not_guess_what_a_list_of_the_graph_holds(ask):
    def f(n):
        found, counts = [], {}
        if n > 1:
            found.append(n)
            counts[n] = 1

        def sizes(held):
            sent = yield ask(held)
            yield sent or n

        return list(sizes(found)), list(sizes(counts))

    with pytest.raises(NoConcreteValue, match=r"Python asked (how long|whether) a list of the graph is"):
        ag.function(f)(np.int64(3))


def test_a_generator_with_a_finally():
    def three(x):
        try:
            yield x
            yield x + 1
        finally:
            closed.append(x)

    closed = []

    def f(x):
        total = 0
        for i in three(x):
            total += i
        return total, len(closed)

    def program(x):
        closed.clear()
        return f(x)

    check(program, 1)


def test_a_generator_that_ran_to_its_end_gives_no_more():
    def f(n):
        items = upto(n)
        total = 0
        for i in items:
            total += i
        for i in items:
            total += 100
        return total, list(items), next(items, -1)

    check(f, 3)


def test_a_generator_that_was_left_early_cannot_go_on():
    @ag.function
    def f(n):
        items = upto(n)
        for i in items:
            if i > 1:
                break
        return sum(items)

    with pytest.raises(GraphError, match="asked for items again"):
        f(rt.asarray(5))


def test_a_generator_made_before_a_loop_is_not_consumed_by_every_turn():
    @ag.function
    def f(n):
        items = upto(n)
        total = 0
        while n > 0:
            for i in items:
                total += i
            n -= 1
        return total

    with pytest.raises(GraphError, match="asked for items again"):
        f(rt.asarray(5))


def test_a_generator_that_branches_consume():
    def f(n):
        items = upto(n)
        total = 0
        if n > 3:
            for i in items:
                total += i
        else:
            for i in items:
                total -= i
        return total

    for n in (2, 5):
        check(f, n)


def test_a_generator_that_a_tensor_has_call_itself_is_refused():
    def down(n):
        if n > 0:
            yield n
            yield from down(n - 1)

    @ag.function
    def f(n):
        total = 0
        for i in down(n):
            total += i
        return total

    with pytest.raises(GraphError, match="calls itself where a tensor decides"):
        f(rt.asarray(5))


def test_strict_mode_leaves_generators_to_python():
    def f(n):
        total = 0
        for i in upto(n):
            total += i
        return total

    with pytest.raises(RefusedType, match="as a Python `bool`"):
        ag.function(f, strict=True)(rt.asarray(3))
    assert ag.function(f, strict=True)(3) == 3


def test_endless_generators_in_enumerate_zip_and_generator_expressions():
    def f(limit, items):
        for square in (i * i for i in naturals()):
            if square > limit:
                break
        for number, i in enumerate(naturals(), 5):
            if number * i > limit:
                break
        total = 0
        for i, item in zip(naturals(), items):
            total += i * item
        return square, number, i, total

    for limit in (0, 50):
        check(f, limit, [1, 2, 3, 4])


def test_zip_asks_in_the_order_of_its_arguments():
    def f(items, n):
        total = 0
        for item, i, again in zip(items, loudly(n), items):
            print("takes", item, i)
            total += i * item * again
        return total

    for n in (1, 3, 5):
        check(f, [1, 2, 3], n)


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


def test_a_generator_with_a_list_of_its_own():
    def primes(n):
        found = []
        for candidate in range(2, n):
            good = True
            for prime in found:
                if candidate % prime == 0:
                    good = False
                    break
            if good:
                found.append(candidate)
                yield candidate

    def f(n):
        total = 0
        for prime in primes(n):
            total += prime
        return total, list(primes(n))

    for n in (1, 20):
        check(f, n)


def test_a_walk_over_objects_that_a_tensor_ends():
    class Node:
        def __init__(self, value, *children):
            self.value = value
            self.children = children

        def walk(self, depth=0):
            yield self, depth
            for child in self.children:
                yield from child.walk(depth + 1)

    tree = Node(1, Node(2, Node(3)), Node(4))

    def f(x):
        for node, depth in tree.walk():
            if node.value * x > 5:
                return depth
        return -1

    for x in (0, 2, 10):
        check(f, x)


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


def test_a_generator_has_no_length_and_no_order_to_turn_round():
    for program in (lambda n: len(upto(n)), lambda n: reversed(upto(n)), lambda n: upto(n)[0]):
        with pytest.raises(TypeError):
            ag.function(program)(rt.asarray(3))
