"""Programs of loops and arrays as machine code: what plain Python gives, on every call."""

import linecache

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.llvm import efforts


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def greatest_common_divisor(a, b):
    while b != 0:
        a, b = b, a % b
    return a


def newton(a):
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


def predators(x, n):
    y = 1.0
    for _ in range(n):
        dx = x * (1.1 - 0.4 * y)
        dy = y * (0.1 * x - 0.4)
        x = x + 0.01 * dx
        y = y + 0.01 * dy
    return x, y


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def sieve(n):
    prime = np.ones(200, dtype=bool)
    count = 0
    for i in range(2, n):
        if prime[i]:
            count += 1
            for j in range(i * i, n, i):
                prime[j] = False
    return count, prime


def bubble_sort(a):
    a = a.copy()
    i = rt.asarray(0)
    while i < len(a):
        j = rt.asarray(0)
        while j < len(a) - 1 - i:
            if a[j] > a[j + 1]:
                t = a[j]
                a[j] = a[j + 1]
                a[j + 1] = t
            j += 1
        i += 1
    return a


def histogram(x):
    counts = np.zeros(8, dtype=np.int64)
    i = rt.asarray(0)
    while i < len(x):
        counts[x[i]] += 1
        i += 1
    return counts


def heat(u, n):
    for _ in range(n):
        u = np.concatenate([u[:1], u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2]), u[-1:]])
    return u


def mandelbrot(real, imaginary):
    x, y, n = np.zeros_like(real), np.zeros_like(real), np.zeros(real.shape)
    k = rt.asarray(0)
    while k < 20:
        inside = x * x + y * y <= 4
        t = x * x - y * y + real
        y = np.where(inside, 2 * x * y + imaginary, y)
        x = np.where(inside, t, x)
        n = n + inside
        k += 1
    return n


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def moved(a, b):
    joined = np.concatenate([a, a * 2], axis=0)
    return a @ b + 1, (a @ b).T, joined[::-1, 1:], np.cumsum(a, axis=1), np.sum(a, axis=0), a.reshape(-1)


def turns(a, b, n):
    for i in range(n):
        b, a = a + i, b
    return a, b


def search(a, wanted):
    low, high = 0, len(a)
    while low < high:
        middle = (low + high) // 2
        if a[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


RANDOM = np.random.default_rng(0)
CALLS = [
    (collatz, (np.int64(27),), (np.int64(1),)),
    (greatest_common_divisor, (np.int64(123456), np.int64(7890)), (np.int64(5), np.int64(0))),
    (newton, (np.float64(2.0),), (np.float64(9.0),)),
    (predators, (np.float64(0.5), np.int64(100)), (np.float64(2.0), np.int64(0))),
    (fibonacci, (np.int64(15),), (np.int64(1),)),
    (sieve, (np.int64(200),), (np.int64(2),)),
    (bubble_sort, (np.array([3, 1, 2, 9, 4, 7, 0, 5]),), (np.array([2.5, 1.5]),)),
    (histogram, (RANDOM.integers(0, 8, 100),), (np.array([3]),)),
    (heat, (RANDOM.random(20), np.int64(30)), (RANDOM.random(20), np.int64(0))),
    (mandelbrot, (RANDOM.normal(size=(6, 5)), RANDOM.normal(size=(6, 5)))),
    (softmax, (RANDOM.normal(size=(8, 5)),), (RANDOM.normal(size=(2, 3, 4)),)),
    (moved, (RANDOM.normal(size=(4, 3)), RANDOM.normal(size=(3, 2)))),
    (
        turns,
        (RANDOM.random(3), RANDOM.random(3), np.int64(5)),
        (RANDOM.random(3), RANDOM.random(3), np.int64(4)),
    ),
    (search, (np.arange(0, 50, 3), np.int64(22)), (np.arange(0, 50, 3), np.int64(-1))),
]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[0].__name__)
def test_a_program_does_what_python_does(call):
    program, first, *others = call
    ag.check(program, *first, then=others, executors=["native"], ulps=64)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[0].__name__)
def test_a_program_of_unknown_lengths_does_what_numpy_does(call):
    program, first, *_ = call
    specs = [rt.TensorSpec((None,) * np.ndim(each), rt.as_dtype(each.dtype)) for each in first]
    arguments = [rt.asarray(each) for each in first]
    found = ag.function(program, input_signature=specs, jit_compile=True)(*arguments)
    wanted = ag.function(program, input_signature=specs)(*arguments)
    for one, other in zip(rt_flat(found), rt_flat(wanted), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-13)
        assert one.dtype == other.dtype


def rt_flat(result):
    return [each.numpy() for each in (result if isinstance(result, tuple) else [result])]


