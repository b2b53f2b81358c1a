"""Records, stocks, caches, sums that are made when first needed, and tables that grow from nothing."""

import heapq
import math
from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np


@dataclass
class Sale:
    region: str
    amount: float
    units: int = 1


SALES = [Sale("north", 10.0, 2), Sale("south", 5.5), Sale("north", 2.5, 4), Sale("east", 7.0)]


def totals_by_region(least):
    """Sums of what is large enough, by region, and how much was sold."""
    totals, units = defaultdict(float), Counter()
    for sale in SALES:
        if sale.amount < least:
            continue
        totals[sale.region] += sale.amount
        units[sale.region] += sale.units
    for region, total in sorted(totals.items(), key=lambda pair: -pair[1]):
        print(f"{region:<8}{total:>8.2f}{units[region]:>4d}")
    return dict(totals), units.most_common(1)


def grouped_by_name(values, least):
    """The mean of each group, and how many of each were dropped."""
    groups, dropped = defaultdict(list), Counter()
    for name, value in zip(["a", "b", "a", "c"], values):
        if value >= least:
            groups[name].append(value)
        else:
            dropped[name] += 1
    return {name: sum(group) / len(group) for name, group in groups.items()}, dropped, len(groups)


class Inventory:
    def __init__(self):
        self.stock = defaultdict(int)
        self.log = []

    def receive(self, item, count):
        self.stock[item] += count
        self.log.append(("in", item, count))

    def ship(self, item, count):
        if self.stock[item] < count:
            raise LookupError(f"only {self.stock[item]} of {item}")
        self.stock[item] -= count
        self.log.append(("out", item, count))


def movements(amounts):
    """What is left in stock, and what could not be shipped."""
    inventory, failed = Inventory(), []
    for item, amount in zip(["nut", "bolt", "nut", "screw"], amounts):
        try:
            if amount >= 0:
                inventory.receive(item, amount)
            else:
                inventory.ship(item, -amount)
        except LookupError as error:
            failed.append(str(error))
    return dict(inventory.stock), failed, len(inventory.log)


class LeastUsed:
    """A cache that forgets what was used least, and longest ago."""

    def __init__(self, capacity):
        self.capacity = capacity
        self.values, self.uses = {}, {}
        self.clock = self.hits = 0

    def get(self, key):
        self.clock += 1
        if key not in self.values:
            return None
        self.hits += 1
        count, _ = self.uses[key]
        self.uses[key] = (count + 1, self.clock)
        return self.values[key]

    def put(self, key, value):
        if key not in self.values and len(self.values) >= self.capacity:
            victim = min(self.uses, key=self.uses.get)
            del self.values[victim], self.uses[victim]
        self.values[key] = value
        self.uses.setdefault(key, (0, self.clock))


def looked_up(keys):
    """Squares from a cache, how often they were there, and what is left in it."""
    cache, found = LeastUsed(2), []
    for key in keys:
        value = cache.get(key)
        if value is None:
            value = key * key
            cache.put(key, value)
        found.append(value)
    return found, cache.hits, sorted(cache.values)


def summed_when_needed(values, every):
    """Sums in an array that is made by the first value, and copies of it."""
    sums, history = None, []
    for place, value in enumerate(values):
        if sums is None:
            sums = np.zeros(2)
        sums[place % 2] += value
        if (place + 1) % every == 0:
            history.append(sums.copy())
    return sums, history


def snake(size, start):
    """A board that is numbered to and fro, turned round."""
    board = [[0] * 4 for _ in range(4)]
    value = start
    for row in range(size):
        columns = range(size) if row % 2 == 0 else range(size - 1, -1, -1)
        for column in columns:
            board[row][column] = value
            value += 1
    return board, [*zip(*board)][::-1]


def by_segment(numbers, values):
    """Sums, means and maxima of the segments that occur."""
    count = numbers.max() + 1
    sums, most = np.zeros(count), np.full(count, -np.inf)
    np.add.at(sums, numbers, values)
    np.maximum.at(most, numbers, values)
    sizes = np.bincount(numbers, minlength=count)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums / sizes
    return sums, sizes, np.where(sizes > 0, means, 0.0), most


