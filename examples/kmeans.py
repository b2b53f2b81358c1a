"""k-means: points find their centres, centres move to the middle of their points, until nothing moves.

The function has loops over points, which Python is slow at; the graph makes machine code of them.

``python examples/kmeans.py``
"""

from __future__ import annotations

import sys

import numpy as np
from beside import beside


def kmeans(points, k):
    """Centres and sizes of `k` clusters, and the number of rounds until they are found."""
    centres = points[:k].copy()
    label = np.zeros(len(points), dtype=np.int64)
    rounds, moved = 0, True
    while moved:
        moved = False
        for i in range(len(points)):
            nearest, least = 0, np.inf
            for j in range(k):
                x, y = points[i, 0] - centres[j, 0], points[i, 1] - centres[j, 1]
                if x * x + y * y < least:
                    nearest, least = j, x * x + y * y
            if nearest != label[i]:
                label[i], moved = nearest, True
        sums, sizes = np.zeros((k, 2)), np.zeros(k, dtype=np.int64)
        for i in range(len(points)):
            sums[label[i]] += points[i]
            sizes[label[i]] += 1
        centres = sums / np.maximum(sizes, 1)[:, None]
        rounds += 1
    return centres, sizes, rounds


def main(count=2000):
    """Three clouds of points, and where they are found."""
    rng = np.random.default_rng(1)
    clouds = np.asarray([[0.0, 0.0], [4.0, 1.0], [1.0, 5.0]])
    points = clouds[rng.integers(3, size=count)] + rng.normal(size=(count, 2))
    centres, sizes, rounds = beside(kmeans, points, 3)
    for (x, y), size in zip(centres, sizes, strict=True):
        print(f"{size:5} points around ({x:5.2f}, {y:5.2f})")
    print(f"after {rounds} rounds")
    return centres


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
