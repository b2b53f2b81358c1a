"""Algorithms as lectures and interviews have them, in plain Python: stacks, heaps, tables, small classes."""

import heapq
from collections import deque
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np


def integrand(x):
    return np.exp(-x * x) * np.cos(3 * x) + 1 / (1 + 25 * x * x)


def halved(f, a, fa, b, fb):
    middle = (a + b) / 2
    value = f(middle)
    return middle, value, abs(b - a) / 6 * (fa + 4 * value + fb)


def integral(a, b, tolerance):
    """Adaptive quadrature with a stack of intervals; the integral, and how many values it took."""
    fa, fb = integrand(a), integrand(b)
    stack = [(a, fa, b, fb, *halved(integrand, a, fa, b, fb), tolerance)]
    total, count = 0.0, 0
    while stack:
        a, fa, b, fb, m, fm, whole, eps = stack.pop()
        lm, flm, left = halved(integrand, a, fa, m, fm)
        rm, frm, right = halved(integrand, m, fm, b, fb)
        count += 2
        delta = left + right - whole
        if abs(delta) <= 15 * eps:
            total += left + right + delta / 15
        else:
            stack.append((m, fm, b, fb, rm, frm, right, eps / 2))
            stack.append((a, fa, m, fm, lm, flm, left, eps / 2))
    return total, count


