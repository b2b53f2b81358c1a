"""HITS (hubs and authorities) on Zachary's karate club: ordinary Python in, a graph out.

``python examples/hits.py`` prints the source, the generated code, the graph in short, the ranking, that plain
NumPy gives the same, and both times.
"""

from __future__ import annotations

import inspect
import timeit
from pathlib import Path

import numpy as np

import autograph as ag
import runtime as rt

DATA = Path(__file__).parent / "data" / "karate.csv"


def hits(links, tolerance, max_rounds=1000):
    """Scores of hubs and authorities: the loop ends as soon as the scores settle."""
    members = links.shape[0]
    hubs = rt.ones(members) / members
    authorities = hubs
    rounds = 0
    for _ in range(max_rounds):
        before = hubs
        authorities = links.T @ hubs
        authorities = authorities / rt.sum(authorities)
        hubs = links @ authorities
        hubs = hubs / rt.sum(hubs)
        rounds += 1
        if rt.max(rt.abs(hubs - before)) < tolerance:
            break
    return hubs, authorities, rounds


def hits_in_numpy(links, tolerance, max_rounds=1000):
    """The same in NumPy, to compare with."""
    members = links.shape[0]
    hubs = np.ones(members) / members
    authorities = hubs
    rounds = 0
    for _ in range(max_rounds):
        before = hubs
        authorities = links.T @ hubs
        authorities = authorities / np.sum(authorities)
        hubs = links @ authorities
        hubs = hubs / np.sum(hubs)
        rounds += 1
        if np.max(np.abs(hubs - before)) < tolerance:
            break
    return hubs, authorities, rounds


def karate_club():
    """The ties between the 34 members: ``links[i, j]`` is 1 where `i` and `j` are friends."""
    ties = np.loadtxt(DATA, delimiter=",", skiprows=1, dtype=int) - 1
    links = np.zeros((34, 34))
    links[ties[:, 0], ties[:, 1]] = links[ties[:, 1], ties[:, 0]] = 1.0
    return links


def show(title, text):
    """A part of the report."""
    print(f"── {title} ──\n{text}\n")


def main():
    """The report."""
    fast_hits = ag.function(hits)
    links, tolerance = rt.asarray(karate_club()), rt.asarray(1e-10)
    concrete = fast_hits.get_concrete_function(links, tolerance)

    show("the Python function", inspect.getsource(hits))
    show("the generated code", ag.to_code(hits))
    show("the graph, optimised", concrete.optimised_graph.text())

    hubs, authorities, rounds = fast_hits(links, tolerance)
    wanted = hits_in_numpy(links.numpy(), 1e-10)
    ranking = np.argsort(-hubs.numpy(), kind="stable")[:5]
    top = "\n".join(f"  member {member + 1:2}: {hubs.numpy()[member]:.6f}" for member in ranking)
    show(f"the five best connected members, after {int(rounds)} rounds", top)

    same = all(
        np.array_equal(mine.numpy(), theirs)
        for mine, theirs in zip((hubs, authorities, rounds), wanted, strict=True)
    )
    print(f"plain NumPy gives the same, bit for bit: {same}")

    def best(function):
        return min(timeit.repeat(function, number=20, repeat=5)) / 20 * 1e6

    graph = best(lambda: fast_hits(links, tolerance))
    numpy = best(lambda: hits_in_numpy(links.numpy(), 1e-10))
    print(f"as a graph {graph:.0f} µs, plain NumPy {numpy:.0f} µs: {numpy / graph:.2f} times as fast")


if __name__ == "__main__":
    main()
