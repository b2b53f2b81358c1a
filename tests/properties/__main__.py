"""Compares as many random programs as one likes: `python -m tests.properties 2000 --jobs 2`.

It says how many do the same in every way of running them, how many are refused and why, which pairs of
constructs they had, and shows what differs, made small.
"""

import argparse
import os
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import partial
from multiprocessing import Pool

from tests.properties import grammar
from tests.properties.case import PATIENCE, PROPERTIES, Case, Different, check, outcome, patience
from tests.properties.grammar import Pair, Program
from tests.properties.small import SmallProgram
from tests.properties.small_case import executors_for, outcome_of, smallest

TOGETHER = 25
"""Programs that a process is given at once."""

LIFE = 40
"""How often a process is given some, before a new one takes its place with fresh memory."""

SILENCE = 60
"""Seconds after which it says how far it is."""

SMALL = "small"
"""The property of programs of a few lines about one idea: `ag.check` holds them against plain Python."""

Outcome = tuple[str, int, str]
"""A property, the seed of a program, and what became of it."""


def main(arguments: Sequence[str]) -> int:
    """Compares programs; 1 where some differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties", description=__doc__)
    parser.add_argument("count", type=int, help="how many programs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many processes")
    parser.add_argument("--seed", type=int, help="of the first program; the next has the next number")
    parser.add_argument("--property", action="append", choices=[*PROPERTIES, SMALL], help="one of several")
    parser.add_argument("--show", type=int, default=5, help="how many differences of each property are shown")
    parser.add_argument("--table", action="store_true", help="how often each pair of constructs was there")
    options = parser.parse_args(arguments)
    first = random.SystemRandom().randrange(10**12) if options.seed is None else options.seed
    names = options.property or list(PROPERTIES)
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
        for done, (outcomes, pairs) in enumerate(pool.imap_unordered(partial(_compared, names), chunks), 1):
            if time.monotonic() - said > SILENCE:
                said = time.monotonic()
                some = ", ".join(f"{name} {len(seeds)}" for name, seeds in different.items()) or "none"
                print(f"{done * TOGETHER} compared, different: {some}", file=sys.stderr, flush=True)
            grammar.COVERED.update(pairs)
            for name, seed, became in outcomes:
                counts[name][became] += 1
                if became.startswith(("different", "internal")):
                    different[name].append(seed)
                    print(f"{name} differs in program {seed}", file=sys.stderr, flush=True)
        seconds = time.monotonic() - begun
        print(f"{options.count} programs in {seconds:.0f} s: {options.count / seconds:.1f} in a second")
        for name in names:
            shares = [f"{became} {n} ({n / options.count:.2%})" for became, n in counts[name].most_common()]
            print(f"{name:>10}: " + "\n            ".join(shares))
        if names != [SMALL]:
            print(grammar.table() if options.table else grammar.table().splitlines()[-1], flush=True)
        failing = [(name, seed) for name in names for seed in sorted(different[name])[: options.show]]
        for (name, seed), text in zip(failing, pool.imap(_smallest, failing), strict=True):
            print(f"\n── {name}, program {seed} ──\n\n{text}", flush=True)
    failed = {name: seeds for name, seeds in different.items() if seeds}
    for name, seeds in failed.items():
        print(f"\n{name} differs in programs {' '.join(map(str, sorted(seeds)))}")
    return 1 if failed else 0


def _compared(names: Sequence[str], seeds: Sequence[int]) -> tuple[list[Outcome], Counter[Pair]]:
    outcomes: list[Outcome] = []
    pairs: Counter[Pair] = Counter()
    for seed in seeds if SMALL in names else ():
        outcomes.append((SMALL, seed, outcome_of(SmallProgram.from_seed(seed), executors_for(seed)).became))
    names = [name for name in names if name != SMALL]
    for seed in seeds if names else ():
        program = Program.from_seed(seed)
        pairs.update(program.pairs)
        case = Case(program)
        for name in names:
            try:
                with patience(PATIENCE):
                    outcomes.append((name, seed, outcome(case, name)))
            except (Different, TimeoutError):
                outcomes.append((name, seed, "different"))
    return outcomes, pairs


def _smallest(failing: tuple[str, int]) -> str:
    name, seed = failing
    if name == SMALL:
        return smallest(seed)
    try:
        check(seed, name)
    except Different as different:
        return str(different)
    return f"{Program.from_seed(seed)}\n\ndoes not differ when it is run again"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
