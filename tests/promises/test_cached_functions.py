"""Functions that `functools` remembers: with values of the graph they compute, unless that would be seen."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import GraphError
from tests.promises.kit import function_of

CATCHES = """
import functools
@functools.lru_cache
def share(n):
    try:
        if n == 0:
            raise ValueError("nobody is there")
        return 10 // n
    except ValueError:
        return -1
def f(n):
    return share(n) + share(n)
"""


def test_a_cached_function_may_catch_what_it_raises():
    ag.check(function_of(CATCHES), np.int64(0), then=[(np.int64(3),)])


def test_a_cached_function_that_changes_something_is_refused():
    program = """
import functools
calls = 0
@functools.lru_cache(None)
def g(x):
    global calls
    calls += 1
    return x
def f(n):
    return g(n) + g(n), calls
"""
    with pytest.raises(GraphError, match="the cached function"):
        ag.function(function_of(program))(np.int64(3))


MADE_INSIDE = """
import functools
def f(x):
    @functools.cache
    def times(k):
        {first}
        return k * x
    y = 0.0
    if x > 0:
        y = times(1)
    return y + times(1)
"""


def test_what_a_cache_keeps_of_a_branch_is_not_given_to_those_after_it():
    program = function_of(MADE_INSIDE.format(first="pass"))
    ag.check(program, np.float64(1.0), then=[(np.float64(-1.0),), (np.float64(2.0),)])


def test_a_cached_function_that_prints_in_a_branch_alone_is_refused():
    with pytest.raises(GraphError, match="the cached function times"):
        ag.function(function_of(MADE_INSIDE.format(first="print(k)")))(np.float64(1.0))


def test_what_a_cache_keeps_of_a_turn_is_not_given_to_the_next():
    program = """
import functools
def f(xs):
    @functools.cache
    def twice(k):
        return 2 * xs[k]
    y = 0.0
    for x in xs:
        if x > 0:
            y += twice(1)
        y += twice(0)
    return y + twice(1)
"""
    ag.check(function_of(program), np.array([1.0, -2.0, 3.0]), then=[(np.array([-1.0, -2.0, 3.0]),)])


def test_a_cached_function_made_inside_may_call_itself_where_an_array_decides():
    program = """
import functools
def f(a, b):
    @functools.lru_cache(maxsize=None)
    def common(i, j):
        if i == len(a) or j == len(b):
            return 0
        if a[i] == b[j]:
            return 1 + common(i + 1, j + 1)
        return max(common(i + 1, j), common(i, j + 1))
    return common(0, 0)
"""
    ag.check(function_of(program), np.array([1, 2, 3]), np.array([2, 3, 4]))


def test_where_no_tensor_decides_a_cached_function_is_called_once():
    program = """
import functools
def f(x):
    @functools.cache
    def times(k):
        print("times", k)
        return k * x
    return sum(times(k % 3) for k in range(6))
"""
    ag.check(function_of(program), np.float64(2.0))


def test_a_value_of_the_graph_may_be_an_argument_by_name():
    program = """
import functools
@functools.lru_cache
def half(n, by=2):
    return n // by
def f(n):
    return half(n=n) + half(7, by=n)
"""
    ag.check(function_of(program), np.int64(4), then=[(np.int64(3),)])


ONE_THAT_CHANGES = """
import functools
import numpy as np
def f(x):
    n, a = 0, np.zeros(2)
    @functools.cache
    def times(k):
        nonlocal n
        {line}
        return k * x
    if x > 0:
        times(1)
    times(1)
    return n, a
"""


@pytest.mark.parametrize("line", ["n += 1", "a[0] += 1"])
def test_a_variable_or_an_array_around_that_a_cached_function_changes_on_a_path_is_refused(line):
    with pytest.raises(GraphError, match="the cached function times"):
        ag.function(function_of(ONE_THAT_CHANGES.format(line=line)))(np.float64(1.0))


def test_a_cached_function_may_fill_an_array_of_its_own():
    program = """
