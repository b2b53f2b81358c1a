"""What the code of a generator function may do, and what of it is seen by who consumes it."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import GraphError, RefusedType
from tests.beyond.kit import check, upto

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


def test_so_is_one_that_is_given_longer_tuples_or_strings_in_each_call():
    def orders(n, chosen=()):
        if len(chosen) == n:
            yield chosen
        else:
            yield from orders(n, (*chosen, 1))

    def words(n, *, begun=""):
        if len(begun) == n:
            yield begun
        else:
            yield from words(n, begun=begun + "a")

    for generator in orders, words:
        with pytest.raises(GraphError, match="calls itself where a tensor decides"):
            ag.function(lambda n: len(list(generator(n))))(rt.asarray(5))


def test_one_that_python_ends_may_call_itself_with_longer_tuples():
    def orders(xs, chosen=()):
        if len(chosen) == len(xs):
            yield sum(chosen)
        elif xs[len(chosen)] > 0:
            yield from orders(xs, (*chosen, xs[len(chosen)]))

    def f(xs):
        return [2 * total for total in orders(xs)]

    check(f, np.arange(1, 7))


def test_strict_mode_leaves_generators_to_python():
    def f(n):
        total = 0
        for i in upto(n):
            total += i
        return total

    with pytest.raises(RefusedType, match="as a Python `bool`"):
        ag.function(f, strict=True)(rt.asarray(3))
    assert ag.function(f, strict=True)(3) == 3


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
