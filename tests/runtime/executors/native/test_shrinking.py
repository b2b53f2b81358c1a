"""`While` loops that end soon whatever their numbers are."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.beyond import Beyond
from runtime.executors.native.language.loops import While
from runtime.executors.native.language.shrinking import most_turns
from runtime.executors.native.language.walking import inside
from runtime.executors.native.llvm.emit import emitted
from runtime.executors.native.whole import lowered


def bits(n):
    count = 0
    while n:
        n &= n - 1
        count += 1
    return count


def shifted(n):
    count = 0
    while n > 0:
        if n & 1:
            count += 1
        n >>= 1
    return count


def digits(n):
    total = 0
    while n >= 1:
        n, digit = divmod(n, 10)
        total += digit
    return total


def twice_halved(n):
    count = 0
    while 0 < n:
        half = n // 2
        n = half >> 3
        count += 1
    return count


def counted_shifts(n):
    count = 0
    while n > 0:
        n >>= 1
        count += 1
    return count


def no_more_bits_than(n):
    count = 0
    while n != 0 and count < 3:
        n &= n - 1
        count += 1
    return count


def shifted_without_a_sign(n):
    count = 0
    while n != 0:
        n >>= 1
        count += 1
    return count


def shifted_with_a_sign(n):
    count = 0
    while n != 0 and count < 1000:
        n >>= 1
        count += 1
    return count


def never_zero(n):
    count = 0
    while n > -1 and count < 1000:
        n //= 2
        count += 1
    return count


def until_it_is_found(n):
    count = 0
    while n:
        if n & 7 == 5:
            break
        n &= n - 1
        count += 1
    return count


def steps(n):
    count = 0
    while n > 1:
        if n % 2:
            n = 3 * n + 1
        else:
            n //= 2
        count += 1
    return count


def grown_again(n):
    count = 0
    while n > 0:
        n //= 2
        if count == 3:
            n += 5
        count += 1
    return count


def with_another(n):
    count, other = 0, n
    while n:
        less = n - 1
        n = other & less
        other = n + count // 1000
        count += 1
    return count


def turns_of(program, *arguments):
    concrete = ag.function(program).get_concrete_function(*arguments)
    functions = lowered(concrete.optimised_module, Beyond.ANOTHER).functions
    return [most_turns(each) for f in functions for each in inside(f.body) if isinstance(each, While)]


NUMBERS = [0, 1, 5, 2**31 - 1, 2**40 + 12345, 2**62 - 1, 2**63 - 1]


@pytest.mark.parametrize(
    ("program", "most"),
    [(bits, 64), (shifted, 65), (digits, 22), (twice_halved, 17), (no_more_bits_than, 64)],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_a_number_that_shrinks_says_how_many_turns_there_are(program, most):
    assert turns_of(program, rt.asarray(1)) == [most]
    staged = ag.function(program, jit_compile=True)
    for number in NUMBERS:
        assert int(staged(rt.asarray(number))) == program(number) <= 64 * 9


def test_the_most_turns_depend_on_the_bits_of_a_dtype():
    assert turns_of(bits, np.uint8(1)) == [8]
    assert turns_of(shifted_without_a_sign, np.uint16(1)) == [17]
    staged = ag.function(shifted_without_a_sign, jit_compile=True)
    assert int(staged(np.uint16(2**16 - 1))) == 16
    assert int(staged(np.uint64(2**64 - 1))) == 64


@pytest.mark.parametrize("program", [bits, twice_halved, counted_shifts], ids=lambda each: each.__name__)
@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
def test_no_number_has_more_turns(program, dtype):
    (most,) = turns_of(program, dtype(1))
    info = np.iinfo(dtype)
    staged = ag.function(program, jit_compile=True)
    counts = [int(staged(dtype(number))) for number in range(info.min, info.max + 1)]
    assert 2 <= max(counts) <= most


def test_all_bits_of_a_negative_number_are_taken_away():
    staged = ag.function(bits, jit_compile=True)
    for number in (-1, -12345, -(2**63)):
        assert int(staged(np.int64(number))) == bin(number % 2**64).count("1")


@pytest.mark.parametrize(
    "program",
    [shifted_with_a_sign, never_zero, steps, grown_again, with_another, until_it_is_found],
    ids=lambda program: program.__name__,
)
def test_other_loops_may_have_many_turns(program):
    assert turns_of(program, rt.asarray(1)) == [None]
    staged = ag.function(program, jit_compile=True)
    for number in (0, 1, 5, 27):
        assert int(staged(rt.asarray(number))) == program(number)


def test_nothing_is_looked_at_in_the_turns_of_a_loop_that_ends_soon():
    def of_all(x):
        total = 0
        for n in x:
            while n:
                n &= n - 1
                total += 1
        return total

    concrete = ag.function(of_all).get_concrete_function(rt.TensorSpec((None,), rt.int64))
    text = "\n".join(emitted(lowered(concrete.optimised_module, Beyond.ANOTHER)))
    assert text.count("@ag_poll") == 1  # in the turns of the loop around
    staged = ag.function(of_all, jit_compile=True)
    x = np.random.default_rng(7).integers(-(2**62), 2**62, 999)
    assert int(staged(x)) == sum(bin(int(n) % 2**64).count("1") for n in x)