import functools
import numpy as np
def f(x):
    @functools.cache
    def powers(k):
        a = np.ones(3)
        a[1] = k
        a[2] = x * k
        return a
    y = powers(2) if x > 0 else powers(3)
    return y + powers(2)
"""
    ag.check(function_of(program), np.float64(1.0), then=[(np.float64(-1.0),)])


GIVEN = """
import functools
import numpy as np
class Box:
    n = 0
@functools.lru_cache
def kept(k):
    return {made}
def f(k):
    {first}
    return kept(k)
"""


@pytest.mark.parametrize(
    ("made", "first"),
    [
        ("[k]", "kept(k).append(k)"),
        ("([k], k)", "kept(k)[0].append(k)"),
        ("np.full(2, k)", "kept(k)[0] = 0"),
        ("np.full(2, k)", "kept(k)[1:] += 1"),
        ("Box()", "kept(k).n += k"),
        ("[k]", "x = kept(k) is kept(k)"),
    ],
)
def test_what_a_cache_gives_for_a_tensor_is_one_object_and_may_not_be_changed(made, first):
    with pytest.raises(GraphError, match=r"what the cached function kept\(\) gives is"):
        ag.function(function_of(GIVEN.format(made=made, first=first)))(np.int64(1))


@pytest.mark.parametrize("made", ["[k, 2 * k]", "np.full(2, k)", "(k, 3)"])
def test_what_a_cache_gives_for_a_tensor_may_be_read_and_returned(made):
    ag.check(function_of(GIVEN.format(made=made, first="kept(k)[0] + kept(k)[1]")), np.int64(1))


BEFORE = """
import functools
import numpy as np
calls, rate, table = 0, 2.0, np.ones(2)
@functools.cache
def kept(k):
    global calls
    {line}
    return k * rate
def f(x):
    global rate
    {first}
    return kept(1) + x + calls
"""


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("print(k)", "pass"),
        ("calls += 1", "pass"),
        ("pass", "rate = x"),
        ("return table[0] * k", "table[0] = x"),
    ],
)
def test_a_cache_that_was_there_before_keeps_nothing_of_a_graph(line, first):
    f = function_of(BEFORE.format(line=line, first=first))
    for _ in range(2):  # nor has it kept anything of the first one
        with pytest.raises(GraphError, match=r"the cached function kept\(\) is called for the first time"):
            ag.function(f)(np.float64(1.0))
    assert not f.__globals__["kept"].cache_info().currsize


def test_a_cache_that_has_been_called_before_gives_what_it_keeps():
    f = function_of(BEFORE.format(line="calls += 1", first="pass"))
    f.__globals__["kept"](1)
    assert float(ag.function(f)(np.float64(3.0))) == 6.0


def test_a_cache_that_was_there_before_may_be_called_for_the_first_time_in_a_graph():
    ag.check(function_of(BEFORE.format(line="pass", first="pass")), np.float64(3.0))


def test_what_a_cache_keeps_of_a_try_is_not_given_where_it_raises_again():
    program = """
import functools
def f(x):
    @functools.cache
    def small(k):
        if k * x > 5:
            raise ValueError(k)
        return k * x
    found = []
    for k in (1, 2, 1, 2):
        try:
            found.append(small(k))
        except ValueError:
            found.append(-1.0)
    return found
"""
    ag.check(function_of(program), np.float64(2.0), then=[(np.float64(3.0),), (np.float64(9.0),)])


@pytest.mark.parametrize("asked", ["cache_info", "cache_clear"])
def test_a_cache_is_asked_about_its_calls_where_no_tensor_decides(asked):
    program = """
import functools
def f(x):
    @functools.cache
    def times(k):
        return k * x
    times(1)
    {line}
    times(1)
    return times.cache_info().misses
"""
    ag.check(function_of(program.format(line=f"times.{asked}()")), np.float64(2.0))
    with pytest.raises(GraphError, match=f"`{asked}` of a cached function"):
        ag.function(function_of(program.format(line=f"x > 0 and times.{asked}()")))(np.float64(2.0))
