"""Programs that search graphs: with heaps, queues and sets."""

import heapq
from collections import defaultdict, deque

import numpy as np

ROADS = {
    "a": {"b": 7, "c": 9, "f": 14},
    "b": {"a": 7, "c": 10, "d": 15},
    "c": {"a": 9, "b": 10, "d": 11, "f": 2},
    "d": {"b": 15, "c": 11, "e": 6},
    "e": {"d": 6, "f": 9},
    "f": {"a": 14, "c": 2, "e": 9},
}


def dijkstra(weights, source):
    """The shortest ways in a matrix of weights, where 0 is no edge."""
    n = len(weights)
    distance = np.full(n, np.inf)
    distance[source] = 0.0
    heap = [(0.0, source)]
    settled = 0
    while heap:
        far, node = heapq.heappop(heap)
        if far > distance[node]:
            continue
        settled += 1
        for other in range(n):
            weight = weights[node, other]
            if weight > 0 and far + weight < distance[other]:
                distance[other] = far + weight
                heapq.heappush(heap, (distance[other], other))
    return distance, settled


def dijkstra_by_name(factor):
    """The same in a dict of dicts, with weights that the caller scales."""
    distance = {name: float("inf") for name in ROADS}
    distance["a"] = 0.0
    open_ = set(ROADS)
    while open_:
        nearest = min(sorted(open_), key=lambda name: distance[name])
        open_.remove(nearest)
        for other, weight in ROADS[nearest].items():
            distance[other] = min(distance[other], distance[nearest] + factor * weight)
    return distance


def breadth_first(grid, start):
    """The number of steps to each cell of a maze; -1 where there is no way."""
    rows, columns = grid.shape
    steps = -np.ones_like(grid)
    steps[start] = 0
    queue = deque([start])
    while queue:
        row, column = queue.popleft()
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            r, c = row + down, column + right
            if 0 <= r < rows and 0 <= c < columns and grid[r, c] == 0 and steps[r, c] < 0:
                steps[r, c] = steps[row, column] + 1
                queue.append((r, c))
    return steps


class Forest:
    """Sets that are joined: union-find with path halving."""

    def __init__(self, size):
        self.parent = list(range(size))
        self.sizes = [1] * size
        self.count = size

    def find(self, item):
        while self.parent[item] != item:
            self.parent[item] = self.parent[self.parent[item]]
            item = self.parent[item]
        return item

    def join(self, one, other):
        one, other = self.find(one), self.find(other)
        if one == other:
            return False
        if self.sizes[one] < self.sizes[other]:
            one, other = other, one
        self.parent[other] = one
        self.sizes[one] += self.sizes[other]
        self.count -= 1
        return True


def kruskal(edges, weights):
    """The cheapest tree that joins all nodes."""
    forest = Forest(6)
    chosen, cost = [], 0.0
    for index in np.argsort(weights):
        if forest.join(edges[index, 0], edges[index, 1]):
            chosen.append(index)
            cost += weights[index]
    return cost, chosen, forest.count


def percolates(grid):
    """Whether water finds a way from the top to the bottom."""
    n = len(grid)
    forest = Forest(n * n + 2)
    top, bottom = n * n, n * n + 1
    for row in range(n):
        for column in range(n):
            if not grid[row, column]:
                continue
            cell = row * n + column
            if row == 0:
                forest.join(cell, top)
            if row == n - 1:
                forest.join(cell, bottom)
            if row > 0 and grid[row - 1, column]:
                forest.join(cell, cell - n)
            if column > 0 and grid[row, column - 1]:
                forest.join(cell, cell - 1)
    return forest.find(top) == forest.find(bottom), forest.count


def topological_order(adjacency):
    """Kahn's order, or an error where there is a circle."""
    n = adjacency.shape[0]
    incoming = adjacency.sum(axis=0)
    ready = [node for node in range(n) if incoming[node] == 0]
    order = []
    while ready:
        node = ready.pop()
        order.append(node)
        for other in range(n):
            if adjacency[node, other]:
                incoming[other] -= 1
                if incoming[other] == 0:
                    ready.append(other)
    if len(order) < n:
        raise ValueError(f"a circle among {n - len(order)} nodes")
    return order


