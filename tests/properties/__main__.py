"""Compares as many random programs as one likes: `python -m tests.properties 2000 --jobs 2`.

It says how many do the same in every way of running them, how many are refused and why, which pairs of
constructs they had, and shows what differs, made small. `--reduce 7 12` only shows two of them.
"""

import argparse
import os
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from multiprocessing import Pool
from typing import Any

from tests.properties import grammar
from tests.properties.case import PROPERTIES, case_of, outcome, smallest
from tests.properties.choices import Choices
from tests.properties.constructs import IDEAS
from tests.properties.grammar import Pair

TOGETHER = 25
"""Programs that a process is given at once."""

LIFE = 40
"""How often a process is given some, before a new one takes its place with fresh memory."""

SILENCE = 60
"""Seconds after which it says how far it is."""

Became = tuple[str, int, str]
"""A property, the seed of a program, and what became of it."""


def main(arguments: Sequence[str]) -> int:
    """Compares programs; 1 where some differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", help="how many programs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many processes")
    parser.add_argument("--seed", type=int, help="of the first program; the next has the next number")
    parser.add_argument("--property", action="append", choices=[*PROPERTIES], help="one of several")
    parser.add_argument("--idea", action="append", choices=[*IDEAS], help="one of those that all are about")
    parser.add_argument("--size", choices=["small", "large"], help="of all programs; else most are small")
    parser.add_argument("--show", type=int, default=5, help="how many differences of each property are shown")
    parser.add_argument("--table", action="store_true", help="how often each pair of constructs was there")
    parser.add_argument("--reduce", type=int, nargs="+", metavar="SEED", help="only show these, made small")
    parser.add_argument("--seconds", type=int, default=30, help="for each of two ways to make one small")
    options = parser.parse_args(arguments)
    first = random.SystemRandom().randrange(10**12) if options.seed is None else options.seed
    names = options.property or list(PROPERTIES)
    sizes = {"small": grammar.SMALL, "large": grammar.LARGE}
    about = {"ideas": options.idea, "size": sizes.get(options.size)}
    if options.reduce:
        for seed in options.reduce:
            for name in names:
                print(f"\n── {_smallest(options.seconds, about, (name, seed))}", flush=True)
        return 0
    if options.count is None:
        parser.error("say how many programs, or which to reduce")
    chunks = [
        range(start, min(start + TOGETHER, first + options.count))
        for start in range(first, first + options.count, TOGETHER)
    ]
    print(f"programs {first} to {first + options.count - 1}, in {options.jobs} processes", flush=True)
    begun = time.monotonic()
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    different: dict[str, list[int]] = defaultdict(list)
    with Pool(options.jobs, maxtasksperchild=LIFE) as pool:
        said = begun
        for done, (found, pairs) in enumerate(
            pool.imap_unordered(partial(_compared, names, about), chunks), 1
        ):
            if time.monotonic() - said > SILENCE:
                said = time.monotonic()
                some = ", ".join(f"{name} {len(seeds)}" for name, seeds in different.items()) or "none"
                print(f"{done * TOGETHER} compared, different: {some}", file=sys.stderr, flush=True)
            grammar.COVERED.update(pairs)
            for name, seed, became in found:
                counts[name][became] += 1
                if became.startswith(("different", "internal")):
                    different[name].append(seed)
                    print(f"{name} differs in program {seed}", file=sys.stderr, flush=True)
        seconds = time.monotonic() - begun
        print(f"{options.count} programs in {seconds:.0f} s: {options.count / seconds:.1f} in a second")
        for name in names:
            shares = [f"{became} {n} ({n / options.count:.2%})" for became, n in counts[name].most_common()]
            print(f"{name:>10}: " + "\n            ".join(shares))
        print(grammar.table() if options.table else grammar.covered(), flush=True)
        failing = [(name, seed) for name in names for seed in sorted(different[name])[: options.show]]
        for text in pool.imap(partial(_smallest, options.seconds, about), failing):
            print(f"\n── {text}", flush=True)
    failed = {name: seeds for name, seeds in different.items() if seeds}
    for name, seeds in failed.items():
        print(f"\n{name} differs in programs {' '.join(map(str, sorted(seeds)))}")
    return 1 if failed else 0


def _compared(
    names: Sequence[str], about: Mapping[str, Any], seeds: Sequence[int]
) -> tuple[list[Became], Counter[Pair]]:
    found: list[Became] = []
    pairs: Counter[Pair] = Counter()
    for seed in seeds:
        for name in names:
            case = case_of(Choices(random.Random(seed).randrange), seed, name, **about)
            pairs.update(case.program.pairs)
            found.append((name, seed, outcome(case, name).became))
    return found, pairs


def _smallest(seconds: int, about: Mapping[str, Any], failing: tuple[str, int]) -> str:
    name, seed = failing
    return smallest(seed, name, seconds=seconds, **about)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