def valley(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def slope_of_valley(x):
    found = np.zeros_like(x)
    difference = x[1:] - x[:-1] ** 2
    found[:-1] += -400 * x[:-1] * difference - 2 * (1 - x[:-1])
    found[1:] += 200 * difference
    return found


def lbfgs(start, memory=5, limit=100, tolerance=1e-6):
    """The limited-memory quasi-Newton method, with a queue of the last steps."""
    x, g = start.copy(), slope_of_valley(start)
    history = deque(maxlen=memory)
    count = 0
    while count < limit and np.linalg.norm(g) > tolerance:
        q, alphas = g.copy(), []
        for s, y, rho in reversed(history):
            alpha = rho * np.dot(s, q)
            q -= alpha * y
            alphas.append(alpha)
        if history:
            s, y, _ = history[-1]
            q *= np.dot(s, y) / np.dot(y, y)
        for (s, y, rho), alpha in zip(history, reversed(alphas), strict=True):
            q += s * (alpha - rho * np.dot(y, q))
        step, here, slope = 1.0, valley(x), -np.dot(g, q)
        while valley(x - step * q) > here + 1e-4 * step * slope:
            step *= 0.5
            if step < 1e-10:
                break
        moved = x - step * q
        turned = slope_of_valley(moved)
        s, y = moved - x, turned - g
        if np.dot(s, y) > 1e-10:
            history.append((s, y, 1.0 / np.dot(s, y)))
        x, g = moved, turned
        count += 1
    return x, count


def distances(count, edges, weights, start):
    """Dijkstra's algorithm on adjacency lists, as many as there are nodes, with a heap."""
    adjacent = [[] for _ in range(count)]
    for (u, v), w in zip(edges, weights, strict=True):
        adjacent[u].append((v, w))
        adjacent[v].append((u, w))
    dist = [np.inf] * count
    dist[start] = 0.0
    heap, done = [(0.0, start)], set()
    while heap:
        _, u = heapq.heappop(heap)
        if u in done:
            continue
        done.add(u)
        for v, w in adjacent[u]:
            if dist[u] + w < dist[v]:
                dist[v] = dist[u] + w
                heapq.heappush(heap, (dist[v], v))
    return dist


class Sets:
    """Disjoint sets."""

    def __init__(self, count):
        self.parent = list(range(count))
        self.rank = [0] * count
        self.count = count

    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.rank[a] < self.rank[b]:
            a, b = b, a
        self.parent[b] = a
        if self.rank[a] == self.rank[b]:
            self.rank[a] += 1
        self.count -= 1
        return True


def spanning_tree(edges, count):
    """Kruskal's algorithm over rows of two nodes and a weight."""
    sets = Sets(count)
    total, used = 0.0, []
    for u, v, w in sorted(edges.tolist(), key=lambda edge: edge[2]):
        if sets.union(int(u), int(v)):
            total += w
            used.append((int(u), int(v)))
    return total, used, sets.count


def suffixes(text):
    """The suffix array, by prefixes whose length doubles."""
    count = len(text)
    rank, order, k = list(text), list(range(count)), 1
    while True:

        def key(i, rank=rank, k=k):
            return (rank[i], rank[i + k] if i + k < count else -1)

        order.sort(key=key)
        new = [0] * count
        for i in range(1, count):
            new[order[i]] = new[order[i - 1]] + (key(order[i]) != key(order[i - 1]))
        rank = new
        if rank[order[-1]] == count - 1:
            return order
        k *= 2


def aligned(one, other, match=1, mismatch=-1, gap=-2):
    """The global alignment of two sequences, with -1 for gaps, by Needleman and Wunsch."""
    n, m = len(one), len(other)
    score, trace = np.zeros((n + 1, m + 1)), np.zeros((n + 1, m + 1), dtype=np.int8)
    score[:, 0], score[0, :] = gap * np.arange(n + 1), gap * np.arange(m + 1)
    trace[1:, 0], trace[0, 1:] = 1, 2
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            options = (
                score[i - 1, j - 1] + (match if one[i - 1] == other[j - 1] else mismatch),
                score[i - 1, j] + gap,
                score[i, j - 1] + gap,
            )
            trace[i, j] = np.argmax(options)
            score[i, j] = options[trace[i, j]]
    upper, lower = [], []
    while n or m:
        move = trace[n, m]
        upper.append(-1 if move == 2 else one[n - 1])
        lower.append(-1 if move == 1 else other[m - 1])
        if move != 2:
            n -= 1
        if move != 1:
            m -= 1
    return score[-1, -1], upper[::-1], lower[::-1]


def packed(data, window=16):
    """The tokens of LZ77: an offset and a length, or a literal."""
    i, out = 0, []
    while i < len(data):
        length, offset = 0, 0
        for j in range(max(0, i - window), i):
            k = 0
            while i + k < len(data) and data[j + k] == data[i + k]:
                k += 1
            if k > length:
                length, offset = k, i - j
        if length > 2:
            out.append((offset, length, 0))
            i += length
        else:
            out.append((0, 0, int(data[i])))
            i += 1
    return out


def packed_and_unpacked(data):
    tokens, out = packed(data), []
    for offset, length, literal in tokens:
        if length:
            for _ in range(length):
                out.append(out[-offset])
        else:
            out.append(literal)
    return tokens, out == list(data)


class Heater(Enum):
    IDLE = "idle"
    HEATING = "heating"
    COOLING = "cooling"
    ERROR = "error"


def next_state(state, temperature):
    match state:
        case Heater.IDLE if temperature < 18:
            return Heater.HEATING
        case Heater.IDLE if temperature > 26:
            return Heater.COOLING
        case Heater.HEATING if temperature >= 21:
            return Heater.IDLE
        case Heater.COOLING if temperature <= 23:
            return Heater.IDLE
        case _ if temperature < -10 or temperature > 50:
            return Heater.ERROR
        case same:
            return same


def heater_log(temperatures):
    """A state machine with `match` and guards, and a log of what it did."""
    state, log = Heater.IDLE, []
    for temperature in temperatures:
        new = next_state(state, temperature)
        if new is not state:
            log.append(f"{state.name}->{new.name} at {temperature:.1f}")
        state = new
        if state is Heater.ERROR:
            break
    return state, log


def route(weights, start, goal):
    """The nodes on the way between two, by Floyd and Warshall."""
    count = len(weights)
    dist, following = weights.copy(), np.full((count, count), -1)
    for i in range(count):
        for j in range(count):
            if np.isfinite(weights[i, j]):
                following[i, j] = j
    for k in range(count):
        for i in range(count):
            for j in range(count):
                if dist[i, k] + dist[k, j] < dist[i, j]:
                    dist[i, j] = dist[i, k] + dist[k, j]
                    following[i, j] = following[i, k]
    if following[start, goal] < 0:
        return []
    path = [start]
    while start != goal:
        start = following[start, goal]
        path.append(start)
    return path


def spiral(matrix):
    """The elements of a matrix from outside to inside."""
    out = []
    top, bottom, left, right = 0, matrix.shape[0] - 1, 0, matrix.shape[1] - 1
    while top <= bottom and left <= right:
        for column in range(left, right + 1):
            out.append(matrix[top, column])
        top += 1
        for row in range(top, bottom + 1):
            out.append(matrix[row, right])
        right -= 1
        if top <= bottom:
            for column in range(right, left - 1, -1):
                out.append(matrix[bottom, column])
            bottom -= 1
        if left <= right:
            for row in range(bottom, top - 1, -1):
                out.append(matrix[row, left])
            left += 1
    return np.array(out)


@dataclass(frozen=True)
class Bouncing:
    x: float
    v: float

    def moved(self, dt):
        x = self.x + dt * self.v
        if x < 0 or x > 1:
            return replace(self, x=min(max(x, 0.0), 1.0), v=-self.v)
        return replace(self, x=x)


def bounced(places, speeds, steps):
    """Particles between two walls, each step a new list of frozen dataclasses."""
    particles = [Bouncing(x, v) for x, v in zip(places, speeds, strict=True)]
    for _ in range(steps):
        particles = [particle.moved(0.1) for particle in particles]
    return [particle.x for particle in particles], sum(particle.v > 0 for particle in particles)


class Customer:
    def __init__(self, arrival, service):
        self.arrival, self.service, self.start = arrival, service, None

    @property
    def wait(self):
        return self.start - self.arrival


class Teller:
    def __init__(self):
        self.free_at, self.served = 0.0, 0

    def serve(self, customer):
        customer.start = max(self.free_at, customer.arrival)
        self.free_at = customer.start + customer.service
        self.served += 1


def waits_in_a_bank(arrivals, services, count):
    """The mean and the longest wait, and how many each teller has served."""
    tellers = [Teller() for _ in range(count)]
    customers = [Customer(*each) for each in zip(arrivals, services, strict=True)]
    for customer in customers:
        min(tellers, key=lambda teller: teller.free_at).serve(customer)
    waits = [customer.wait for customer in customers]
    return sum(waits) / len(waits), max(waits), [teller.served for teller in tellers]


def found_in(text, pattern):
    """Where a pattern begins in a text, by the algorithm of Knuth, Morris and Pratt."""
    fallback, k = [0] * len(pattern), 0
    for j in range(1, len(pattern)):
        while k > 0 and pattern[j] != pattern[k]:
            k = fallback[k - 1]
        if pattern[j] == pattern[k]:
            k += 1
        fallback[j] = k
    starts, k = [], 0
    for j, c in enumerate(text):
        while k > 0 and c != pattern[k]:
            k = fallback[k - 1]
        if c == pattern[k]:
            k += 1
        if k == len(pattern):
            starts.append(j - k + 1)
            k = fallback[k - 1]
    return starts, fallback