def cycles_of(values, following):
    """The cycles of a permutation, the longest one, and after how many steps all are where they were."""
    seen, cycles = [False] * len(following), []
    for start in range(len(following)):
        cycle, place = [], start
        while not seen[place]:
            seen[place] = True
            cycle.append(values[place])
            place = following[place]
        if cycle:
            cycles.append(tuple(cycle))
    return cycles, max(cycles, key=len), math.lcm(*map(len, cycles))


def monotone_spline(x, y, at):
    """Values between points by cubic pieces that do not overshoot; nan outside."""
    h = np.diff(x)
    slopes = np.diff(y) / h
    d = np.zeros(len(x))
    for k in range(1, len(x) - 1):
        if slopes[k - 1] * slopes[k] > 0:
            before, behind = 2 * h[k] + h[k - 1], h[k] + 2 * h[k - 1]
            d[k] = (before + behind) / (before / slopes[k - 1] + behind / slopes[k])
    d[0], d[-1] = slopes[0], slopes[-1]
    found = []
    for q in at:
        if q < x[0] or q > x[-1]:
            found.append(np.nan)
            continue
        k = min(np.searchsorted(x, q, side="right") - 1, len(x) - 2)
        t = (q - x[k]) / h[k]
        left = (1 + 2 * t) * (1 - t) ** 2 * y[k] + t * (1 - t) ** 2 * h[k] * d[k]
        right = t**2 * (3 - 2 * t) * y[k + 1] + t**2 * (t - 1) * h[k] * d[k + 1]
        found.append(left + right)
    return np.array(found)


def dithered(picture, levels):
    """A picture in few levels of grey, by diffusion of the error."""
    work = picture.astype(float)
    height, width = work.shape
    for y in range(height):
        for x in range(width):
            old = work[y, x]
            new = np.round(old / 255 * (levels - 1)) * (255 // (levels - 1))
            work[y, x] = new
            for dy, dx, share in ((0, 1, 7), (1, -1, 3), (1, 0, 5), (1, 1, 1)):
                if y + dy < height and 0 <= x + dx < width:
                    work[y + dy, x + dx] += (old - new) * share / 16
    return np.clip(work, 0, 255).astype(np.uint8)


def american_put(spot, strike, volatility, rate, steps):
    """A price by a binomial tree, and when it pays to exercise early."""
    dt = 1.0 / steps
    up = np.exp(volatility * np.sqrt(dt))
    chance = (np.exp(rate * dt) - 1 / up) / (up - 1 / up)
    discount, early = np.exp(-rate * dt), []
    prices = spot * up ** np.arange(steps, -steps - 1, -2)
    values = np.maximum(strike - prices, 0.0)
    for step in range(steps - 1, -1, -1):
        values = discount * (chance * values[:-1] + (1 - chance) * values[1:])
        prices = prices[:-1] / up
        exercised = np.maximum(strike - prices, 0.0)
        if (exercised > values).any():
            early.append(step)
        values = np.maximum(values, exercised)
    return values[0], early


def clusters(points, threshold, least):
    """Clusters that are joined while the nearest two are near enough, by their closest points."""
    found, merges = [[k] for k in range(len(points))], []
    while len(found) > 1:
        best, pair = np.inf, None
        for a in range(len(found)):
            for b in range(a + 1, len(found)):
                gap = min(np.sqrt(((points[p] - points[q]) ** 2).sum()) for p in found[a] for q in found[b])
                if gap < best:
                    best, pair = gap, (a, b)
        if best > threshold or len(found) <= least:
            break
        a, b = pair
        merges.append((a, b, round(float(best), 6)))
        found[a] = found[a] + found[b]
        del found[b]
    return found, merges


def largest_so_far(values, k):
    """The k-th largest of a stream after each value; None before there are so many."""
    heap, found = [], []
    for value in values:
        if len(heap) < k:
            heapq.heappush(heap, value)
        elif value > heap[0]:
            heapq.heapreplace(heap, value)
        found.append(heap[0] if len(heap) == k else None)
    return found
