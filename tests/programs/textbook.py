"""Textbook programs with functions inside of others, objects and containers, whose first calls were long."""

import heapq


def parsed(codes):
    """The value of an expression, given as codes of characters, by recursive descent."""
    pos = 0
    n = len(codes)

    def peek():
        if pos < n:
            return codes[pos]
        return -1

    def number():
        nonlocal pos
        value = 0
        while pos < n and 48 <= codes[pos] <= 57:
            value = value * 10 + (codes[pos] - 48)
            pos += 1
        return value

    def factor():
        nonlocal pos
        if peek() == 40:
            pos += 1
            value = expr()
            pos += 1
            return value
        if peek() == 45:
            pos += 1
            return -factor()
        return number()

    def term():
        nonlocal pos
        value = factor()
        while peek() == 42 or peek() == 47:
            op = peek()
            pos += 1
            right = factor()
            if op == 42:
                value = value * right
            else:
                value = value // right
        return value

    def expr():
        nonlocal pos
        value = term()
        while peek() == 43 or peek() == 45:
            op = peek()
            pos += 1
            right = term()
            if op == 43:
                value = value + right
            else:
                value = value - right
        return value

    return expr()


def way_out_of(grid):
    """The steps of a way through a maze that depth-first search finds."""
    rows, cols = 5, 5
    start, goal = (0, 0), (rows - 1, cols - 1)
    stack = [start]
    came_from = {start: start}
    visited = set()
    while stack:
        cell = stack.pop()
        if cell in visited:
            continue
        visited.add(cell)
        if cell == goal:
            break
        row, col = cell
        for step in [(row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)]:
            r, c = step
            if 0 <= r < rows and 0 <= c < cols and grid[r, c] == 0 and step not in visited:
                came_from[step] = cell
                stack.append(step)
    length = 0
    cell = goal
    while cell != start:
        cell = came_from[cell]
        length += 1
    return length


def strong_components(edges):
    """The sizes of strongly connected components, by Tarjan."""
    n = 6
    graph = [[] for _ in range(n)]
    for a, b in edges:
        graph[a].append(b)
    index = [-1] * n
    low = [0] * n
    on_stack = [False] * n
    stack = []
    components = []
    counter = 0

    def visit(v):
        nonlocal counter
        index[v] = counter
        low[v] = counter
        counter += 1
        stack.append(v)
        on_stack[v] = True
        for w in graph[v]:
            if index[w] == -1:
                visit(w)
                low[v] = min(low[v], low[w])
            elif on_stack[w]:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            size = 0
            while True:
                w = stack.pop()
                on_stack[w] = False
                size += 1
                if w == v:
                    break
            components.append(size)

    for v in range(n):
        if index[v] == -1:
            visit(v)
    return components


class RecentlyUsed:
    """A cache that forgets what was not used for the longest time."""

    def __init__(self, capacity):
        self.capacity = capacity
        self.order = []
        self.store = {}
        self.hits = 0
        self.misses = 0

    def get(self, key):
        if key in self.store:
            self.hits += 1
            self.order.remove(key)
            self.order.append(key)
            return self.store[key]
        self.misses += 1
        return -1

    def put(self, key, value):
        if key in self.store:
            self.order.remove(key)
        elif len(self.order) >= self.capacity:
            oldest = self.order.pop(0)
            del self.store[oldest]
        self.store[key] = value
        self.order.append(key)


def cached_squares(requests):
    """Hits, misses and the total of what a cache gives."""
    cache = RecentlyUsed(3)
    total = 0
    for r in requests:
        value = cache.get(r)
        if value == -1:
            value = r * r
            cache.put(r, value)
        total += value
    return cache.hits, cache.misses, total


def code_lengths(counts):
    """How many bits each symbol has in a code of Huffman's."""
    heap = []
    for symbol in range(len(counts)):
        if counts[symbol] > 0:
            heapq.heappush(heap, (counts[symbol], symbol))
    left = {}
    right = {}
    fresh = 100
    while len(heap) > 1:
        wa, a = heapq.heappop(heap)
        wb, b = heapq.heappop(heap)
        left[fresh] = a
        right[fresh] = b
        heapq.heappush(heap, (wa + wb, fresh))
        fresh += 1
    _, root = heap[0]
    lengths = [0] * len(counts)
    stack = [(root, 0)]
    while stack:
        node, depth = stack.pop()
        if node < 100:
            lengths[node] = depth
        else:
            stack.append((left[node], depth + 1))
            stack.append((right[node], depth + 1))
    return lengths


def fullest_knapsack(weights, values, capacity):
    """The most that fits, with a dict of what is known."""
    memo = {}

    def best(i, room):
        if i == len(weights):
            return 0
        key = (i, room)
        if key in memo:
            return memo[key]
        result = best(i + 1, room)
        if weights[i] <= room:
            result = max(result, values[i] + best(i + 1, room - weights[i]))
        memo[key] = result
        return result

    return best(0, capacity)
