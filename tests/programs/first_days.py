"""What users hand over on their first day: generators of random numbers, sets, functions that remember."""

import math


def magnet(rng, n, coupling):
    """A square of spins, each of which turns as Metropolis has it, and its energy after each sweep."""
    spins = rng.choice([-1, 1], size=(n, n))
    energies = []
    for _ in range(3):
        for _ in range(n * n):
            i, j = rng.integers(n), rng.integers(n)
            around = spins[(i + 1) % n, j] + spins[i - 1, j] + spins[i, (j + 1) % n] + spins[i, j - 1]
            cost = 2 * spins[i, j] * around
            if cost <= 0 or rng.random() < math.exp(-coupling * cost):
                spins[i, j] *= -1
        energies.append(-(spins[1:] * spins[:-1]).sum() - (spins[:, 1:] * spins[:, :-1]).sum())
    return spins, energies


def dice(generator, throws):
    """How often each number is thrown, and the first one after which the sum is over twenty."""
    counts, total, over = [0] * 6, 0, None
    for throw in range(throws):
        eyes = generator.randint(1, 6)
        counts[eyes - 1] += 1
        total += eyes
        if over is None and total > 20:
            over = throw
    return counts, over


def best_split(rows):
    """The column and the value that part labels best, by Gini's measure; and the label of each side."""
    best = None
    for column in range(len(rows[0]) - 1):
        for row in rows:
            sides = [[], []]
            for other in rows:
                sides[int(other[column] >= row[column])].append(other[-1])
            impurity = 0.0
            for side in sides:
                for label in set(side):
                    share = side.count(label) / len(side)
                    impurity += share * (1 - share) * len(side)
            if best is None or impurity < best[0]:
                best = impurity, column, row[column]
    return best


def most_frequent(labels):
    """The label that is there most often, and what the labels tell, in bits."""
    labels, bits = list(labels), 0.0
    for label in set(labels):
        share = labels.count(label) / len(labels)
        bits -= share * math.log2(share)
    return max(set(labels), key=labels.count), bits


def longest_chain(n):
    """The number below n that takes the most steps of Collatz to one, and how many numbers were met."""
    lengths = {1: 1}

    def length(k):
        path = []
        while k not in lengths:
            path.append(k)
            k = k // 2 if k % 2 == 0 else 3 * k + 1
        for steps, each in enumerate(reversed(path), 1):
            lengths[each] = lengths[k] + steps
        return lengths[path[0]] if path else lengths[k]

    return max(range(1, n), key=length), len(lengths)


def words_left(text, stops, least):
    """The words of a text that are no stop words, and how often each is there that is long enough."""
    counts = {}
    for word in text.split():
        if word not in stops and len(word) >= least:
            counts[word] = counts.get(word, 0) + 1
            stops = stops | {word[0]}
    return counts, len(stops)
