"""Lists of numbers that grow, as machine code: what plain Python gives, on every call."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt


def primes(n):
    out = []
    for i in range(2, n):
        is_prime = True
        for p in out:
            if p * p > i:
                break
            if i % p == 0:
                is_prime = False
                break
        if is_prime:
            out.append(i)
    return len(out), out


def stack(n):
    out = [n]
    turns = 0
    while out:
        k = out.pop()
        turns += 1
        if k > 1:
            out.append(k // 2)
            out.append(k - 2)
    return turns


def queue(n):
    waiting = [n]
    total = 0
    while len(waiting) > 0 and total < 200:
        k = waiting.pop(0)
        total += k
        if k > 1:
            waiting.append(k // 2)
            waiting.append(k - 1)
    return total, waiting


def written(n):
    out = []
    for i in range(n):
        out.append(i * 2.5)
    out[0] = 5.0
    out[-1] += 1.0
    return out


def copies(n):
    a, b = [], []
    for i in range(n):
        a.append(i)
        b = a[:]
        b.append(-i)
    return a, b


def alias(n):
    a = []
    b = a
    for i in range(n):
        a.append(i)
        if i % 3 == 0:
            b.append(100)
    return a, len(b)


def swapped(n):
    a, b = [1], [2]
    for i in range(n):
        a, b = b, a + [i]  # noqa: RUF005  # the sum of two lists is what is meant
    return a, b


def rows(n):
    total = 0
    for i in range(n):
        row = []
        for j in range(i):
            row.append(i * j)
        for v in row:
            total += v
    return total


def sorted_in(n):
    out = []
    x = n
    for _ in range(n):
        x = (x * 7 + 3) % 31
        i = 0
        while i < len(out) and out[i] < x:
            i += 1
        out.insert(i, x)
    return out[::-1], out[1:3]


def kept(n):
    a = []
    for i in range(n):
        a.append(i % 2 == 0)
    b = list(a)
    b.append(True)
    while len(b) > 2:
        b.pop()
    return a, b, np.array(b)


def counted_down(n):
    out = []

    def go(k):
        if k > 0:
            out.append(k)
            go(k - 1)
            go(k - 2)

    go(n)
    return out


@pytest.mark.parametrize(
    "program",
    [primes, stack, queue, written, copies, alias, swapped, rows, sorted_in, kept, counted_down],
    ids=lambda each: each.__name__,
)
def test_a_program_does_what_python_does(program):
    ag.check(program, np.int64(7), then=[(np.int64(0),), (np.int64(20),)], executors=["auto"])
    graph = ag.function(program, jit_compile=True)
    graph(rt.asarray(5))
    assert "machine code" in graph.concrete_functions[0].report().counts


def emptied(n):
    out = [1, 2]
    while n > 0:
        out.pop()
        n -= 1
    return len(out)


def test_an_index_that_is_outside_raises_what_python_raises():
    graph = ag.function(emptied, jit_compile=True)
    assert int(graph(rt.asarray(2))) == 0
    for _ in range(3):
        with pytest.raises(IndexError, match="pop from empty list"):
            graph(rt.asarray(3))


def arrays(n):
    out = []
    for i in range(n):
        out.append(np.ones(3) * i)
    return out, len(out)


def popped(x, n):
    items = list(x)
    for _ in range(n):
        items.pop(-2)
        items.insert(1, 7.0)
    return items


@pytest.mark.parametrize(
    ("program", "arguments"), [(arrays, (np.int64(3),)), (popped, (np.arange(4.0), np.int64(2)))]
)
def test_lists_of_arrays_and_places_from_the_end_are_those_of_python(program, arguments):
    ag.check(program, *arguments, executors=["native"])


class Trie:
    def __init__(self):
        self.next = {}

    def add(self, word):
        node = self
        for letter in word:
            node = node.next.setdefault(letter, Trie())


def tries(codes):
    trie = Trie()
    for code in codes:
        trie.add("ab"[code])
    return "a" in trie.next, "b" in trie.next, len(trie.next)


def test_a_list_that_was_never_filled_is_one_of_what_it_would_hold():
    ag.check(tries, np.array([0, 1, 0, 0]), then=[(np.array([1, 1, 1, 1]),)], executors=["native"])
