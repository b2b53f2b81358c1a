"""Syntax that a tensor decides: `match`, walrus, `and`/`or`, chains, truth, ternaries, generators."""

from collections import deque
from dataclasses import dataclass

import numpy as np
import pytest

import autograph as ag
from tests.beyond.kit import Same, check
from tests.promises.kit import function_of


@dataclass
class Point:
    """A class with positional patterns."""

    x: int
    y: int


class Color:
    """Names with dots."""

    RED = 1
    GREEN = 2


# ── match ──


def test_match_on_values():
    def f(n):
        match n:
            case 0:
                return 100
            case 1 | 2:
                return 200
            case -3:
                return 300
            case _:
                return n

    for n in (0, 1, 2, -3, 7):
        check(f, n)


def test_match_with_guards_and_captures():
    def f(n):
        match n * 2:
            case m if m > 10:
                result = m
            case 4 as m:
                result = -m
            case m if m < 0:
                result = m * m
            case _:
                result = 0
        return result

    for n in (7, 2, -3, 1):
        check(f, n)


def test_match_on_dotted_names():
    def f(n):
        match n:
            case Color.RED:
                return 10
            case Color.GREEN:
                return 20
        return 30

    for n in (1, 2, 3):
        check(f, n)


def test_match_on_sequences():
    def f(a, b):
        match (a, b):
            case (0, y):
                return y
            case (x, 0):
                return -x
            case (x, y) if x == y:
                return 1000
            case (x, *rest):
                return x + rest[0]

    for pair in ((0, 5), (5, 0), (4, 4), (1, 2)):
        check(f, *pair)


def test_match_on_the_rows_of_a_tensor():
    def f(items):
        match items:
            case [first]:
                return first
            case [first, *middle, last]:
                return first * last
        return -1

    check(lambda items: f(list(items)), Same([3]))
    check(lambda items: f(list(items)), Same([3, 4, 5]))


def test_match_on_mappings():
    def f(x):
        match {"kind": "move", "by": x}:
            case {"kind": "stop"}:
                return 0
            case {"kind": "move", "by": 0}:
                return 1
            case {"kind": "move", "by": by, **rest}:
                return by + len(rest)

    for x in (0, 5):
        check(f, x)


def test_match_on_classes():
    def f(x, y):
        match Point(x, y):
            case Point(0, 0):
                return 0
            case Point(x=0, y=height):
                return height
            case Point(width, 0):
                return -width
            case Point(a, b):
                return a * b

    for pair in ((0, 0), (0, 3), (4, 0), (4, 3)):
        check(f, *pair)


def test_match_without_a_case_that_fits():
    def f(n):
        result = -1
        match n:
            case 1:
                result = 10
            case 2:
                result = 20
        return result

    for n in (1, 2, 3):
        check(f, n)


def test_match_on_none():
    def f(n):
        found = n if n > 0 else None
        match found:
            case None:
                return -1
            case value:
                return value + 1

    for n in (1, -1):
        check(f, n)


def test_match_in_a_loop_with_jumps():
    def f(items):
        total = 0
        for item in items:
            match item:
                case 0:
                    continue
                case 9:
                    break
                case 8:
                    return -1
                case n if n % 2 == 0:
                    total += n
                case _:
                    total -= 1
        return total

    check(f, [2, 0, 3, 4, 9, 100])
    check(f, [2, 8, 3])
    check(f, [2, 2])


# ── walrus ──


