"""Costs that are infinite at first: in a list, integers and infinities stay what they are."""

import heapq
import math
from collections import deque

import numpy as np
import pytest

import autograph as ag
from runtime.errors import KindsMeetWarning

INFINITY = float("inf")
EDGES = np.array([[0, 1, 4], [0, 2, 1], [2, 1, 2], [1, 3, 5]])


def relaxed(n, edges):
    distances = [INFINITY] * n
    distances[0] = 0
    for _ in range(n - 1):
        for u, v, w in edges:
            if distances[u] + w < distances[v]:
                distances[v] = distances[u] + w
    return distances


def by_a_heap(n, edges):
    ways = [[] for _ in range(n)]
    for u, v, w in edges:
        ways[u].append((v, w))
    distances = [math.inf] * n
    distances[0] = 0
    heap = [(0, 0)]
    while heap:
        distance, u = heapq.heappop(heap)
        if distance > distances[u]:
            continue
        for v, w in ways[u]:
            if distance + w < distances[v]:
                distances[v] = distance + w
                heapq.heappush(heap, (distances[v], v))
    return distances


def between_all(n, edges):
    distances = [[math.inf] * n for _ in range(n)]
    for i in range(n):
        distances[i][i] = 0
    for u, v, w in edges:
        distances[u][v] = w
    for k in range(n):
        for i in range(n):
            for j in range(n):
                distances[i][j] = min(distances[i][j], distances[i][k] + distances[k][j])
    return distances


def in_a_dict(n, edges):
    distances = dict.fromkeys(range(n), math.inf)
    distances[0] = 0
    for u, v, w in edges:
        distances[v] = min(distances[v], distances[u] + w)
    return distances


def levels(n, edges):
    found = [INFINITY] * n
    found[0] = 0
    queue = deque([0])
    while queue:
        u = queue.popleft()
        for one, other, _ in edges:
            if one == u and found[other] == INFINITY:
                found[other] = found[u] + 1
                queue.append(other)
    return found, max(found)


@pytest.mark.parametrize("program", [relaxed, by_a_heap, between_all, in_a_dict, levels])
def test_distances_are_integers_and_infinite_where_no_way_leads(program):
    ag.check(program, 4, EDGES, then=[(4, EDGES[::-1]), (4, EDGES * [1, 0, 1])])


def test_a_table_of_many_numbers_is_one_list_of_the_graph():
    def fewest(coins, amount):
        best = [math.inf] * (amount + 1)
        best[0] = 0
        for a in range(1, amount + 1):
            for coin in coins:
                if coin <= a and best[a - coin] + 1 < best[a]:
                    best[a] = best[a - coin] + 1
        return best[amount] if best[amount] != math.inf else -1

    ag.check(fewest, np.array([1, 5, 12]), 27, then=[(np.array([4, 6]), 27)])


def test_turns_of_a_short_list_replace_an_infinity_in_branches():
    def nearest(costs):
        nearest = [INFINITY] * 3
        nearest[0] = 0
        for v in range(3):
            if costs[v] < nearest[v]:
                nearest[v] = costs[v]
        return nearest, sum(nearest)

    ag.check(nearest, np.array([2, 3, 4]), then=[(np.array([-1, 9, 9]),)])


def placed(places, n=4):
    found = [INFINITY] * n
    for i, place in enumerate(places):
        found[place] = i + 1
    return found


PLACES = np.array([1, 3])
OTHERS = [(np.array([2]),), (np.array([0, 1, 2, 3]),), (np.array([], dtype=int),)]


def test_text_shows_which_they_are():
    def told(places):
        found = placed(places)
        print(found, found[1], f"{found[-1]:>5}", repr(found[0]))
        return f"{found}", " ".join(map(str, found))

    ag.check(told, PLACES, then=OTHERS)


def test_they_are_asked_and_computed_with_as_what_they_are():
    def asked(places):
        found = placed(places)
        kinds = [isinstance(each, int) for each in found], [type(each).__name__ for each in found]
        known = min(found), found.count(INFINITY), INFINITY in found, found == [INFINITY] * 4, 1 in found
        return kinds, known, sorted(found), [each * 2 for each in found], [each / 2 for each in found]

    ag.check(asked, PLACES, then=OTHERS)


def test_lists_of_both_are_copied_joined_and_made_longer():
    def changed(places):
        found = placed(places)
        copy = [*found, 0]
        copy[0] = 7
        found.append(places.sum())
        found += [INFINITY]
        return found, copy, found[1:3] + copy, [each if each < INFINITY else None for each in found]

    ag.check(changed, PLACES, then=OTHERS)


def test_floats_stay_one_column():
    def added(steps):
        found = [INFINITY] * 4
        found[0] = 0.0
        for i, step in enumerate(steps):
            found[i + 1] = found[i] + step
        return found

    ag.check(added, np.array([0.5, 1.5]), then=[(np.array([2.0]),)])


def test_an_array_of_them_has_one_dtype_and_it_is_said():
    def stacked(places):
        return np.array(placed(places))

    with pytest.warns(KindsMeetWarning, match="an element of a list may be"):
        found = ag.function(stacked)(PLACES)
    assert [*found] == [math.inf, 1.0, math.inf, 2.0]
