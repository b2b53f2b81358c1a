"""Values whose dtype, shape or rank changes from turn to turn, or from branch to branch."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.beyond.kit import EXECUTORS, Same, check

# ── signatures ──


@pytest.mark.parametrize("executor", EXECUTORS)
def test_an_int_a_float_and_a_bool_are_three_signatures(executor):
    @ag.function(executor=executor)
    def double(x):
        return x + x

    assert (double(1), double(1.0), double(True)) == (2, 2.0, 2)
    assert len(double.concrete_functions) == 3
    kinds = [rt.asarray(value) for value in (1, 1.0, True)]
    assert [double(kind).dtype for kind in kinds[:2]] == [rt.int64, rt.float64]


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")
def test_each_signature_computes_with_its_own_numbers():
    def halves(x, n):
        count = 0
        while x > 1:
            x = x / 2
            count = count + n
        return x, count

    for n in (1, 1.0, True):
        check(halves, 20.0, Same(n))


# ── dtypes ──


def test_mixed_arithmetic_promotes():
    def mixed(i, f, b):
        total = i + f
        if total > 2:
            total = total * b + i // 2
        return total, i * 0.5, b + b, i**2 + f, f // i

    check(mixed, 3, 1.5, True)
    check(mixed, 1, 0.5, False)


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")
def test_an_int_becomes_a_float_across_a_loop():
    def settle(n):
        value = 1
        turns = 0
        while turns < n:
            value = value / 2 + 1
            turns = turns + 1
        return value

    check(settle, 0)
    check(settle, 6)


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")
def test_an_int_becomes_a_float_in_one_branch():
    def choose(x):
        scale = 2
        if x > 0:
            scale = 0.5
        return x * scale

    check(choose, 3.0)
    check(choose, -3.0)


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")
def test_the_branches_of_an_expression_may_differ_in_dtype():
    def choose(x, n):
        value = n if x > 0 else x / 2
        return value + (1 if x > 1 else 0.25)

    check(choose, 3.0, 7)
    check(choose, -3.0, 7)


def test_a_bool_becomes_a_number():
    def count(x):
        found = False
        for value in x:
            found = found + (value > 2)
        return found

    check(count, [1, 3, 5])


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")
def test_a_counter_of_python_becomes_a_tensor():
    def collatz(n):
        steps = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        if steps > 100:
            steps = steps - 0.5
        return steps

    check(collatz, 27)
    check(collatz, 8)


def test_a_real_number_becomes_a_complex_one():
    def spiral(x):
        z = x
        turns = 0
        while abs(z) < 10:
            z = z * (1 + 1j)
            turns += 1
        return z, turns

    check(spiral, 1.0 + 0j)


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")
def test_small_dtypes_widen_as_in_numpy():
    def widen(x):
        total = x
        for _ in range(3):
            if total > 0:
                total = total * np.float64(1.5)
        return total

    check(widen, np.float32(2.0))


# ── shapes ──


def test_a_vector_grows_in_a_loop():
    def doubled(x, limit):
        while np.size(x) < limit:
            x = np.concatenate([x, x])
        return x, np.sum(x)

    check(doubled, [1.0, 2.0], 7)
    check(doubled, [1.0, 2.0], 1)


def test_a_vector_is_built_from_nothing():
    def digits(n):
        found = np.zeros(0, np.int64)
        while n > 0:
            found = np.append(found, n % 10)
            n = n // 10
        return found, np.shape(found)[0]

    check(digits, 9274)
    check(digits, 0)


def test_a_vector_shrinks_in_a_loop():
    def sieve(numbers):
        primes = numbers[:0]
        while np.size(numbers) > 0:
            prime = numbers[0]
            primes = np.append(primes, prime)
            numbers = numbers[numbers % prime != 0]
        return primes

    check(sieve, list(range(2, 30)))


def test_branches_may_differ_in_shape():
    def choose(x, wide):
        if wide:
            x = np.concatenate([x, x])
        return x * 2, np.max(x)

    check(choose, [1.0, 2.0], True)
    check(choose, [1.0, 2.0], False)


def test_an_expression_may_choose_between_shapes():
    def choose(x, first):
        part = x[:1] if first else x
        return np.sum(part), part

    check(choose, [1.0, 2.0, 4.0], True)
    check(choose, [1.0, 2.0, 4.0], False)


def test_a_matrix_gains_rows_and_keeps_its_columns():
    def powers(x, n):
        rows = x[np.newaxis]
        while n > 0:
            rows = np.vstack([rows, rows[-1] * x])
            n = n - 1
        return rows, rows.shape[1]

    check(powers, [1.0, 2.0, 3.0], 3)


# ── ranks ──


def test_a_number_becomes_a_vector_in_one_branch():
    def choose(x, spread):
        value = x
        if spread:
            value = np.stack([x, -x])
        return value + 1, np.sum(value)

    check(choose, 2.0, True)
    check(choose, 2.0, False)


def test_the_rank_grows_in_a_loop():
    def nested(x, n):
        while n > 0:
            x = np.stack([x, x + n])
            n = n - 1
        return x, np.sum(x)

    check(nested, [1.0, 2.0], 3)
    check(nested, [1.0, 2.0], 0)


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")
def test_a_start_without_axes_takes_the_shape_of_the_first_turn():
    def total(rows):
        sum_ = 0
        for row in rows:
            sum_ = sum_ + row
        return sum_

    check(total, [[1.0, 2.0], [3.0, 4.0]])


def test_the_common_operations_work_where_the_rank_is_not_known():
    def common(x):
        y = np.abs(x) * 2 + 1
        return (
            np.sum(y),
            np.mean(y),
            np.max(y) - np.min(y),
            np.sqrt(y),
            np.where(y > 3, y, 0),
            np.ravel(y),
            np.reshape(y, (-1, 1)),
            y.astype(np.float32),
            np.sum(y, axis=0),
            np.any(y > 3),
            np.zeros_like(y),
            np.clip(y, 2, 4),
            y[0],
            y == x,
            np.size(y),
            -y,
        )

    spec = rt.TensorSpec(None, rt.float64)
    check(common, [1.0, -2.0, 0.5], input_signature=(spec,))
    check(common, [[1.0, -2.0], [0.5, 3.0]], input_signature=(spec,))


def test_a_loop_and_a_branch_take_values_of_unknown_rank():
    def shrink(x, limit):
        turns = 0
        while np.sum(np.abs(x)) > limit:
            x = x / 2
            turns += 1
        if turns > 2:
            x = x + 1
        return x, turns

    specs = (rt.TensorSpec(None, rt.float64), rt.TensorSpec((), rt.float64))
    check(shrink, [[8.0, -3.0], [1.0, 0.5]], 1.0, input_signature=specs)
    check(shrink, 0.25, 1.0, input_signature=specs)


# ── an array, and a list in its place ──


def turned(board, times):
    for _ in range(times):
        board = [list(row) for row in zip(*board[::-1])]
    return board


def turned_as_lists(board, times):
    return turned(board.tolist(), times)


def turned_as_arrays(board, times):
    for _ in range(times):
        board = np.array([list(row) for row in zip(*board[::-1])])
    return board


def test_an_array_that_a_turn_replaces_by_a_list_is_refused_with_both_ways_out():
    calls = [(np.arange(9).reshape(3, 3), np.int64(times)) for times in (2, 0)]
    with pytest.raises(rt.errors.StateDisagrees, match=r"x\.tolist\(\)`, and a list an array by `np\.array"):
        ag.function(turned)(*calls[0])
    for program in (turned_as_lists, turned_as_arrays):
        ag.check(program, *calls[0], then=calls[1:])
