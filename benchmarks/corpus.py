"""Calls into packages that make many small calls themselves: the call-heavy half of the slow-down table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, TypeAlias

__all__ = ["CALLS", "Prepare"]

Prepare: TypeAlias = Callable[[ModuleType], Callable[[], Any]]
"""A module, original or converted → the work to be timed."""

NUMBERS = [place * 7919 % 1009 for place in range(200)]
WORDS = ["fox", "dog", "cat", "owl", "bee", "ant"] * 8


def _sorted_list(use: Callable[[Any], Any]) -> Prepare:
    """Work on a sorted list that stays as it is."""

    def prepare(module: ModuleType) -> Callable[[], Any]:
        items = module.SortedList(NUMBERS)
        return lambda: use(items)

    return prepare


def _sorted_dict(use: Callable[[Any], Any]) -> Prepare:
    def prepare(module: ModuleType) -> Callable[[], Any]:
        table = module.SortedDict((number, number) for number in NUMBERS)
        return lambda: use(table)

    return prepare


def _refill(items: Any) -> None:
    for number in (5, 500, 1000):
        items.add(number)
        items.remove(number)


def _replace(table: Any) -> None:
    for key in (-1, 2000):
        table[key] = key
        del table[key]


def _cache(kind: str) -> Prepare:
    """Forty keys go through a cache that holds ten."""

    def prepare(module: ModuleType) -> Callable[[], Any]:
        cache = getattr(module, kind)(maxsize=10)

        def work() -> None:
            for key in range(40):
                cache[key % 15] = key
                cache.get(key)

        return work

    return prepare


def _cached(module: ModuleType) -> Callable[[], Any]:
    add = module.cached(module.LRUCache(maxsize=100))(lambda a, b: a + b)
    return lambda: [add(number % 10, 1) for number in range(30)]


def _composed(module: ModuleType) -> Callable[[], Any]:
    function = module.compose(abs, int, float, str)
    return lambda: function(-3)


def _curried(module: ModuleType) -> Callable[[], Any]:
    add = module.curry(lambda a, b, c: a + b + c)
    return lambda: add(1)(2)(3)


CALLS: Mapping[str, Mapping[str, Prepare]] = {
    "sortedcontainers": {
        "SortedList(200 numbers)": lambda module: lambda: module.SortedList(NUMBERS),
        "SortedList.add, remove": _sorted_list(_refill),
        "SortedList.__contains__": _sorted_list(lambda items: [number in items for number in range(20)]),
        "SortedList.__getitem__": _sorted_list(lambda items: [items[place] for place in range(20)]),
        "SortedList.bisect": _sorted_list(lambda items: [items.bisect(place) for place in range(20)]),
        "SortedList.count": _sorted_list(lambda items: [items.count(place) for place in range(20)]),
        "SortedList.index": _sorted_list(lambda items: items.index(NUMBERS[7])),
        "SortedList.irange": _sorted_list(lambda items: list(items.irange(100, 200))),
        "SortedDict.__setitem__, __delitem__": _sorted_dict(_replace),
        "SortedDict.peekitem": _sorted_dict(lambda table: table.peekitem(5)),
        "SortedDict.setdefault": _sorted_dict(lambda table: table.setdefault(7, 0)),
        "SortedSet.union": lambda module: lambda: module.SortedSet(NUMBERS[:20]).union(NUMBERS[10:30]),
    },
    "cachetools": {
        "LRUCache": _cache("LRUCache"),
        "LFUCache": _cache("LFUCache"),
        "FIFOCache": _cache("FIFOCache"),
        "@cached": _cached,
    },
    "toolz": {
        "compose": _composed,
        "curry": _curried,
        "groupby": lambda module: lambda: module.groupby(len, WORDS),
        "merge_with": lambda module: lambda: module.merge_with(sum, {1: 1, 2: 2}, {1: 10, 2: 20}),
        "get_in": lambda module: lambda: module.get_in(["a", "b", 0], {"a": {"b": [1]}}),
        "assoc_in": lambda module: lambda: module.assoc_in({"a": {}}, ["a", "b"], 1),
        "valmap": lambda module: lambda: module.valmap(abs, dict.fromkeys(range(20), -1)),
        "frequencies": lambda module: lambda: module.frequencies(WORDS),
        "reduceby": lambda module: lambda: module.reduceby(len, lambda total, _: total + 1, WORDS, 0),
    },
    "more_itertools": {
        "all_equal": lambda module: lambda: module.all_equal(WORDS),
        "bucket": lambda module: lambda: list(module.bucket(WORDS, key=len)[3]),
        "chunked": lambda module: lambda: list(module.chunked(NUMBERS, 5)),
        "divide": lambda module: lambda: module.divide(5, NUMBERS),
        "first": lambda module: lambda: module.first(NUMBERS),
        "minmax": lambda module: lambda: module.minmax(NUMBERS),
        "nth_permutation": lambda module: lambda: module.nth_permutation(range(8), 4, 1234),
        "one": lambda module: lambda: module.one([1]),
        "peekable": lambda module: lambda: list(module.peekable(NUMBERS[:30])),
        "spy": lambda module: lambda: module.spy(NUMBERS, 3),
    },
}
"""package → what is called → how the work is made."""
