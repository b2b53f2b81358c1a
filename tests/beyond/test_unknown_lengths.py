"""Programs that read shapes, in graphs for tensors of any length: these are numbers of the graph."""

import itertools

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import NoConcreteValue
from tests.beyond.kit import check

VECTOR = rt.TensorSpec((None,), rt.float64)
MATRIX = rt.TensorSpec((None, None), rt.float64)


def means(x):
    return x.sum() / x.shape[0]


def is_empty(x):
    if x.shape[0] == 0:
        return -1.0
    return x[0]


def unpacked(x):
    n, m = x.shape
    return n * 10 + m


def padded(x):
    n = x.shape[0]
    return (
        rt.concat([x, rt.zeros((n, 2))], axis=1)
        if isinstance(x, rt.Tensor)
        else np.hstack([x, np.zeros((n, 2))])
    )


def counted(x):
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i] * i
    return total


def size(x):
    return x.size + 1


def length(x):
    return len(x) * 2


def halves(x):
    middle = len(x) // 2
    return x[:middle].sum() - x[middle:].sum()


def rows(x):
    n = x.shape[0]
    return rt.reshape(x, (n, -1)) if isinstance(x, rt.Tensor) else np.reshape(x, (n, -1))


def spread(x):
    return (
        rt.broadcast_to(x, (2, x.shape[0]))
        if isinstance(x, rt.Tensor)
        else np.broadcast_to(x, (2, x.shape[0]))
    )


def weights(x):
    steps = rt.arange(x.shape[0]) if isinstance(x, rt.Tensor) else np.arange(x.shape[0])
    return x * steps + x.shape[0]


def longest(x):
    n, m = x.shape
    if n > m:
        return n - m
    return m - n


def halved(x):
    n = x.shape[0]
    steps = 0
    while n > 1:
        n = n // 2
        steps += 1
    return steps


def rest(x):
    return x[1:] - x[:-1], x[: x.shape[0] - 1] + x[1:]