def test_functions_that_call_each_other_are_functions_of_the_program():
    ag.check(is_even, np.int64(10), then=[(np.int64(7),)], executors=["native"])


def test_a_loop_gives_back_what_its_turns_make():
    """Ten thousand turns that each make an array of 8 MB need no more than a few of them."""

    @ag.function(jit_compile=True)
    def run(x, n):
        for _ in range(n):
            x = x[::-1] * 0.5 + 1.0
        return x

    result = run(rt.ones((1000,)), rt.asarray(10_000))
    np.testing.assert_allclose(result.numpy(), 2.0)


def test_arguments_are_never_written_to():
    @ag.function(jit_compile=True)
    def cleared(x):
        x[0] = 0.0
        return x

    given = rt.asarray([1.0, 2.0])
    assert cleared(given).numpy().tolist() == [0.0, 2.0]
    assert given.numpy().tolist() == [1.0, 2.0]


def test_arrays_of_any_memory_order_are_taken():
    summed = ag.function(lambda x: np.cumsum(x, axis=0), jit_compile=True)
    x = np.arange(12.0).reshape(3, 4)
    np.testing.assert_array_equal(summed(rt.asarray(x.T)).numpy(), np.cumsum(x.T, axis=0))


def test_constants_and_empty_arrays():
    table = rt.asarray([10.0, 20.0, 30.0])
    looked_up = ag.function(lambda i: table[i] + rt.sum(rt.zeros((0, 3)), axis=0), jit_compile=True)
    np.testing.assert_array_equal(looked_up(rt.asarray(1)).numpy(), [20.0, 20.0, 20.0])


def long_program(lines):
    """A loop with so many statements in its body, of which each needs the one before."""
    statement = "        x = (x * {} + {}) % 10007 if x % {} else x // 2 + 1"
    body = [statement.format(3 + i, i, 2 + i % 5) for i in range(lines)]
    text = "\n".join(["def program(x, n):", "    for _ in range(n):", *body, "    return x"]) + "\n"
    filename = f"<{lines} lines>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    scope = {}
    exec(compile(text, filename, "exec"), scope)  # a program of our own
    return scope["program"]


@pytest.mark.parametrize("very_long", [2_000, 20_000])
def test_long_code_gives_the_same_with_fewer_passes(very_long, monkeypatch):
    monkeypatch.setattr(efforts, "_VERY_LONG", very_long)
    program = long_program(60)
    graph = ag.function(program, jit_compile=True)
    assert int(graph(np.int64(5), np.int64(3))) == program(5, 3)
    text = graph.concrete_functions[0].program.llvm_ir()
    assert "alloca i64" not in text  # variables are in registers


def in_many_lines(line, lines):
    """A function of two arrays, of lines that each compute the first anew."""
    text = (
        "\n".join(
            ["def program(x, y):", *[f"    x = {line.format(i)}" for i in range(lines)], "    return x"]
        )
        + "\n"
    )
    filename = f"<{lines} lines of {line}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    scope = {"where": np.where}
    exec(compile(text, filename, "exec"), scope)  # a program of our own
    return scope["program"]


@pytest.mark.parametrize("line", ["x * {0} + y", "where(x > {0}, y, x)"])
def test_an_array_goes_through_hundreds_of_lines(line):
    x, y = np.arange(20), np.arange(20) % 7
    program = in_many_lines(line, 200)
    found = ag.function(program, jit_compile=True)(rt.asarray(x), rt.asarray(y))
    np.testing.assert_array_equal(found.numpy(), program(x, y))


@pytest.mark.parametrize("of", [np.cumsum, np.cumprod])
@pytest.mark.parametrize("shape", [(3, 9), (0, 9), (1, 8), (4, 3, 8), (2, 0, 8), (2, 3, 4)])
@pytest.mark.parametrize("is_known", [True, False])
def test_cumulative_sums_over_leading_axes_go_row_by_row(of, shape, is_known):
    x = np.random.default_rng(0).normal(0, 2, shape)
    spec = rt.TensorSpec(shape if is_known else (None,) * len(shape), "float64")

    def all_axes(x):
        return tuple([of(x * x, axis=axis) for axis in range(len(shape))])

    concrete = ag.function(all_axes, jit_compile=True).get_concrete_function(spec)
    for found, wanted in zip(concrete(rt.asarray(x)), all_axes(x), strict=True):
        np.testing.assert_array_equal(found, wanted)


def test_a_cumulative_sum_over_a_leading_axis_has_its_innermost_loop_over_rows():
    spec = rt.TensorSpec((50, 64), "float64")
    graph = ag.function(lambda x: np.cumsum(x, axis=0), jit_compile=True).get_concrete_function(spec)
    assert {kernel.turns[-1] for kernel in graph.program.kernels()} == {64}
