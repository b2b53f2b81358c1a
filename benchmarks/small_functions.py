"""Small functions of lists, dicts, sets, heaps, text and records, for `later_calls`."""

from __future__ import annotations

import heapq
import itertools
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

__all__ = ["PROGRAMS"]


def statistics(x: float, y: float) -> dict[str, Any]:
    """A dict of results."""
    return {"sum": x + y, "mean": (x + y) / 2, "greater": x > y}


def label(x: float, n: int) -> str:
    """A text of numbers."""
    return f"x={x:.2f} n={n:>5d} {x * n:+.1e}"


def often(words: Sequence[str], least: int) -> Counter[str]:
    """Counts words."""
    found: Counter[str] = Counter()
    for word in words:
        if len(word) >= least:
            found[word] += 1
    return found


def initials(words: Sequence[str], least: int) -> dict[str, int]:
    """Counts letters, from 0 on."""
    found: defaultdict[str, int] = defaultdict(int)
    for word in words:
        if len(word) >= least:
            found[word[0]] += 1
    return dict(found)


def grades(scores: np.ndarray) -> list[str]:
    """A text for each number."""
    found = []
    for score in scores:
        if score >= 90:
            grade = "A"
        elif score >= 80:
            grade = "B"
        else:
            grade = "C"
        found.append(grade)
    return found


def enciphered(text: str, shift: int) -> str:
    """A text that grows."""
    found = ""
    for each in text:
        if each.isalpha():
            found += chr((ord(each) - 97 + shift) % 26 + 97)
        else:
            found += each
    return found


def runs(values: np.ndarray) -> list[tuple[int, int]]:
    """Equal numbers, counted."""
    found = []
    last, count = values[0], 0
    for value in values:
        if value == last:
            count += 1
        else:
            found.append((last, count))
            last, count = value, 1
    found.append((last, count))
    return found


def digit_sum(number: int) -> int:
    """Digits, read one by one."""
    return sum(int(digit) for digit in str(number))


def read(text: str, base: int) -> int:
    """A number in a base."""
    total = 0
    for each in text:
        total = total * base + (ord(each) - 48)
    return total


def in_order(values: np.ndarray) -> list[tuple[int, int]]:
    """A heap of tuples."""
    heap: list[tuple[int, int]] = []
    for place, value in enumerate(values):
        heapq.heappush(heap, (value, place))
    found = []
    while heap:
        found.append(heapq.heappop(heap))
    return found


def grouped(values: np.ndarray, count: int) -> dict[int, list[int]]:
    """A dict of lists."""
    found: dict[int, list[int]] = {}
    for value in values:
        found.setdefault(value % count, []).append(value)
    return found


@dataclass
class Account:
    """A record with methods that raise."""

    owner: str
    balance: float = 0.0
    log: list[float] = field(default_factory=list)

    def deposit(self, amount: float) -> None:
        """Adds to the balance."""
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount
        self.log.append(amount)

    def withdraw(self, amount: float) -> None:
        """Takes from the balance, if there is enough."""
        if amount > self.balance:
            raise ValueError("insufficient funds")
        self.balance -= amount
        self.log.append(-amount)


def bank(deposit: float, wanted: float) -> tuple[float, list[float]]:
    """Methods of a record, one of which raises."""
    account = Account("ann")
    account.deposit(deposit)
    try:
        account.withdraw(wanted)
    except ValueError:
        account.deposit(1.0)
    return account.balance, account.log


def even_squares(values: np.ndarray) -> list[int]:
    """A comprehension with a condition."""
    return [value * value for value in values if value % 2 == 0]


def by_key(values: np.ndarray) -> list[int]:
    """Sorted by a key."""
    return sorted(values, key=lambda value: -value)


def names_by_age(ages: np.ndarray) -> list[str]:
    """Dicts, sorted."""
    people = [{"name": name, "age": age} for name, age in zip(("ann", "bob", "cy", "dan"), ages, strict=True)]
    return [person["name"] for person in sorted(people, key=lambda person: person["age"])]