def test_a_walrus_in_the_test_of_a_loop():
    def f(n):
        steps = 0
        while (half := n // 2) > 0:
            n = half
            steps += 1
        return steps, half

    for n in (1, 37):
        check(f, n)


def test_a_walrus_in_a_branch_and_in_logic():
    def f(x):
        if (y := x * 2) > 10 and (z := y - 10) > 3:
            return z
        return y

    for x in (1, 6, 9):
        check(f, x)


def test_a_walrus_in_a_ternary():
    def f(x):
        y = (z := x + 1) if x > 0 else (z := x - 1)
        return y * z

    for x in (3, -3):
        check(f, x)


# ── values of `and` and `or`, chains, truth ──


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")
def test_and_and_or_give_the_operand():
    def f(a, b):
        return a and b, a or b, (a or b) and a, not a or b

    for pair in ((0, 3), (2, 3), (2, 0), (0, 0)):
        check(f, *pair)


def test_a_default_by_or():
    def f(x):
        return (x if x > 0 else 0) or 10

    for x in (5, -5):
        check(f, x)


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")
def test_chained_comparisons():
    def f(a, b, c):
        if a < b <= c != 7:
            return 1
        return 0 <= a < 10

    for triple in ((1, 2, 3), (1, 2, 7), (5, 2, 3), (-1, -2, 0)):
        check(f, *triple)


def test_the_middle_of_a_chain_is_evaluated_once():
    def f(x):
        seen = [0]

        def middle():
            seen[0] += 1
            return x

        inside = 0 < middle() < 10
        return inside, seen[0]

    for x in (5, 50, -5):
        check(f, x)


def test_truth_of_numbers():
    def f(n):
        total = 0
        while n:
            total += n
            n -= 1
        if not total:
            return -1
        return total

    for n in (4, 0):
        check(f, n)


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")
def test_ternaries_of_mixed_dtype():
    def f(x):
        return 1 if x > 0 else 2.5

    for x in (3, -3):
        check(f, x)


def test_nested_ternaries():
    def f(x):
        return "low" if x < 0 else "high" if x > 10 else "middle"

    for x in (-1, 5, 11):
        check(f, x)


# ── generators ──


def test_a_generator_called_from_staged_code():
    def evens(n):
        for i in range(n):
            if i % 2 == 0:
                yield i

    def f(n):
        total = 0
        for even in evens(n):
            total += even
        return total

    for n in (0, 7):
        check(f, n)


def test_a_generator_with_a_while_loop_and_two_yields():
    def pairs(n):
        while n > 1:
            yield n
            n = n // 2
            yield -n

    def f(n):
        best = 0
        count = 0
        for value in pairs(n):
            if value > best:
                best = value
            count += 1
        return best, count

    for n in (1, 20):
        check(f, n)


def test_a_generator_that_is_left_early():
    def naturals():
        i = 0
        while True:
            yield i
            i += 1

    def f(limit):
        for i in naturals():
            if i * i > limit:
                return i
        return -1

    for limit in (10, 50):
        check(f, limit)


def test_builtins_take_generators():
    def squares(n):
        for i in range(n):
            yield i * i

    def f(n):
        return sum(squares(n)), list(squares(n))

    for n in (0, 5):
        check(f, n)


def test_a_list_and_a_comparison_in_a_test():
    def f(n):
        left = []
        for i in range(n):
            while left and left[-1] % 3 == 0:
                left.pop()
            left.append(i)
        return left if n > 3 and left else [n]

    for n in (0, 8):
        check(f, n)


def test_the_value_of_a_list_and_a_number_is_either():
    def f(n):
        items = []
        for i in range(n):
            items.append(i)
        last = items and items[-1]
        return last + 1

    check(f, 2)
    check(f, 0, raises=TypeError)


SUBJECTS = {
    "a text": "str(n)",
    "a tuple": "tuple(grown)",
    "a range": "range(n)",
    "a deque": "deque(grown)",
    "a list": "grown",
    "keys": "{k: 1 for k in grown}.keys()",
    "a set": "{*grown}",
    "an iterator": "iter(grown)",
}


@pytest.mark.parametrize("pattern", ["[x]", "[x, *y]", "[*y, x]", "[*y]", "[]"])
@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_sequence_pattern_takes_no_text_and_its_star_is_a_list(subject, pattern):
    lines = ["grown = []", "for i in range(n):", "    grown.append(i * 2)", "x, y = -1, []"]
    lines += [
        f"match {SUBJECTS[subject]}:",
        f"    case {pattern}:",
        "        r = 1",
        "    case _:",
        "        r = 2",
    ]
    body = "".join(f"    {line}\n" for line in [*lines, "return r, x, y"])
    f = function_of(f"def f(n):\n{body}", deque=deque)
    ag.check(f, np.int64(3), then=[(np.int64(1),), (np.int64(0),)])
