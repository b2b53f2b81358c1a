"""`itertools` as Python code to convert, as its documentation has it: so it takes items of a run.

`count`, `cycle` and `repeat` are not among them: a backend has these, as it has `range`.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, has-type, var-annotated"
# ruff: noqa: ANN001, ANN002, ANN201, D103, F821, F841

from __future__ import annotations


def accumulate(iterable, func=None, *, initial=None):
    if initial is not None:
        total = initial
        yield total
    for number, item in enumerate(iterable):
        if number == 0 and initial is None:
            total = item
        elif func is None:
            total = total + item
        else:
            total = func(total, item)
        yield total


def chain(*iterables):
    for iterable in iterables:
        yield from iterable


def from_iterable(iterables):
    for iterable in iterables:
        yield from iterable


def combinations(iterable, r):
    pool = list(iterable)
    if r < 0:
        raise ValueError("r must be non-negative")
    if r > len(pool):
        return
    indices = list(range(r))
    yield tuple([pool[index] for index in indices])
    while True:
        moved = r - 1
        while moved >= 0 and indices[moved] == moved + len(pool) - r:
            moved -= 1
        if moved < 0:
            return
        indices[moved] += 1
        for place in range(1, r):
            if place > moved:
                indices[place] = indices[place - 1] + 1
        yield tuple([pool[index] for index in indices])


def compress(data, selectors):
    for item, selector in zip(data, selectors, strict=False):
        if selector:
            yield item


def dropwhile(predicate, iterable):
    drops = True
    for item in iterable:
        drops = drops and predicate(item)
        if not drops:
            yield item


def filterfalse(function, iterable):
    for item in iterable:
        if not (item if function is None else function(item)):
            yield item


def groupby(iterable, key=None):
    groups = []
    for number, item in enumerate(list(iterable)):  # which says so, where they have no end
        now = item if key is None else key(item)
        if number == 0 or now != before:
            groups.append((now, []))
        groups[-1][1].append(item)
        before = now
    for now, group in groups:
        left = iter(group)
        yield now, left
        for _ in left:  # a group is over where the next one begins
            pass


def islice(iterable, *bounds):
    found = slice(*bounds)
    start = 0 if found.start is None else found.start
    step = 1 if found.step is None else found.step
    wanted = start
    if found.stop is not None and found.stop == -1:
        raise ValueError("Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if start < 0 or (found.stop is not None and found.stop < 0):
        raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if step < 1:
        raise ValueError("Step for islice() must be a positive integer or None.")
    if found.stop is not None and found.stop <= 0:
        return
    number = 0
    for item in iterable:
        if number == wanted:
            wanted = wanted + step
            yield item
        number = number + 1
        if found.stop is not None and number >= found.stop:
            return


def pairwise(iterable):
    for number, item in enumerate(iterable):
        if number > 0:
            yield before, item
        before = item


def permutations(iterable, r=None):
    pool = list(iterable)
    length = len(pool)
    if r is not None and not isinstance(r, int):
        raise TypeError("Expected int as r")
    r = length if r is None else r
    if r < 0:
        raise ValueError("r must be non-negative")
    for numbers in product(range(length), repeat=r):
        if all(numbers[one] != numbers[other] for one in range(r) for other in range(one)):
            yield tuple([pool[number] for number in numbers])


def product(*iterables, repeat=1):
    pools = [list(iterable) for iterable in iterables] * repeat
    total = 1
    for pool in pools:
        total = total * len(pool)
    for number in range(total):
        rest = number
        found = []
        for place in range(1, len(pools) + 1):
            pool = pools[-place]
            found = [pool[rest % len(pool)], *found]
            rest = rest // len(pool)
        yield tuple(found)


def starmap(function, iterable):
    for item in iterable:
        yield function(*item)


def takewhile(predicate, iterable):
    for item in iterable:
        if not predicate(item):
            return
        yield item


def tee(iterable, n=2):
    pool = list(iterable)
    return tuple([iter(pool) for _ in range(n)])


def zip_longest(*iterables, fillvalue=None):
    pools = [list(iterable) for iterable in iterables]
    for number in range(max([len(pool) for pool in pools], default=0)):
        yield tuple([pool[number] if number < len(pool) else fillvalue for pool in pools])
