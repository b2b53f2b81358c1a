"""Numbers that a call has left in containers outside are numbers of NumPy's in the next call."""

import bisect
import collections
import heapq
import math

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of

NAMES = {"bisect": bisect, "heapq": heapq, "math": math}

ASKED = """
items.sort(reverse=True)
return items
---
return max(items), min(items), sum(items), sorted(items), any(items), all(items)
---
return max(table, key=table.get), min(items, key=lambda a: -a), sorted(items, key=lambda a: -a)
---
return v in items, items.index(v), items.count(v), items == [v, 1.0, 2.0], items < [v]
---
items.remove(items[0])
return items
---
heapq.heapify(items)
heapq.heappush(items, v)
return heapq.heappop(items), bisect.bisect(items, 1.5), heapq.nlargest(2, items)
---
queue.append(v)
queue.rotate(1)
return max(queue), v in queue, queue
---
return isinstance(items[0], float), type(items[0]) is np.float64, isinstance(items[0], np.ndarray)
---
return int(items[0]), [i for i in range(int(items[0]))], round(items[0], 1), math.floor(items[0])
---
return f"{items[0]:.2f}", str(items), items[0] or 3, 1 < items[0] < 3, [a for a in items if a > 1]
""".strip().split("\n---\n")


@pytest.mark.parametrize("program", ASKED)
def test_they_are_ordered_searched_and_asked_for_their_class(program):
    lines = ["def f(n, v):", "if not items:", "    items.extend([v, 1.0, 2.0])", "    queue.extend([v, 3.0])"]
    lines += ["    table.update(x=v, y=1.0)", "    return None", *program.splitlines()]
    places = {"items": [], "table": {}, "queue": collections.deque()}
    function = function_of("\n    ".join(lines) + "\n", **places, **NAMES)
    calls = [(np.int64(n), np.float64(v)) for n, v in ((1, 2.0), (1, 2.0), (2, 2.0), (1, 1.5), (1, 2.0))]
    ag.check(function, *calls[0], then=calls[1:], executors=["numpy"])


@pytest.mark.parametrize(
    "given",
    ["np.asarray(box.u)", "np.asanyarray(box.u)", "np.asarray(box.u, float)", "np.array(box.u, copy=False)"],
)
def test_an_array_that_a_call_has_left_is_written_into_under_the_name_of_an_array(given):
    class Box:
        u = None

    lines = ["def f(n, v):", "if box.u is None:", "    box.u = np.zeros(4)", f"held = {given}"]
    lines += ["box.u = held", "held[0] += v", "return held.sum()"]
    function = function_of("\n    ".join(lines) + "\n", box=Box)
    ag.check(function, np.int64(3), np.float64(2.0), then=[(np.int64(3), np.float64(2.0))] * 2)
