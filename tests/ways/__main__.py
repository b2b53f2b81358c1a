"""Holds every idea against plain Python in every way that it can be reached: `python -m tests.ways --jobs 2`.

It says how many programs of each promise do the same, are refused, are warned of or differ, and shows those
of which `known.txt` says something else. With ``--write`` it writes that file anew.
"""

import argparse
import os
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from multiprocessing import Pool

import numpy as np

from tests.properties.case import Case, Outcome, outcome
from tests.ways.known import FILE, expected, written
from tests.ways.program import Idea, Program, ideas, programs, ways

KINDS = ("same", "refused", "warned", "different")
LIFE = 8
"""How many ideas a process is given, before a new one takes its place with fresh memory."""


def main(arguments: Sequence[str]) -> int:
    """Compares programs; 1 where one does something else than is known of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.ways", description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many processes")
    parser.add_argument("--point", type=int, action="append", help="the number of a promise; all by default")
    parser.add_argument("--idea", help="a part of the names of ideas")
    parser.add_argument("--way", action="append", choices=list(ways()), help="one of several")
    parser.add_argument("--write", action="store_true", help="writes what is known anew")
    options = parser.parse_args(arguments)
    chosen = [
        idea
        for idea in ideas()
        if (not options.point or idea.point in options.point) and (options.idea or "") in idea.name
    ]
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    found: list[tuple[str, str]] = []
    news = []
    with Pool(options.jobs, maxtasksperchild=LIFE) as pool:
        tasks = [(idea, options.way or list(ways())) for idea in chosen]
        for outcomes in pool.imap_unordered(_held, tasks):
            for program, became in outcomes:
                kind = kind_of(became)
                counts[program.idea.point][kind] += 1
                found.append((program.name, kind))
                if kind != expected().get(program.name, "same"):
                    news.append((program, kind, became))
    print("promise" + "".join(f"{kind:>11}" for kind in KINDS))
    for point in sorted(counts):
        print(f"{point:>7}" + "".join(f"{counts[point][kind]:>11}" for kind in KINDS))
    print("    all" + "".join(f"{sum(each[kind] for each in counts.values()):>11}" for kind in KINDS))
    for program, kind, became in news:
        known = expected().get(program.name, "same")
        print(f"\n── {program.name}: {kind}, known as {known} ──\n\n{program.shown}\n{became.text}")
    if options.write:
        FILE.write_text(written(sorted(found)))
    return 1 if news else 0


def _held(task: tuple[Idea, Sequence[str]]) -> list[tuple[Program, Outcome]]:
    idea, names = task
    found = []
    for program in programs(idea):
        if program.way in names:
            random.seed(0)
            np.random.seed(0)  # noqa: NPY002  # what programs draw from
            found.append((program, outcome(Case(program), "graph")))
    return found


def kind_of(became: Outcome) -> str:
    """What became of a program, in a word: errors of ours are differences."""
    kind = became.became.partition(":")[0]
    return kind if kind in KINDS else "different"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
