"""Sorting, searching and counting by comparison, as Python code to convert: it calls the items' own methods.

That is the order of items, the greatest and the least of them, the place of one, each one once, and the
member of an enumeration that has a value. Python compares with nothing but `<`, `>` and `==`, too; how often
it compares to find an order differs.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, var-annotated, assignment"
# ruff: noqa: ANN001, ANN002, ANN201, ANN204, D103

from __future__ import annotations


def in_order(keys, reverse):
    order = []
    for place in range(len(keys)):
        key = keys[place]
        low, high = 0, len(order)
        while low < high:
            middle = (low + high) // 2
            comes_before = keys[order[middle]] < key if reverse else key < keys[order[middle]]
            if comes_before:
                high = middle
            else:
                low = middle + 1
        order.insert(low, place)
    return order


def greatest(keys):
    best = 0
    for place in range(1, len(keys)):
        if keys[place] > keys[best]:
            best = place
    return best


def least(keys):
    best = 0
    for place in range(1, len(keys)):
        if keys[place] < keys[best]:
            best = place
    return best


def place_of(items, value, start=0, stop=None):
    for place in range(*slice(start, stop).indices(len(items))):
        if items[place] is value or items[place] == value:
            return place
    return -1


def list_index(items, value, *bounds):
    place = place_of(items, value, *bounds)
    if place < 0:
        raise ValueError(f"{value!r} is not in list")
    return place


def tuple_index(items, value, *bounds):
    place = place_of(items, value, *bounds)
    if place < 0:
        raise ValueError("tuple.index(x): x not in tuple")
    return place


def list_remove(items, value):
    place = place_of(items, value)
    if place < 0:
        raise ValueError("list.remove(x): x not in list")
    del items[place]


def list_count(items, value):
    found = 0
    for item in items:
        if item is value or item == value:
            found += 1
    return found


tuple_count = list_count


def total(items, start):
    for item in items:
        start = start + item
    return start


def member_of(kind, value, *, has_others):
    for member in kind:
        if value == member._value_:
            return member
    found = kind._missing_(value) if has_others else None
    if found is None:
        raise ValueError(f"{value!r} is not a valid {kind.__qualname__}")
    return found


def from_keys(keys, value=None):
    found = {}
    for key in keys:
        found[key] = value
    return found


def merged(*iterables, key=None, reverse=False):
    ranks, items = [], []
    for iterable in iterables:
        its_items = list(iterable)
        its_ranks = its_items if key is None else [key(item) for item in its_items]
        ranks, items = in_one(ranks, items, its_ranks, its_items, reverse)
    yield from items


def in_one(ranks, items, its_ranks, its_items, reverse):
    both_ranks, both = [], []
    here = there = 0
    while here < len(items) and there < len(its_items):
        rank, its_rank = ranks[here], its_ranks[there]
        if rank < its_rank if reverse else its_rank < rank:
            both_ranks.append(its_rank)
            both.append(its_items[there])
            there += 1
        else:
            both_ranks.append(rank)
            both.append(items[here])
            here += 1
    return both_ranks + ranks[here:] + its_ranks[there:], both + items[here:] + its_items[there:]


def cmp_to_key(mycmp):
    class K:
        def __init__(self, obj):
            self.obj = obj

        def __lt__(self, other):
            return mycmp(self.obj, other.obj) < 0

        def __gt__(self, other):
            return mycmp(self.obj, other.obj) > 0

        def __eq__(self, other):
            return mycmp(self.obj, other.obj) == 0

        def __le__(self, other):
            return mycmp(self.obj, other.obj) <= 0

        def __ge__(self, other):
            return mycmp(self.obj, other.obj) >= 0

        __hash__ = None

    return K
