"""Generators that wait inside of a `try` or a `with`, in loops that a tensor leaves early."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees
from tests.promises.kit import function_of

LOOP = """
def f(n, v):
    log = []
    def items():
{generator}
    found = v * 0
    for each in items():
        found += each
        if n > 1:
            break
    return found, len(log)
"""

KEPT = {
    "a finally that notes": "try:\n yield v\n yield v + 1\nfinally:\n log.append(1)",
    "what is done first": "log.append(0)\ntry:\n log.append(1)\n yield v\nfinally:\n log.append(2)",
    "a loop that computes": "try:\n for i in range(3):\n  w = v * i\n  yield +w\nfinally:\n log.append(2)",
    "a with": "with open('/dev/null'):\n yield v\n yield v + 1",
    "an else": "try:\n yield v\nexcept KeyError:\n pass\nelse:\n print('else')",
    "a handler": "try:\n yield v\n yield v + 1\nexcept KeyError:\n w = 1",
    "calls that only compute": "try:\n yield v\n yield np.sqrt(v) + abs(-2)\nfinally:\n log.append(1)",
}
REFUSED = {
    "a note between": "try:\n yield v\n log.append(7)\n yield v + 1\nfinally:\n log.append(1)",
    "a print behind": "try:\n yield v\n yield v + 1\n print('more')\nfinally:\n log.append(1)",
    "a note behind": "try:\n yield v\nfinally:\n log.append(1)\nlog.append(2)",
    "what is raised between": "try:\n yield v\n raise KeyError\nfinally:\n log.append(1)",
    "what finally raises": "try:\n yield v\nfinally:\n raise KeyError('no')",
    "a division in finally": "try:\n yield v\nfinally:\n 1 / 0",
    "a handler of its end": "try:\n yield v\nexcept GeneratorExit:\n log.append(5)\n raise",
    "a handler of all": "try:\n yield v\nexcept:\n log.append(5)",
    "a call of its own that has a builtin's name": (
        "sum = log.append\ntry:\n yield v\n sum(7)\n yield v\nfinally:\n log.append(1)"
    ),
    "a function that a builtin calls": (
        "try:\n yield v\n list(map(log.append, [7]))\n yield v\nfinally:\n log.append(1)"
    ),
    "a key that notes": "try:\n yield v\n sorted([2, 1], key=log.append)\n yield v\nfinally:\n pass",
    "an array that a function fills": (
        "a = np.zeros(1)\ntry:\n yield v\n np.add(1, 1, a)\n yield v + a[0]\nfinally:\n pass"
    ),
}


def _program(generator):
    return function_of(LOOP.format(generator="\n".join(f"        {line}" for line in generator.splitlines())))


@pytest.mark.parametrize("generator", KEPT.values(), ids=KEPT)
def test_one_that_only_gives_items_may_be_left(generator):
    ag.check(_program(generator), np.int64(0), np.float64(2.0), then=[(np.int64(3), np.float64(2.0))])


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # it is closed, and says so
@pytest.mark.parametrize("generator", REFUSED.values(), ids=REFUSED)
def test_one_that_does_more_is_refused(generator):
    with pytest.raises(
        StateDisagrees, match=r"(?s)leaves the generator items\(\).*Put the `try` around the loop"
    ):
        ag.function(_program(generator))(np.int64(3), np.float64(2.0))


@pytest.mark.parametrize("generator", [*KEPT.values(), *list(REFUSED.values())[:3]])
def test_a_loop_that_python_decides_leaves_any(generator):
    program = _program(generator)
    ag.check(lambda v: (program(3, v), program(0, v)), np.float64(2.0))


@pytest.mark.parametrize("line", ["s = (yield n)", "yield n\n            s = 2.0", "s += (yield n) or 1.0"])
def test_a_variable_of_others_is_not_bound_where_a_tensor_has_left_the_loop(line):
    f = function_of(
        "def f(n):\n    s = 0.0\n    def items():\n        nonlocal s\n        try:\n"
        f"            {line}\n        finally:\n            pass\n"
        "    for each in items():\n        if n > 1:\n            break\n    return s\n"
    )
    with pytest.raises(StateDisagrees, match="which does more than to give items"):
        ag.function(f)(np.int64(3))


HANDLERS = """
for e in x:
    try:
        yield 6 // (int(e) - 2)
    except ZeroDivisionError:
        yield -1
---
for i in range(n):
    try:
        yield TABLE[i]
    except KeyError as error:
        yield float(error.args[0])
---
i = 0
try:
    while True:
        yield i
        i += 1
        if i > n:
            raise IndexError(i)
except IndexError as error:
    yield error.args[0] * 100
---
for i in range(n):
    try:
        yield i / (i - 1)
    except (ValueError, ZeroDivisionError):
        yield 0.25
        if i > 1:
            return
    except KeyError:
        yield 7.0
    else:
        yield 0.5
---
for i in range(4):
    try:
        yield TABLE[i]
    except KeyError:
        if i > n:
            break
        yield from range(i)
        continue
    yield 0.125
---
try:
    yield n
except Exception:
    yield -5
""".strip().split("\n---\n")
CONSUMERS = """
for e in items():
    total += e
---
for e in items():
    total += e
    if e == n:
        break
---
try:
    for e in items():
        if e == n:
            raise KeyError(e)
        total += e
except KeyError as error:
    total += 1000 + len(error.args)
---
total += sum(items()) + len(list(items())) + max(items())
---
for e in items():
    if e < 0:
        return total
    try:
        total += 10 / (e - 1)
    except ZeroDivisionError:
        total -= 1
""".strip().split("\n---\n")
TABLE = {0: 1.0, 2: 3.0}


@pytest.mark.parametrize("consumer", CONSUMERS)
@pytest.mark.parametrize("generator", HANDLERS)
def test_a_handler_of_a_generator_may_give_items(generator, consumer):
    lines = ["def f(x, n):", "    total = 0.0", "    def items():"]
    lines += [f"        {line}" for line in generator.splitlines()]
    lines += [f"    {line}" for line in consumer.splitlines()]
    f = function_of("\n".join(lines) + "\n    return total\n", TABLE=TABLE)
    for kind in (int, np.int64):
        calls = [(np.array([1.0, 2.0, 3.0]), kind(k)) for k in (3, 1, 5)]
        ag.check(f, *calls[0], then=calls[1:])
