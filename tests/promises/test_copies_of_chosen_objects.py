"""What is made of an object that a tensor chooses, and what a handler finds that a `try` has changed."""

from __future__ import annotations

import heapq

import numpy as np

import autograph as ag


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
