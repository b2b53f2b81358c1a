"""Programs that throw dice: the generators are given, or belong to the module."""

import math
import random

import numpy as np

generator = np.random.default_rng(11)


def monte_carlo_pi(rng, throws):
    """Pi, from points in a square."""
    inside = 0
    for _ in range(throws):
        x, y = rng.random(), rng.random()
        if x * x + y * y < 1:
            inside += 1
    return 4 * inside / throws


def monte_carlo_pi_at_once(rng, throws=200):
    """The same with arrays, until the error is small."""
    inside = total = 0
    error = math.inf
    while error > 0.05 and total < 2000:
        points = rng.uniform(-1, 1, size=(throws, 2))
        inside += ((points**2).sum(axis=1) < 1).sum()
        total += throws
        share = inside / total
        error = 4 * math.sqrt(share * (1 - share) / total)
    return 4 * inside / total, error


def ruin(start, goal, chance):
    """A gambler who ends with nothing, or with what he wanted."""
    money, rounds = start, 0
    while 0 < money < goal:
        money += 1 if generator.random() < chance else -1
        rounds += 1
        if rounds > 500:
            return "still playing", money, rounds
    return ("won" if money else "lost"), money, rounds


def random_walk(steps):
    """A walk on a grid with Python's own dice; how often it came home."""
    x = y = home = 0
    farthest = 0
    for _ in range(steps):
        direction = random.randrange(4)
        if direction == 0:
            x += 1
        elif direction == 1:
            x -= 1
        elif direction == 2:
            y += 1
        else:
            y -= 1
        farthest = max(farthest, abs(x) + abs(y))
        home += x == 0 and y == 0
    return (x, y), farthest, home


def metropolis(rng, size, warmth):
    """Ising's magnets."""
    spins = np.ones((4, 4), dtype=np.int64)
    flips = 0
    for _ in range(size):
        row, column = rng.integers(0, 4), rng.integers(0, 4)
        around = (
            spins[(row + 1) % 4, column]
            + spins[row - 1, column]
            + spins[row, (column + 1) % 4]
            + spins[row, column - 1]
        )
        change = 2 * spins[row, column] * around
        if change <= 0 or rng.random() < np.exp(-change / warmth):
            spins[row, column] *= -1
            flips += 1
    return spins.mean(), flips, spins


def reservoir(rng, stream, size=3):
    """A fair sample of a stream."""
    sample = []
    for seen, item in enumerate(stream):
        if len(sample) < size:
            sample.append(item)
        else:
            place = rng.integers(0, seen + 1)
            if place < size:
                sample[place] = item
    return sample


def shuffle(rng, items):
    """Fisher's and Yates' shuffle, in place."""
    for i in range(len(items) - 1, 0, -1):
        j = rng.integers(0, i + 1)
        items[i], items[j] = items[j], items[i]
    return items


def bootstrap(rng, values, rounds):
    """How far the mean of a sample may be off."""
    means = np.empty(20)
    means[:] = np.nan
    for round_ in range(min(rounds, 20)):
        means[round_] = rng.choice(values, size=len(values)).mean()
    known = means[~np.isnan(means)]
    low, high = np.percentile(known, [5, 95])
    return low, high, len(known)


def poisson(rng, rate):
    """Knuth's numbers of events, and a histogram of them."""
    counts = np.zeros(10, dtype=int)
    for _ in range(20):
        k, product, limit = 0, rng.random(), math.exp(-rate)
        while product > limit:
            k += 1
            product *= rng.random()
        counts[min(k, 9)] += 1
    return counts


def lottery(generator, tickets):
    """Draws of tickets that were sold: one, some without going back, and all in another order."""
    sold = []
    for ticket in range(tickets):
        if ticket % 3 != 1:
            sold.append(ticket * ticket)
    first, others = generator.choice(sold), generator.sample(sold, 2)
    generator.shuffle(sold)
    return first, others, sold


def permutation_test(one, other, count, seed):
    """How often two means are as far apart, if it is left to chance which is whose."""
    rng = np.random.default_rng(seed)
    pooled = np.concatenate([one, other])
    far, extreme = abs(one.mean() - other.mean()), 0
    for _ in range(count):
        rng.shuffle(pooled)
        if abs(pooled[: len(one)].mean() - pooled[len(one) :].mean()) >= far:
            extreme += 1
    return (extreme + 1) / (count + 1)


def round_trip(cities, rounds, seed):
    """A short tour, by parts of it that are turned round where that helps, or by chance."""
    rng = np.random.default_rng(seed)
    apart = np.linalg.norm(cities[:, None] - cities[None], axis=-1)
    tour, heat = np.arange(len(cities)), 1.0
    length = apart[tour, np.roll(tour, -1)].sum()
    for _ in range(rounds):
        first, last = sorted(rng.choice(len(cities), 2, replace=False))
        other = tour.copy()
        other[first : last + 1] = other[first : last + 1][::-1]
        found = apart[other, np.roll(other, -1)].sum()
        if found < length or rng.random() < np.exp((length - found) / heat):
            tour, length = other, found
        heat *= 0.9
    return length, tour