def floyd_warshall(weights):
    """All shortest ways, and the next node on each."""
    n = len(weights)
    distance = np.where(weights > 0, weights, np.inf)
    following = np.where(weights > 0, np.arange(n)[None, :], -1)
    np.fill_diagonal(distance, 0.0)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if distance[i, k] + distance[k, j] < distance[i, j]:
                    distance[i, j] = distance[i, k] + distance[k, j]
                    following[i, j] = following[i, k]
    return distance, following


def components(pairs):
    """Names of nodes that belong together, by depth first search with a stack."""
    neighbours = defaultdict(list)
    for one, other in (("a", "b"), ("c", "d"), ("b", "e"), ("f", "f")):
        neighbours[one].append(other)
        neighbours[other].append(one)
    seen, groups = set(), []
    for name in sorted(neighbours):
        if name in seen:
            continue
        stack, group = [name], []
        while stack:
            here = stack.pop()
            if here in seen:
                continue
            seen.add(here)
            group.append(here)
            stack.extend(neighbours[here])
        groups.append(sorted(group))
    return groups, pairs * len(groups)


def bellman_ford(edges, weights, n):
    """Shortest ways with negative weights; a negative circle is an error."""
    distance = np.full(n, np.inf)
    distance[0] = 0
    before = [None] * n
    for _ in range(n - 1):
        changed = False
        for (one, other), weight in zip(edges, weights):
            if distance[one] + weight < distance[other]:
                distance[other] = distance[one] + weight
                before[other] = one
                changed = True
        if not changed:
            break
    for (one, other), weight in zip(edges, weights):
        if distance[one] + weight < distance[other]:
            raise ValueError("a negative circle")
    return distance, before


def page_rank(links, damping=0.85):
    """Where a surfer is, who follows links by chance."""
    n = len(links)
    rank = np.ones(n) / n
    for rounds in range(100):
        new = np.full(n, (1 - damping) / n)
        for page in range(n):
            outgoing = links[page].sum()
            if outgoing == 0:
                new += damping * rank[page] / n
            else:
                for other in range(n):
                    if links[page][other]:
                        new[other] += damping * rank[page] / outgoing
        if np.abs(new - rank).sum() < 1e-6:
            return new, rounds
        rank = new
    return rank, rounds


def a_star(grid, goal):
    """The length of the shortest way from the first cell, or None."""
    n, m = grid.shape
    best = {(0, 0): 0}
    heap = [(abs(goal[0]) + abs(goal[1]), 0, (0, 0))]
    while heap:
        _, cost, (row, column) = heapq.heappop(heap)
        if (row, column) == goal:
            return cost
        for r, c in ((row + 1, column), (row, column + 1), (row - 1, column), (row, column - 1)):
            if not (0 <= r < n and 0 <= c < m) or grid[r, c] == 1:
                continue
            if cost + 1 < best.get((r, c), 10**9):
                best[r, c] = cost + 1
                heapq.heappush(heap, (cost + 1 + abs(goal[0] - r) + abs(goal[1] - c), cost + 1, (r, c)))
    return None


def schedule(durations, before, workers):
    """Tasks that wait for others, given to workers by length: a heap of what is ready, one of what runs."""
    count = len(durations)
    waits, following = [0] * count, defaultdict(list)
    for task, other in before:
        following[task].append(other)
        waits[other] += 1
    ready = [(-durations[task], task) for task in range(count) if waits[task] == 0]
    heapq.heapify(ready)
    running, clock, order, free = [], 0.0, [], workers
    while ready or running:
        while ready and free > 0:
            _, task = heapq.heappop(ready)
            heapq.heappush(running, (clock + durations[task], task))
            free -= 1
            order.append(task)
        clock, task = heapq.heappop(running)
        free += 1
        for other in following[task]:
            waits[other] -= 1
            if waits[other] == 0:
                heapq.heappush(ready, (-durations[other], other))
    return clock, order
