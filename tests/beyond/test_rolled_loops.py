"""Loops over ranges of Python's, rolled into loops of the graph: nobody can tell, and who could is unrolled.

Every program is compared with plain Python on every executor, once rolled from six turns on, and it is said
which of them roll. Those that do not are as important: each would be wrong as one turn for all.
"""

import math

import numpy as np
import pytest

import autograph as ag
from tests.beyond.rolling import Programs, loops_of, short_loops_roll

PROGRAMS = Programs()
rolls, unrolls = PROGRAMS.rolls, PROGRAMS.unrolls

pytestmark = pytest.mark.usefixtures(short_loops_roll.__name__)


@rolls()
def shift(x):
    for i in range(70):
        x = x + (1 << i) % 1000
    return x


@rolls(np.arange(12))
def rows_and_columns(x):
    total = 0
    for p in range(3, 45):
        row, column = p // 4, p % 4
        total = total + x[row] * column - x[(p - 3) // 7 * 2 % 5] + p // 2 * x[column]
    return total


@rolls(np.arange(12))
def downwards_by_quotients(x):
    total = 0
    for p in range(50, -7, -3):
        total = total * 3 + x[p // 6] - (p % 5) * x[-(p // 9) % 3] + p % -6
    return total


@rolls(np.arange(60) * 7 % 11)
def rectangle(heights):
    n = len(heights)
    stack = np.zeros(n + 1, np.int64)
    top = best = 0
    for i in range(n + 1):
        height = heights[i] if i < n else 0
        while top > 0 and heights[stack[top - 1]] >= height:
            tall = heights[stack[top - 1]]
            top -= 1
            left = stack[top - 1] + 1 if top > 0 else 0
            best = max(best, tall * (i - left))
        stack[top] = i
        top += 1
    return best


@rolls(np.arange(12))
def around(x):
    total = 0
    for i in range(40):
        total = (total * 3 + x[(i + 1) % 12] - x[(5 * i + 7) % 11] * ((3 - i) % 9) + (i - 4) % 40) % 1009
    return total


@rolls(np.arange(8, dtype=np.int8))
def int8_ok(x):
    for i in range(20):
        x = x + i
    return x


@unrolls(np.arange(8, dtype=np.int8))
def int8_overflow(x):
    for i in range(200):
        x = x + i
    return x


@unrolls(np.arange(8, dtype=np.uint8))
def uint8_neg(x):
    for i in range(8):
        x = x + (3 - i)
    return x


@unrolls(np.arange(8, dtype=np.float16))
def f16(x):
    for i in range(3000, 3010):
        x = x + i
    return x


@rolls(np.arange(8, dtype=np.float32))
def f32(x):
    t = 0.1
    for i in range(20):
        x = x * t + i
    return x


@rolls(np.arange(8, dtype=np.float32))
def f32t(x):
    for i in range(20):
        x = x * (i * 0.1) + i / 3
    return x


@rolls()
def fib(x):
    a, b = (0, 1)
    for i in range(20):
        a, b = (b, a + b)
        x = x + a
    return (x, a, b)


@rolls()
def flag(x):
    fl = True
    for i in range(9):
        fl = not fl
        if fl:
            x = x * 2
        else:
            x = x + 1
    return (x, fl)


@unrolls()
def const_late(x):
    k = 0
    for i in range(9):
        if i == 7:
            k = 5
        x = x + k
    return (x, k)


@rolls()
def dtypes(x):
    for i in range(9):
        x = x + np.float32(1.5)
        y = x.astype(np.float32) * i
    return (x, y)


@unrolls()
def growshape(x):
    for i in range(9):
        x = np.concatenate([x, x[:1]])
    return x


@rolls()
def slices2(x):
    s = np.zeros(2)
    for i in range(6):
        s = s + x[i : i + 2]
    return s


@rolls()
def viewrow(x):
    g = np.zeros((8, 3))
    for i in range(8):
        r = g[i]
        r[:] = x[i]
        r += i
    return g


@rolls()
def alias(x):
    a = np.zeros(8)
    b = a
    for i in range(8):
        a[i] = x[i]
        b[0] += 1
    return (a, b)


@rolls()
def oob(x):
    for i in range(12):
        x = x + x[i]
    return x


@unrolls()
def zerodiv(x):
    for i in range(12):
        x = x + 1 / (7 - i)
    return x


@unrolls(np.arange(8))
def zerodivx(x):
    for i in range(12):
        x = x // (7 - i)
    return x


@unrolls()
def raising(x):
    for i in range(8):
        if x[i] > 5:
            raise ValueError(f"turn {i}: {x[i]}", i)
    return x


@unrolls()
def trying(x):
    n = 0
    for i in range(8):
        try:
            if x[i] > 5:
                raise ValueError(i)
            n = n + 1
        except ValueError as e:
            x = x + e.args[0]
    return (x, n)


@unrolls()
def ret_py(x):
    for i in range(8):
        x = x + 1
        if i > 5:
            return (x, i)
    return (x, -1)


@rolls()
def else_block(x):
    for i in range(8):
        x = x + 1
    else:
        x = x * 2
    return x


@rolls()
def cont(x):
    for i in range(8):
        if x[i] > 4:
            continue
        x = x + i
    return x


@rolls()
def nested_range(x):
    for i in range(8):
        for j in range(i):
            x = x + j
    return x


@rolls()
def nested_while(x):
    for i in range(8):
        k = i
        while x[k] > 3 and k > 0:
            k -= 1
        x = x + k
    return x


@rolls()
def rng(x):
    r = np.random.default_rng(3)
    for i in range(8):
        x = x + r.normal()
    return (x, r.normal())


@rolls()
def printing(x):
    for i in range(8):
        print("%d" % i)  # noqa: UP031  # as users write it
        print(i, f"{i:>4}|{i / 3:.3f}", str(i), repr(i), x[i])
        x = x + 1
    return x


@rolls()
def maths(x):
    for i in range(8):
        x = x + math.sin(i) + math.sqrt(i) + max(i, 3) + min(2.5, i)
        x = x + abs(-i) + divmod(i, 3)[1] + pow(i, 2) + round(i / 3, 1)
    return x


@rolls()
def argmaxp(x):
    b = 0
    for i in range(8):
        b = i if x[i] > x[b] else b
    return (b, x[b])


@rolls()
def shape_idx(x):
    for i in range(8):
        x = x + x.shape[i % 1] + len(x)
    return x


@rolls()
def floatacc(x):
    t = 0.0
    for i in range(20):
        x = x + t
        t += 0.1
    return (x, t)


@rolls()
def lr(x):
    lr = 1.0
    for i in range(20):
        x = x - lr * x
        lr *= 0.9
    return x


@rolls()
def unary(x):
    for i in range(8):
        x = x + -i * +i + ~i + (i ^ 3) + (i & 1) + (i | 8) + (i >> 1)
    return x


@rolls()
def tensor_pow(x):
    for i in range(4, 12):
        x = x + 2**i + i**2 + 2.0 ** (-i)
    return x


@unrolls(np.arange(8))
def int_pow(x):
    for i in range(8):
        x = x + x**i
    return x


@rolls()
def inplace(x):
    y = x.copy()
    z = y
    for i in range(8):
        y += i
    return (y, z)


@rolls()
def inplace2(x):
    y = x * 2
    z = y
    for i in range(8):
        y += i
        y *= x
    return (y, z)


@rolls()
def none_later(x):
    p = None
    for i in range(8):
        if p is not None:
            x = x + p
        p = x[0]
    return (x, p)


@rolls()
def dele(x):
    for i in range(8):
        y = x + 1
        x = y
        del y
    return x


@rolls()
def undefd(x):
    for i in range(8):
        z = x + i
    return z


@rolls()
def lag3(x):
    a = b = c = 0.0
    for i in range(8):
        a, b, c = (x[i], a, b)
    return (a, b, c)


@rolls()
def lag5(x):
    a = b = c = d = e = 0
    for i in range(12):
        a, b, c, d, e = (i, a, b, c, d)
        x = x + e
    return (x, a, b, c, d, e)


@unrolls()
def lag5t(x):
    a = b = c = d = e = 0
    for i in range(12):
        a, b, c, d, e = (x[0], a, b, c, d)
        x = x + e
    return (x, a, b, c, d, e)


@rolls()
def step(x):
    for i in range(21, -1, -2):
        x = x + x[i // 3]
        j = i
    return (x, i, j)


@rolls()
def ident_i(x):
    last = -1
    for i in range(8):
        if i is not last:
            x = x + 1
        last = i
    return x


@rolls()
def walrus(x):
    for i in range(8):
        if (n := (i * 2)) >= 0:
            x = x + n
    return (x, n)


@rolls()
def matchi(x):
    for i in range(8):
        match i:
            case 0:
                x = x + 5
            case _:
                x = x + 1
    return x


@rolls()
def matchj(x):
    for i in range(8):
        match i:
            case 7:
                x = x + 5
            case _:
                x = x + 1
    return x


@rolls()
def asserts(x):
    for i in range(8):
        if i >= 5:
            raise AssertionError(f"too large {i}")
        x = x + 1
    return x


@rolls()
def asserts2(x):
    for i in range(8):
        if x[i] >= 5:
            raise AssertionError(f"too large {i}")
    return x


@rolls()
def weakkind(x):
    n = int(x[0])
    for i in range(8):
        n = n + i
    return (n, x * n)


@rolls(np.arange(64.0).reshape(8, 8))
def two(X):
    n = X.shape[0]
    for i in range(n):
        for j in range(n):
            X[i, j] = X[j, i] + i * j
    return X


@rolls(np.arange(64.0).reshape(8, 8))
def tri(X):
    n = X.shape[0]
    for i in range(n):
        for j in range(i, n):
            X[i, j] = X[j, i] + i * j
    return X


@rolls(np.arange(64.0).reshape(8, 8))
def chol(X):
    n = X.shape[0]
    for k in range(n):
        for i in range(n):
            if i > k:
                X[i] = X[i] - X[k] * 0.5
    return X


@rolls(np.arange(64.0).reshape(8, 8))
def below_the_diagonal(X):
    n = X.shape[0]
    for i in range(n - 1, -1, -1):
        for j in range(i, -1, -2):
            X[i, j] = X[j, i] + (i * j) // (j + 1) + (i ^ j) % 5 + abs(i - j)
    return X


@rolls()
def floats_of_two_loops_meet(x):
    a = 0.5
    for i in range(9):
        a = a * 1.5
        b = 0.25
        for j in range(8):
            b = b * 1.25
            x = x + (a * b)
    return x


@rolls(np.array([0, 0, 1, 1, 3, 4, 0, 5, 6, 7]))
def a_counter_begins_an_inner_loop(parent):
    """Chains that are made shorter on the way, as in a search for connected parts."""
    for here in range(1, 10):
        b = here - 1
        while parent[b] != b:
            parent[b] = parent[parent[b]]
            b = parent[b]
        parent[here] = b
    return parent


@rolls()
def adam(x):
    m, v, b1, b2 = x * 0, x * 0, 1.0, 1.0
    for _ in range(20):
        g = x - 1.0
        m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g * g
        b1 *= 0.9
        b2 *= 0.99
        x = x - 0.1 * (m / (1 - b1)) / (np.sqrt(v / (1 - b2)) + 1e-8)
    return x, b1, b2


@rolls()
def midpoint(x):
    t, h, n = 0.0, 0.01, 0
    for _ in range(20):
        slope = -(x + h * (t - x) / 2) + (t + h / 2)
        x, t, n = x + h * slope, t + h, n + 1
    return x, t, n


@rolls()
def toggled(x):
    up = True
    for _ in range(9):
        up = not up
        x = x * 0.5 + up
    return x, up


@rolls()
def congruential(x):
    k = 7
    for _ in range(20):
        k = (k * 1103515245 + 12345) % 2**31
        x = x + k / 2**31
    return x, k


@rolls()
def large_inside(x):
    k = 1
    for _ in range(80):
        k = k * 3
        x = x + k % 1000
    return x, k % 1000


@unrolls()
def ends_at_zero(x):
    k = 30
    for _ in range(8):
        k = k // 2
        x = x + 1 / k
    return x


@rolls(np.random.default_rng(0).normal(size=12))
def sifted(x):
    """A number that some turns of the loop around leave otherwise after the first turn of an inner one."""
    x = x.copy()
    for end in range(11, 0, -1):
        x[0], x[end] = x[end], x[0]
        root = 0
        while True:
            child = 2 * root + 1
            if child >= end:
                break
            if child + 1 < end and x[child] < x[child + 1]:
                child += 1
            if x[root] >= x[child]:
                break
            x[root], x[child] = x[child], x[root]
            root = child
    return x


@unrolls()
def powers(x):
    """As above, but how often the inner loop turns is known to Python, whose numbers have any size."""
    for i in range(12):
        k, e = 1, 5
        while e > 0:
            if i & 1:
                k = k * 1000003
            e -= 1
        x = x + k % 1009
    return x


@pytest.mark.parametrize(("function", "arguments", "rolls"), PROGRAMS)
def test_a_loop_does_what_python_does_and_rolls_where_it_may(function, arguments, rolls, capfd):
    ag.check(function, *arguments)
    assert loops_of(function, *arguments) == rolls


def test_quotients_and_remainders_of_turns_are_computed_and_not_looked_up():
    def cells(x):
        total = 0
        for p in range(42):
            total = total + x[p // 7] * (p % 7) + p // 7 + p % 7 + x[(p * 5 + 2) % 6]
        return total

    graph = ag.function(cells).get_concrete_function(np.arange(6)).optimised_graph
    assert "While" in graph.text()
    assert "(42,)" not in graph.text()
