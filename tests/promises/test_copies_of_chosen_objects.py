"""What is made of an object that a tensor chooses, and what a handler finds that a `try` has changed."""

from __future__ import annotations

import dataclasses
import heapq

import numpy as np
import pytest

import autograph as ag
from tests.promises.names import check

COPIED_UNLESS_IT_IS_NEW = """
m = {"a": [1.0]}
q = m
for i in range(n):
    if m is q:
        m = {key: list(item) for key, item in m.items()}
    else:
        m["a"].append(x)
return m, q
---
m = {"a": [1.0]}
q = m
for i in range(n):
    try:
        if m is q:
            raise ValueError
        m["a"].append(x)
    except ValueError:
        m = {key: list(item) for key, item in m.items()}
return m, q
---
box = Box({"a": [1.0]})
q = box.v
for i in range(n):
    if box.v is q:
        box.v = {key: list(item) for key, item in box.v.items()}
    else:
        box.v["a"].append(x)
return box.v, q
---
m = [[1.0], [2.0]]
q = m
for i in range(n):
    if m is q:
        m = [list(item) for item in m]
    else:
        m[1].append(x)
return m, q
---
m = {"a": [[1.0], [2.0]]}
q = m
for i in range(n):
    if m is q:
        m = {key: [list(row) for row in item] for key, item in m.items()}
    else:
        m["a"][1].append(x)
return m, q
---
m = {"a": {"b": 1.0}}
q = m
for i in range(n):
    if m is q:
        m = {key: dict(item) for key, item in m.items()}
    else:
        m["a"]["b"] += x
return m, q
---
m = {"a": deque([1.0])}
q = m
for i in range(n):
    if m is q:
        m = {key: deque(item) for key, item in m.items()}
    else:
        m["a"].append(x)
return m, q
---
m, q = {"a": [1.0]}, {"a": [2.0]}
first = m
for i in range(n):
    if m is first:
        q["a"].append(x)
    m, q = q, m
return m, q, first
---
m = {"a": [1.0]}
q = m
for i in range(n):
    for _ in range(2):
        if m is q:
            m = {key: list(item) for key, item in m.items()}
        else:
            m["a"].append(x)
return m, q
""".strip().split("\n---\n")


@pytest.mark.parametrize("text", COPIED_UNLESS_IT_IS_NEW)
def test_what_a_turn_puts_into_a_copy_is_there_in_later_turns(text):
    check(text)


def test_a_chosen_dict_is_copied_by_dict():
    def f(n):
        low, high = {"a": 1}, {"b": 2}
        chosen = low if n > 1 else high
        copied = dict(chosen)
        turned = low
        for _ in range(n):
            turned = dict(turned)
        return copied, turned, turned is low

    ag.check(f, np.int64(2), then=[(np.int64(0),)])


def test_a_try_that_always_raises_gives_its_containers_to_the_handler():
    def f(v):
        total, heap = 0.0, [1.0, 3.0]
        try:
            try:
                total = v
            finally:
                if heap:
                    total += heapq.heappop(heap)
                heapq.heappush(heap, v)
            raise ValueError
        except ValueError:
            total += heapq.heapreplace(heap, v)
        return heap, total

    ag.check(f, np.float64(2.0))


def test_a_list_that_a_try_puts_into_another_holder_is_one_list_in_both():
    def f(n, v):
        inner = [0.5]
        first, second = [inner], [[1.0]]
        try:
            second[0] = first[0]
            if n > 2:
                raise ValueError
        except ValueError:
            second[0].append(v)
        return first, second

    ag.check(f, np.int64(3), np.float64(2.0), then=[(np.int64(1), np.float64(1.0))])


@dataclasses.dataclass
class Part:
    number: int
    inside: object = None
    rest: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Small:
    size: int


def taken_apart(n):
    part = Part(n, Part(1) if n > 1 else None, [Small(n + 1) if n > 2 else Small(0)])
    other = Part(0, {"k": Small(n) if n > 1 else None}, [(n, Small(2))])
    grown = Part(n)
    for i in range(n):
        grown.rest.append(Small(i))
    chosen = [Part(1), Part(2, Small(4))][1 if n > 1 else 0]
    parts = [dataclasses.asdict(each) for each in (part, other, grown, chosen)]
    return parts, [dataclasses.astuple(each) for each in (part, other, grown, chosen)]


def test_what_dataclasses_make_of_an_instance_is_made_of_what_was_chosen_in_it():
    ag.check(taken_apart, np.int64(3), then=[(np.int64(0),), (np.int64(2),)])
