"""Heaps, bisection, generators, recursion that collects, and text."""

from tests.properties.constructs.construct import Construct

__all__ = ["IDEAS"]

MARK = """\
def mark(at):
    nonlocal calls
    calls += 1
    marks[at % 5] = True
    if at > 0:
        mark(at - 1)"""

GATHER = """\
def gather(at):
    found.append(at * 1.0)
    if at > 0 and $T:
        gather(at - 1)
gather($I % 4)"""

IDEAS: dict[str, Construct] = {
    "heaps": Construct(
        names={"H": ("heap",)},
        setup=("heap = [1.0, 3.0]",),
        forms=(
            "heapq.heappush($H, $F)",
            "if $H:\n    s += heapq.heappop($H)\nheapq.heappush($H, $F)",
            "s += heapq.heappushpop($H, $F)",
            "s += heapq.heapreplace($H, $F)",
            "heapq.heapify($H)",
            "bisect.insort($H, $F)",
            "k += bisect.bisect_left($H, $F)",
            "while len($H) > 2:\n    s += heapq.heappop($H)",
            "$H.sort(reverse=True)",
            "$H = heapq.nsmallest(2, $H)",
        ),
        floats=("$H[0]",),
        ints=("bisect.bisect($H, $F)", "len($H)"),
        results=("heap",),
    ),
    "generators": Construct(
        names={},
        setup=("got = []",),
        forms=(
            "for item in counted($I % 6):\n    s += item",
            "for item in counted($I % 6):\n    if $T:\n        break\n    s += item",
            "got.extend(counted($I % 6))",
            "s += sum((e * $F for e in counted($I % 6)), 0.0)",
            "source = counted($I % 6)\ns += next(source, $F)",
            "source = walk(got, $F)\nfor item in source:\n    s += item",
            "got.append($F)",
            "for left, right in zip(got, counted($I % 6)):\n    s += left * right",
            "for at, item in enumerate(got):\n    got[at] = item + $F",
            "s += max(counted($I % 6), default=$F)",
            "k += any(e > $F for e in got)",
            "got = [e for e in got if e > $F]",
            "got = sorted(got, key=lambda e: -e)",
            "got = list(map(lambda e: e + $F, got))",
            "got = [*itertools.accumulate(got)]",
            "for pair in itertools.pairwise(got):\n    s += pair[0] - pair[1]",
            "s = functools.reduce(lambda p, e: p * 0.5 + e, got, s)",
            "for item in itertools.chain(got, [$F]):\n    s += item",
        ),
        floats=("sum(got, 0.0)", "math.sqrt(abs($F))", "math.floor($F) * 1.0", "sum(counted($I % 6), 0.0)"),
        ints=("len(got)",),
        tests=("all(e > $F for e in got)",),
        around="""\
def counted(count):
    at = 0.0
    while at < count:
        yield at
        at += 1.0

def walk(items, by):
    for item in items:
        if item > by:
            return
        yield item + by
""",
        results=("got",),
    ),
    "recursion": Construct(
        names={},
        setup=(
            "found, marks, calls = [], [False, False, False, False, False], 0",
            MARK,
        ),
        forms=(
            "s += descend($I % 6, $F)",
            "collect($I % 6, found)",
            "found.append($F)",
            "mark($I % 6)",
            GATHER,
            "s += depth($I % 6)",
        ),
        floats=("descend($I % 6, $F)", "sum(found, 0.0)"),
        ints=("len(found)",),
        around="""\
def descend(at, by):
    if at <= 0:
        return by
    return descend(at - 1, by * 0.5) + 1.0

def collect(at, found):
    if at > 0:
        found.append(at * 0.5)
        collect(at - 1, found)
        if at % 2 == 0:
            found.append(0.0)

def depth(at):
    return 1.0 if at <= 0 else depth(at - 2) + depth(at - 1) * 0.5
""",
        results=("found", "marks", "calls"),
    ),
    "text": Construct(
        names={},
        setup=("word = 'low'",),
        forms=(
            "print(s)",
            "print('at', k, f'{v:.2f}')",
            "print(f'{s:.3f} {k} {word}')",
            "word = 'high' if $T else 'low'",
            "word = f'{k}:{word[:4]}'",
            "print(word)",
            "print('%d %.1f' % (k, $F))",
            "print(x)",
            "print(x[:2] > $F)",
            "if word == 'high':\n    s += 1.0",
            "word = word.upper() if $T else word.lower()",
            "print(k, end=' ')",
            "s += {'low': 1.0, 'high': 2.0}.get(word, 0.5)",
            "print(len(word))",
        ),
        ints=("len(word)",),
        tests=("word == 'low'", "word.startswith('h')"),
        results=("word",),
    ),
}