def table(x: float) -> str:
    """Lines of cells."""
    return "\n".join(" | ".join(f"{i * j * x:6.1f}" for j in range(1, 4)) for i in range(1, 4))


def of_sets(values: np.ndarray, count: int) -> tuple[list[int], int, list[int]]:
    """Operators of sets."""
    one, other = {value % count for value in values}, {1, 2, 3}
    return sorted(one & other), len(one | other), sorted(one - other)


def least_and_most(values: np.ndarray) -> dict[str, float]:
    """A loop, and a dict of what it found."""
    least = most = values[0]
    for value in values:
        least = min(least, value)
        most = max(most, value)
    return {"least": least, "most": most, "range": most - least}


def palindrome(text: str, count: int) -> bool:
    """Letters, turned around."""
    letters = "".join(each for each in text if each.isalpha())
    return letters[:count] == letters[:count][::-1]


def fizz(number: int) -> list[str]:
    """A text for each of 15 numbers."""
    found = []
    for each in range(1, 16):
        if each * number % 15 == 0:
            found.append("fizzbuzz")
        elif each * number % 3 == 0:
            found.append("fizz")
        elif each * number % 5 == 0:
            found.append("buzz")
        else:
            found.append(str(each))
    return found


def hexadecimal(number: int) -> str:
    """Digits, put in front."""
    found = ""
    while number:
        found = "0123456789abcdef"[number % 16] + found
        number //= 16
    return found or "0"


def flattened(values: np.ndarray) -> list[int]:
    """Rows, one after the other."""
    rows = [[value, value + 1] for value in values]
    return list(itertools.chain.from_iterable(rows))


def total(basket: dict[str, float], rate: float) -> float:
    """Items of a dict."""
    found = 0.0
    for name, price in basket.items():
        if name.startswith("t"):
            found += price * rate
        else:
            found += price
    return round(found, 2)


def reached(start: int) -> list[int]:
    """A graph, searched by a queue and a set."""
    graph = {0: [1, 2], 1: [3], 2: [3, 4], 3: [5], 4: [5], 5: []}
    seen, queue, found = set(), deque([start]), []
    while queue:
        vertex = queue.popleft()
        if vertex in seen:
            continue
        seen.add(vertex)
        found.append(vertex)
        for other in graph[vertex]:
            queue.append(other)
    return found


_TEXT = "the quick brown fox jumps over the lazy dog and the cat"
_VALUES = np.array([5, 3, 8, 8, 1, 9, 2, 2, 2, 7])

PROGRAMS: Sequence[tuple[Callable[..., Any], Callable[[], Sequence[Any]]]] = (
    (statistics, lambda: (np.float64(2), np.float64(5))),
    (label, lambda: (np.float64(2.5), np.int64(7))),
    (often, lambda: (_TEXT.split(), np.int64(3))),
    (initials, lambda: (_TEXT.split(), np.int64(3))),
    (grades, lambda: (_VALUES * 10,)),
    (enciphered, lambda: (_TEXT, np.int64(3))),
    (runs, lambda: (_VALUES,)),
    (digit_sum, lambda: (np.int64(98765),)),
    (read, lambda: ("1234567", np.int64(10))),
    (in_order, lambda: (_VALUES,)),
    (grouped, lambda: (_VALUES, np.int64(3))),
    (bank, lambda: (np.float64(10), np.float64(20))),
    (even_squares, lambda: (_VALUES,)),
    (by_key, lambda: (_VALUES,)),
    (names_by_age, lambda: (_VALUES[:4],)),
    (table, lambda: (np.float64(1.5),)),
    (of_sets, lambda: (_VALUES, np.int64(4))),
    (least_and_most, lambda: (_VALUES * 1.0,)),
    (palindrome, lambda: (_TEXT, np.int64(8))),
    (fizz, lambda: (np.int64(1),)),
    (hexadecimal, lambda: (np.int64(48879),)),
    (flattened, lambda: (_VALUES,)),
    (total, lambda: ({"tea": 1.5, "milk": 2.0}, np.float64(1.1))),
    (reached, lambda: (np.int64(0),)),
)
