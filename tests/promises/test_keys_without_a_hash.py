"""What Python takes for no key a graph takes for none, where there is one."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest

import autograph as ag


@dataclass
class Place:
    x: int


class Equal:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return self.x == other.x


FORMS = {
    "a dataclass that is compared": Place,
    "an instance that is compared": Equal,
    "a list": lambda i: [i],
    "a list in a tuple": lambda i: (i, [i]),
    "a dict": lambda i: {"a": i},
}


def in_a_set(items):
    try:
        return len(set(items))
    except TypeError as error:
        return str(error)


def in_a_counter(items):
    return len(Counter(items))


def in_a_dict(items):
    return len({item: 1 for item in items})


def one_by_one(items):
    seen = set()
    for item in items:
        seen.add(item)
    return len(seen)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("use", [in_a_set, in_a_counter, in_a_dict, one_by_one], ids=lambda use: use.__name__)
def test_it_is_a_type_error_where_there_is_an_element(form, use):
    make = FORMS[form]

    def f(n):
        items = []
        for i in range(n):
            items.append(make(i))
        return use(items)

    ag.check(f, np.int64(3), then=[(np.int64(0),), (np.int64(1),)])


VALUES = {
    "a list or a number": ([1], 3),
    "a list or a set": ([1], {2}),
    "an array without axes or a list": (np.array(1.0), [1]),
    "an array without axes or a name": (np.zeros(()), "a"),
    "an array or a name": (np.zeros(2), "a"),
    "a list or None": ([2], None),
    "tuples, of which one holds a list": ((1, [2]), (1, 2)),
}
USES = {
    "a dict": lambda key: len({key: 1}),
    "a set": lambda key: len({key}),
    "an item": lambda key: {}.setdefault(key, 3),
    "a look-up": lambda key: {1: 2}.get(key),
}


@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("use", USES)
def test_a_key_that_a_tensor_chooses_is_taken_where_it_has_a_hash(values, use):
    one, other = VALUES[values]
    program = USES[use]

    def f(n):
        return program(one if n > 1 else other)

    ag.check(f, np.int64(3), then=[(np.int64(0),)])
