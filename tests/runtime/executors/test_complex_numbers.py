"""Complex numbers, bit for bit: scalars of a graph as NumPy's scalars, arrays as NumPy's arrays."""

import operator

import numpy as np
import pytest

import autograph as ag
import runtime as rt

EXECUTORS = ["reference", "numpy", "native", None]


def pairs(dtype, count=60):
    numbers = np.random.default_rng(0).normal(0, 1, (4, count))
    return (numbers[0] + 1j * numbers[1]).astype(dtype), (numbers[2] + 1j * numbers[3]).astype(dtype)


def inverse(x, y):
    return y + x**-1


def squared(x, y):
    return x**2 + y


def cubed(x, y):
    return x**3 + y


def of_numbers_of_python(x, y):
    return (2j * x) * (1.5 + 0.1j) + 0.3 * y


def sized(x, y):
    return abs(x - y) * y


def sized_by_numpy(x, y):
    return np.abs(x) * y + np.absolute(y)


def multiplied_by_numpy(x, y):
    return np.multiply(x, y) + x * y


def squared_by_numpy(x, y):
    return np.square(x) + y


def spread(x, y):
    return x * y * np.array([0.1 + 1j, 2.3 - 1j, 1 + 0.3j])[:1]


PROGRAMS = [
    *(operator.mul, operator.truediv, operator.add, operator.sub, operator.pow, inverse, squared, cubed),
    *(of_numbers_of_python, sized, sized_by_numpy, multiplied_by_numpy, squared_by_numpy, spread),
]


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_scalars_are_numpys_scalars_and_arrays_its_arrays(program, dtype):
    x, y = pairs(dtype)
    calls = [*zip(x, y, strict=True), (x, y), (x[:1], y[:1]), (x[0], y), (x, y[0])]
    graph = ag.function(lambda x, y: program(x, y), executor=EXECUTORS[0])
    for executor in EXECUTORS:
        graph = graph.on_executor(executor)  # with the graphs of the one before
        for operands in calls:
            found, wanted = np.asarray(graph(*map(rt.asarray, operands))), program(*operands)
            assert found.dtype == wanted.dtype, executor
            assert found.tobytes() == wanted.tobytes(), executor


PARTS = [0.0, -0.0, 1.0, -2.5, 1e-170, -1e170, np.inf, -np.inf, np.nan]


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("program", [operator.mul, squared, sized], ids=lambda program: program.__name__)
def test_scalars_at_the_edges(program, executor):
    graph = ag.function(lambda x, y: program(x, y), executor=executor)
    numbers = [np.complex128(complex(real, imag)) for real in PARTS for imag in PARTS]
    with np.errstate(all="ignore"):
        for x in numbers:
            for y in (numbers[0], np.complex128(-0.5 + 1e-170j)):
                found, wanted = np.asarray(graph(rt.asarray(x), rt.asarray(y))), np.asarray(program(x, y))
                np.testing.assert_array_equal(found, wanted)
                for part in ("real", "imag"):
                    one, other = getattr(found, part), getattr(wanted, part)
                    assert np.isnan(other) or np.signbit(one) == np.signbit(other), (x, y)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_number_of_an_array_is_a_scalar(executor):
    def folded(x):
        total = x[0]
        for z in x[1:]:
            total = total * z / abs(total)
        return total

    (x, _) = pairs(np.complex128)
    graph = ag.function(folded, executor=executor)
    assert np.asarray(graph(rt.asarray(x))).tobytes() == np.asarray(folded(x)).tobytes()


@pytest.mark.parametrize("operation", [rt.multiply, rt.abs, rt.square, rt.pow])
def test_eager_ops_are_alike(operation):
    of_numpy = {rt.multiply: operator.mul, rt.abs: abs, rt.square: lambda x: x * x, rt.pow: operator.pow}
    arity = 2 if operation in {rt.multiply, rt.pow} else 1
    for operands in zip(*pairs(np.complex128), strict=True):
        given = operands[:arity]
        assert np.asarray(operation(*map(rt.asarray, given))) == of_numpy[operation](*given)
