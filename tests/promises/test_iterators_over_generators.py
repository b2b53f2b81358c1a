"""`enumerate` and `zip` take an item of a generator expression for each of their own, whoever asks next."""

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of


class Weight:
    """An object that programs change."""

    def __init__(self, value):
        self.value = value


PROGRAMS = """
total = 0.0
for i, y in enumerate(a * x for a in [1.0, 2.0, 3.0]):
    total += i * y
return total
---
given = (a * x for a in [1.0, 2.0, 3.0, -1.0])
total = 0.0
for i, y in zip([1, 2], given):
    total += i * y
return total, next(given)
---
given = (a * x for a in [1.0, 2.0, 3.0, -1.0])
pairs = enumerate(given)
first = next(pairs)
return first, next(given), next(pairs), list(given)
---
given = (a * x for a in [1.0, 2.0, 3.0, -1.0])
total, rest = 0.0, 0.0
for i, y in enumerate(given):
    total += y
    if i >= n:
        break
for y in given:
    rest += y
return total, rest
---
total = 0.0
for i, y in zip([1, 2, 3], (a * x for a in [1.0, 2.0, 3.0])):
    if total > n:
        break
    total += i * y
return total
---
given = (a * x for a in [1.0, 2.0, 3.0, -1.0])
return [(y, i) for i, y in zip(range(2), given)], list(given)
---
return dict(enumerate(a * x for a in [1.0, 2.0])), dict(zip("ab", (a * x for a in [1.0, 2.0])))
---
weights, found = [Weight(x), Weight(2.0)], []
for i, each in enumerate(each for each in weights):
    each.value += i
    found.append(each)
are_same = [one is other for one, other in zip(weights, (each for each in weights))]
return found[0] is weights[0], weights[1].value, are_same
---
try:
    return list(zip([1, 2, 3], (a * x for a in [1.0, 2.0]), strict=True))
except ValueError as error:
    return str(error)
---
items, found = [1.0, x], []
for i, y in enumerate(a * 2 for a in items):
    if i < n:
        items.append(y)
    found.append(y)
return found, items
""".strip().split("\n---\n")


@pytest.mark.parametrize("text", PROGRAMS)
def test_pairs_of_a_generator_expression_are_made_one_by_one(text):
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    f = function_of(f"def f(x, n):\n{lines}", Weight=Weight)
    calls = [(np.float64(x), np.int64(n)) for x, n in ((2.0, 3), (0.5, 0), (5.0, 2))]
    ag.check(f, *calls[0], then=calls[1:])
