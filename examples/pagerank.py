"""PageRank: where somebody is who follows links at random, and now and then starts anew.

Pages without links send their visitors anywhere. The loop ends when the ranks have settled.

``python examples/pagerank.py``
"""

from __future__ import annotations

import sys

import numpy as np
from beside import beside


def pagerank(sources, targets, pages, damping=0.85, tolerance=1e-12):
    """The rank of each page of a web with links from `sources` to `targets`, and the number of rounds."""
    links = np.bincount(sources, minlength=pages)
    ends = links == 0
    ranks = np.full(pages, 1.0 / pages)
    rounds, change = 0, 1.0
    while change > tolerance:
        shares = ranks / np.maximum(links, 1)
        arriving = np.bincount(targets, weights=shares[sources], minlength=pages)
        lost = np.sum(ranks[ends])
        after = (1.0 - damping) / pages + damping * (arriving + lost / pages)
        change = np.sum(np.abs(after - ranks))
        ranks, rounds = after, rounds + 1
    return ranks, rounds


def main(pages=1000):
    """A web in which early pages are linked to more often."""
    rng = np.random.default_rng(3)
    sources = rng.integers(pages, size=8 * pages)
    targets = (pages * rng.random(8 * pages) ** 3).astype(np.int64)
    ranks, rounds = beside(pagerank, sources, targets, pages)
    for page in np.argsort(-ranks, kind="stable")[:5]:
        print(f"page {page:3} has rank {ranks[page]:.5f}")
    print(f"settled after {rounds} rounds; all ranks together are {np.sum(ranks):.6f}")
    return ranks


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