def negative(x):
    return x[-(x.shape[0] // 2) - 1]


def shapes_alike(x):
    if x.shape == (x * 2).shape and x.shape != (x.shape[0] + 1,):
        return 1
    return 0


def shapes_compared(x):
    if x.shape == (3,):
        return x[2]
    return x[0]


def whole_shape(x):
    return rt.ones(x.shape) + x if isinstance(x, rt.Tensor) else np.ones(x.shape) + x


def shape_with_more(x):
    shape = (*x.shape[:-1], 2)
    return rt.zeros(shape) if isinstance(x, rt.Tensor) else np.zeros(shape)


VECTORS = [
    *(
        means,
        counted,
        size,
        length,
        halves,
        spread,
        weights,
        halved,
        rest,
        negative,
        shapes_alike,
        shapes_compared,
    ),
    *(is_empty, whole_shape, shape_with_more),
]
MATRICES = [unpacked, padded, rows, longest, size, length, whole_shape, shape_with_more, shapes_alike]


@pytest.mark.parametrize("executor", ["numpy", "reference"])
@pytest.mark.parametrize("program", VECTORS, ids=lambda program: program.__name__)
def test_a_vector_of_any_length(program, executor):
    _check(program, VECTOR, [np.arange(1.0, n + 1) for n in (3, 1, 4)], executor)


@pytest.mark.parametrize("executor", ["numpy", "reference"])
@pytest.mark.parametrize("program", MATRICES, ids=lambda program: program.__name__)
def test_a_matrix_of_any_shape(program, executor):
    _check(program, MATRIX, [np.arange(1.0, n * m + 1).reshape(n, m) for n, m in ((2, 3), (3, 1))], executor)


def _check(program, spec, arrays, executor):
    staged = ag.function(program, input_signature=[spec], executor=executor)
    for array in arrays:
        expected, found = program(array), staged(rt.asarray(array))
        several = isinstance(expected, tuple)
        for one, other in zip(
            expected if several else [expected], found if several else [found], strict=True
        ):
            np.testing.assert_array_equal(np.asarray(other), one)
            assert np.asarray(other).dtype == np.asarray(one).dtype
    assert len(staged.concrete_functions) == 1


def test_nothing_is_none_where_a_program_looks():
    @ag.function(input_signature=[MATRIX])
    def f(x):
        assert None not in [dim is None or dim for dim in x.shape]
        assert x.size is not None
        assert x[1:].shape[0] is not None
        return x

    f(rt.ones((2, 3)))


def test_len_outside_of_converted_code_is_a_clear_error():
    @ag.function(input_signature=[VECTOR], autograph=False)
    def f(x):
        return len(x)

    with pytest.raises(NoConcreteValue, match="the argument of len"):
        f(rt.ones(2))


def test_a_length_counts_as_a_number_of_python_among_tensors():
    @ag.function(input_signature=[rt.TensorSpec((None,), rt.float32)])
    def f(x):
        return x * x.shape[0], x.shape[0] + 1, x / len(x)

    assert [each.dtype for each in f(rt.ones(2, dtype=rt.float32))] == [rt.float32, rt.int64, rt.float32]


def specs_of(function, *specs):
    graph = ag.function(function, input_signature=list(specs)).get_concrete_function().graph
    return [str(spec) for spec in graph.output_specs]


def test_a_length_given_back_is_the_one_that_was_read():
    def f(x):
        n, m = x.shape
        return rt.zeros((n, 3)), rt.reshape(x, (m, -1)), rt.arange(n), x[: n - 1], rt.ones((n + m, 2 * n))

    assert specs_of(f, MATRIX) == [
        "f64[x.0,3]",
        "f64[x.1,x.0]",
        "i64[x.0]",
        "f64[max(x.0-1,0),x.1]",
        "f64[x.0+x.1,2*x.0]",
    ]


def test_parts_of_an_axis_add_up_to_it():
    def f(x):
        return x[1:] - x[:-1], rt.concat([x[2:], x[:2]]), rt.concat([x, x])[::2], x * 2 + x

    assert specs_of(f, VECTOR) == ["f64[max(x.0-1,0)]", "f64[x.0]", "f64[x.0]", "f64[x.0]"]


def test_lengths_keep_their_names_in_branches_and_loops_and_calls():
    @ag.function
    def doubled(x):
        return rt.concat([x, x])

    def f(x, y):
        if x[0] > 0:
            z = x + 1
        else:
            z = rt.zeros(x.shape[0])
        for _ in range(3):
            z = z * 2
            y = y[1:]
        return z, y, doubled(x) + doubled(z)

    assert specs_of(f, VECTOR, VECTOR) == ["f64[x.0]", "f64[max(y.0-3,0)]", "f64[2*x.0]"]


def test_a_length_that_changes_in_a_loop_has_a_name_of_its_own():
    def f(x, n):
        y = x
        for _ in range(n):
            y = rt.concat([y, x])
            x = x + 1
        return x, y

    assert specs_of(f, VECTOR, rt.TensorSpec((), rt.int64)) == ["f64[x.0]", "f64[stateless_while.0]"]


def test_equal_lengths_need_no_look_at_shapes():
    def f(x, y):
        return x * 2 + x, x + y

    graph = ag.function(f, input_signature=[VECTOR, VECTOR]).get_concrete_function().graph
    same, other = [node for node in graph.nodes if node.op.name == "AddV2"]
    assert not same.op.raises(*[value.spec for value in same.inputs])
    assert other.op.raises(*[value.spec for value in other.inputs])


def test_an_item_of_a_range_is_an_integer_of_python_and_is_there_or_not():
    def items(n):
        numbers = range(n)
        counted = range(1, n + 5, 2)[n], range(10, 0, -3)[n], range(10, n, -1)[-n], range(300)[n - 3]
        return (
            numbers[1],
            numbers[n - 1],
            numbers[-n],
            type(numbers[0]) is int,
            type(range(3)[n]) is int,
            counted,
        )

    check(items, 2)


@pytest.mark.parametrize("n", [0, 2, 3, 7])
def test_a_range_says_at_the_run_what_is_outside_of_it(n):
    def outside(n):
        found = []
        for _ in range(2):
            found.append(0)
        try:
            found.append(range(3)[n])
        except IndexError as error:
            print(error)
        try:
            found.append(range(n)[2])
        except IndexError:
            found.append(-1)
        try:
            found.append(range(n)[-n - 1])
        except IndexError:
            found.append(-2)
        return found

    check(outside, n)
    check(lambda n: range(n, 2)[0], n, raises=IndexError if n >= 2 else None)


def test_an_index_of_a_range_is_an_integer():
    check(lambda x: range(3)[x], 1.0, raises=TypeError)


def test_a_slice_of_a_range_is_one():
    def f(n, i, j):
        numbers, odd, down = range(n), range(1, n, 2), range(n, -3, -2)
        found = [numbers[i:], numbers[:j], numbers[i:j], numbers[i:j:2], numbers[i:j:-1], numbers[::-2]]
        found += [odd[::-1], odd[i:j], odd[j:i:-2], down[::-1], down[i:], down[:j:-1], down[1:][::-1]]
        found += [range(10)[i:j], range(10)[i::-3]]
        backwards = []
        for k in numbers[::-1]:
            backwards.append(k)
        return backwards, [(list(each), len(each), sum(each), 3 in each) for each in found]

    i = np.int64
    bounds = itertools.product((0, 1, 6), (0, 2, -2, 9, -9), (1, -1, 4))
    calls = [(i(n), i(start), i(stop)) for n, start, stop in bounds]
    ag.check(f, *calls[0], then=calls[1:])


def test_a_slice_of_a_range_refuses_what_python_refuses():
    ag.check(lambda n: range(n)[::0], np.int64(3))
    ag.check(lambda n, x: list(range(n)[:x]), np.int64(3), np.float64(1.0))
    with pytest.raises(NoConcreteValue, match="with a step that only a run knows"):
        ag.function(lambda n, step: list(range(n)[::step]))(np.int64(3), np.int64(2))
