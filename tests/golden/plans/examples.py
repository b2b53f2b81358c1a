"""Functions whose plans are printed beside this file."""

import numpy as np

import runtime as rt
from runtime import ArraySpec, Variable

WEIGHTS = np.array([[0.5, -1.0], [2.0, 0.25]], np.float32)


def straight(x, y):
    z = x * y + 2.0
    w = rt.maximum(z, y) - z
    return w * w, rt.sum(w, axis=0)


def branches(x):
    y = rt.cond(rt.sum(x) > 0.0, lambda: rt.sqrt(x), lambda: -x)
    return rt.matmul(y, rt.asarray(WEIGHTS))


def collatz(n):
    def body(n, steps):
        n = rt.cond(n % 2 == 0, lambda: n // 2, lambda: 3 * n + 1)
        return n, steps + 1

    return rt.while_loop(lambda n, steps: n != 1, body, (n, 0), names=("n", "steps"))[1]


def fibonacci(n):
    def body(i, a, b):
        return i + 1, b, a + b

    return rt.while_loop(lambda i, a, b: i < n, body, (0, 0, 1), names=("i", "a", "b"))[1]


def first_above(xs, limit):
    count = rt.shape(xs)[0]

    def body(i, found):
        x = xs[i]
        found = rt.cond(x > limit, lambda: True, lambda: found)
        return i + 1, found

    def test(i, found):
        return rt.cond(i < count, lambda: rt.logical_not(found), lambda: False)

    i, found = rt.while_loop(test, body, (0, False), names=("i", "found"))
    return rt.where(found, i - 1, -1)


def large(x, y):
    z = rt.exp(x) + y
    z = rt.maximum(z, 0.0) * z
    return z - y


def buffers(x):
    y = rt.reshape(x, (-1,))
    total = rt.sum(y[::2])
    z = rt.cumulative_sum(y)
    return rt.concat([z, z]) / total


def slices(x, i):
    y = x[1:3, ..., None]
    z = x[i, :i]
    return y, z, x[-1]


counter = Variable(0.0, name="counter")


def effects(x):
    counter.assign_add(x * 2.0)
    rt.print("counter is", counter, {"x": x})
    rt.check(x > 0.0, "x must be positive", x)
    return counter * x


def squares(n):
    def body(i, values):
        values = values.write(i, i * i)
        return i + 1, values

    start = rt.TensorArray(rt.int64, size=0, dynamic_size=True)
    return rt.while_loop(lambda i, values: i < n, body, (0, start), names=("i", "values"))[1].stack()


GENERATOR = rt.random.Generator(7)


def noise(n):
    return GENERATOR.normal(size=(2, 2)) * n


def sieve(is_prime):
    def body(i, is_prime):
        sieved = rt.cond(is_prime[i], lambda: is_prime.at[i * i :: i].set(False), lambda: is_prime)
        return i + 1, sieved

    start = is_prime.at[:2].set(False)
    names = ("i", "is_prime")
    return rt.while_loop(lambda i, _: i < rt.size(is_prime), body, (2, start), names=names)[1]


def updates(x, i):
    y = x.at[i].set(x[i] + 1)
    z = y.at[1:].set(y[:-1])
    return y, z.at[[0, 0]].add(2).at[z > 3].set(0)


EXAMPLES = {
    straight: (ArraySpec((2, 3), rt.float32), ArraySpec((3,), rt.float32)),
    branches: (ArraySpec((2, 2), rt.float32),),
    collatz: (ArraySpec((), rt.int64),),
    fibonacci: (ArraySpec((), rt.int64),),
    first_above: (rt.TensorSpec((None,), rt.float64).plain, ArraySpec((), rt.float64)),
    large: (ArraySpec((200, 200), rt.float64), ArraySpec((200, 200), rt.float64)),
    buffers: (rt.TensorSpec((None, 4), rt.float64).plain,),
    slices: (ArraySpec((4, 3), rt.int32), ArraySpec((), rt.int64)),
    effects: (ArraySpec((), rt.float64),),
    squares: (ArraySpec((), rt.int64),),
    sieve: (rt.TensorSpec((None,), rt.bool).plain,),
    updates: (rt.TensorSpec((None,), rt.int64).plain, ArraySpec((), rt.int64)),
    noise: (ArraySpec((), rt.float32),),
}
"""Each with the specs of its arguments."""
