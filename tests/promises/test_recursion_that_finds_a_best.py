"""What a recursion looks for may be None until it has found something."""

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of

CLASS = """
class Found:
    def __init__(self):
        self.best = None
        self.count = 0
"""

PLACES = {
    "a variable": ("best", "best = None", "nonlocal best"),
    "an attribute": ("found.best", "found = Found()", "pass"),
    "an item": ("found['best']", "found = {'best': None}", "pass"),
}

BODIES = {
    "the greatest": "if {best} is None or t > {best}: {best} = t",
    "the least": "{best} = t if {best} is None else min({best}, t)",
    "a pair": "if {best} is None or t > {best}[0]: {best} = t, n",
    "on some paths": "if t % 2 == 0: {best} = t",
}


@pytest.mark.parametrize("start", ["0", "1.5"])
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("place", PLACES)
def test_a_search_begins_without_a_best(place, body, start):
    best, made, declared = PLACES[place]
    program = function_of(
        CLASS
        + f"""
def f(n):
    {made}
    def search(n, t):
        {declared}
        if n <= 0:
            {BODIES[body].format(best=best)}
            return
        search(n - 1, t + n)
        search(n - 2, t * 2)
    search(n, {start})
    return {best}
"""
    )
    ag.check(program, np.int64(4), then=[(np.int64(n),) for n in (0, 1, 5)])


def test_a_call_sees_what_the_one_around_it_has_put_there():
    program = function_of(
        CLASS
        + """
def f(n):
    found = Found()
    def walk(n):
        if n <= 0:
            return
        found.best = n
        walk(n - 1)
        found.count += found.best
    walk(n)
    return found.best, found.count
"""
    )
    ag.check(program, np.int64(4), then=[(np.int64(n),) for n in (0, 1, 5)])


def test_a_walk_in_order_remembers_what_came_before():
    program = function_of("""
def f(n, key):
    last, rises = None, True
    def walk(n):
        nonlocal last, rises
        if n <= 0:
            return
        walk(n - 1)
        if last is not None and last > key(n):
            rises = False
        last = key(n)
        walk(n - 2)
    walk(n)
    return rises, last
""")
    for key in (lambda n: n % 3, lambda n: 7, lambda n: -n):
        ag.check(program, np.int64(4), key, then=[(np.int64(n), key) for n in (0, 1, 5)])


def test_what_was_found_may_be_given_up_again():
    program = function_of(
        CLASS
        + """
def f(n):
    found = Found()
    def walk(n):
        if n <= 0:
            found.best = None
            return
        found.best = n if found.best is None else found.best + n
        walk(n - 1)
        if found.best is None:
            found.best = n
    walk(n)
    return found.best
"""
    )
    ag.check(program, np.int64(4), then=[(np.int64(n),) for n in (0, 1, 5)])


@pytest.mark.parametrize("copied", ["path[:]", "list(path)", "[*path]", "path.copy()"])
@pytest.mark.parametrize("place", PLACES)
def test_a_search_keeps_the_best_path(place, copied):
    best, made, declared = PLACES[place]
    program = function_of(
        CLASS
        + f"""
def f(n):
    {made}
    path, cost = [], 1e9
    def search(n, total):
        nonlocal cost
        {declared}
        if n <= 0:
            if total < cost:
                cost, {best} = total, {copied}
            return
        path.append(n)
        search(n - 1, total * 0.5)
        path.pop()
        path.append(-n)
        search(n - 2, total + n)
        path.pop()
    search(n, 4.0)
    return {best}, cost
"""
    )
    ag.check(program, np.int64(4), then=[(np.int64(n),) for n in (0, 1, 5)])
