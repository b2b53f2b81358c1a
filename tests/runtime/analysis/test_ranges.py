"""Between which whole numbers values are said to lie, and where they do."""

import itertools
import math
import operator
import random
from functools import partial

import pytest

import autograph as ag
import runtime as rt
from runtime.analysis.ranges import Range, Ranges, exact_range
from runtime.errors import IntTooLarge
from runtime.graph.parser import from_text

STEPS = (
    lambda a, b, i: (a + b, b),
    lambda a, b, i: (b, a),
    lambda a, b, i: (a - b * 3, b + 1),
    lambda a, b, i: (a % 11, b + a),
    lambda a, b, i: (a * b, b),
    lambda a, b, i: (a + i * i, b - i),
    lambda a, b, i: (a * -7, b % 5),
    lambda a, b, i: (a // 3, b + i % 4),
    lambda a, b, i: (a if b > 20 else a + a, b),
    lambda a, b, i: (max(a, b), min(a, b)),
    lambda a, b, i: (abs(a) % (abs(b) + 1), b << 1),
    lambda a, b, i: (-a, b + (a & 15)),
    lambda a, b, i: (a - b if a > b else b - a, b),
    lambda a, b, i: (a, b - a if not a >= b else a - b * 2),
    lambda a, b, i: (a * a % 1000, b + 3 if a == 4 else b),
    lambda a, b, i: (a * a if a < 1000 and a > -5 else a % 7, b * b),
    lambda a, b, i: (a ^ b, b >> 2),
    lambda a, b, i: (a | 5, ~b & a),
    lambda a, b, i: (a ^ (a & 262143) << 13, b ^ i),
    lambda a, b, i: (a >> (i & 3), (b % 9) ** 2),
    lambda a, b, i: (int(math.sqrt(a * a)), int(max(b / 3.0, -7.5))),
    lambda a, b, i: (int((a % 1000) * -0.7 + 0.5), int(abs(b - 0.25) // 2 + i)),
    lambda a, b, i: (int(math.sqrt(abs(a) % 99991)) * 3, b - int(i / 1.5)),
)


def counted(steps):
    """A program that takes these steps in each turn of a loop."""

    def program(x, n):
        a, b = int(x), 2
        for i in range(n):
            for step in steps:
                a, b = step(a, b, i)
        return a, b

    return program


def outgrows(steps, x, n):
    """Whether a number gets more than 64 bits on the way."""
    program = counted(steps)
    return any(abs(each) >= 2**63 for turns in range(n + 1) for each in program(x, turns))


@pytest.mark.parametrize("seed", range(40))
def test_what_is_no_more_checked_never_had_more_than_64_bits(seed):
    steps = random.Random(seed).sample(STEPS, 3)
    program = counted(steps)
    graph = ag.function(program, executor="numpy")
    for x, n in ((3, 0), (-8, 1), (3, 9), (-8, 14)):
        if outgrows(steps, x, n):
            with pytest.raises(IntTooLarge):
                graph(rt.asarray(x), rt.asarray(n))
        else:
            assert [int(each) for each in graph(rt.asarray(x), rt.asarray(n))] == list(program(x, n))


def test_ranges_hold_of_what_loops_give():
    for seed in range(24):
        steps = random.Random(seed).sample(STEPS, 2)
        program = counted(steps)
        concrete = ag.function(program, executor="numpy").get_concrete_function(rt.asarray(1), rt.asarray(1))
        ranges = list(map(Ranges(concrete.graph).of, concrete.graph.outputs))
        for n in range(6):
            if outgrows(steps, 5, n):
                break
            for found, value in zip(ranges, program(5, n), strict=True):
                assert found.least <= value <= found.most


def ranges_of(text):
    graph = from_text(text)
    found = Ranges(graph)
    return [found.of(value) for value in graph.outputs]


def test_a_length_is_no_negative_number_and_a_remainder_below_its_divisor():
    found = ranges_of("""
        x: f64[?]
        n: i64[]
        a = Size(x, dtype=i64)
        b = Const(7, dtype=i64)
        c = FloorMod(n, b)
        d = Mul(c, c)
        return a, c, d
    """)
    assert found == [Range(0, 2**47 - 1), Range(0, 6), Range(0, 36)]


def test_what_may_wrap_around_may_be_anything():
    (found,) = ranges_of("""
        n: i32[]
        a = AddV2(n, n)
        return a
    """)
    assert found == Range(-(2**31), 2**31 - 1)


def test_a_loop_that_counts_down_stays_where_it_begins_and_ends():
    (found,) = ranges_of("""
        n: u8[]
        a = Cast(n, to=i64)
        b = StatelessWhile(a, cond=test, body=step)
            test:
                k: i64[]
                a = Const(2, dtype=i64)
                b = Greater(k, a)
                return b
            step:
                k: i64[]
                a = Const(3, dtype=i64)
                b = Sub(k, a)
                return b
        return b
    """)
    assert found == Range(0, 255)


def test_a_branch_gives_what_either_gives_and_a_function_takes_anything():
    found = ranges_of("""
        p: bool[]
        n: u8[]
        a = Cast(n, to=i64)
        b = StatelessIf(p, a, then_branch=yes, else_branch=no)
            yes:
                x: i64[]
                a = Const(-3, dtype=i64)
                b = Mul(x, a)
                return b
            no:
                x: i64[]
                return x
        return b
    """)
    assert found == [Range(-765, 255)]


def test_a_branch_is_entered_where_its_test_says_so():
    found = ranges_of("""
        n: i64[]
        a = Const(0, dtype=i64)
        b = Greater(n, a)
        c, d = StatelessIf(b, n, n, then_branch=yes, else_branch=no)
            yes:
                x: i64[]
                y: i64[]
                a = Const(1, dtype=i64)
                b = Sub(x, a)
                return x, b
            no:
                x: i64[]
                y: i64[]
                a = Const(5, dtype=i64)
                return a, a
        return c, d
    """)
    assert found == [Range(1, 2**63 - 1), Range(0, 2**63 - 2)]


def test_the_greater_of_two_numbers_less_the_other_is_above_zero():
    found = ranges_of("""
        n: u32[]
        m: u32[]
        a = Cast(n, to=i64)
        b = Cast(m, to=i64)
        c = LessEqual(a, b)
        d = StatelessIf(c, a, b, then_branch=yes, else_branch=no)
            yes:
                x: i64[]
                y: i64[]
                a = Sub(y, x)
                return a
            no:
                x: i64[]
                y: i64[]
                a = Sub(y, x)
                return a
        e = Sub(b, a)
        return d, e
    """)
    assert found == [Range(1 - 2**32, 2**32 - 1), Range(1 - 2**32, 2**32 - 1)]


def test_a_difference_that_wraps_around_may_be_anything_whatever_was_compared():
    (found,) = ranges_of("""
        n: i64[]
        m: i64[]
        c = Less(n, m)
        d = StatelessIf(c, n, m, then_branch=yes, else_branch=no)
            yes:
                x: i64[]
                y: i64[]
                a = Sub(y, x)
                return a
            no:
                x: i64[]
                y: i64[]
                return x
        return d
    """)
    assert found == Range(-(2**63), 2**63 - 1)


def test_a_product_that_was_checked_has_the_sign_that_it_should_have():
    found = ranges_of("""
        n: i64[]
        a = Mul(n, n)
        CheckWhole(n, n, symbol='*')
        b = Mul(n, n)
        return a, b
    """)
    assert found == [Range(-(2**63), 2**63 - 1), Range(0, 2**63 - 1)]


def test_numbers_that_are_subtracted_from_each_other_stay_above_zero():
    def common(n, m):
        a, b = n % 1000 + 1, m % 1000 + 1
        while a != b:
            if a > b:
                a = a - b
            else:
                b = b - a
        return a

    graph = ag.function(common, jit_compile=True).get_concrete_function(rt.asarray(1), rt.asarray(1))
    assert "CheckWhole" not in str(graph.optimised_graph)
    assert int(graph(rt.asarray(83), rt.asarray(125))) == 42


def found(x, wanted):
    """Where a number is in an array that is in order."""
    low, high = 0, len(x)
    while low < high:
        middle = (low + high) // 2
        if x[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


def ranges_in_turn(function, *specs):
    """The ranges of the numbers that enter a turn of the first loop of a program."""
    graph = ag.function(function).get_concrete_function(*specs).optimised_module.entry
    ranges = Ranges(graph)
    [loop] = [node for node in graph.nodes if any(each.runs.repeatedly for each in node.op.regions)]
    return [ranges.of(value) for value in loop.op.regions[1].graph.inputs[: loop.op.regions[1].variables]]


def test_numbers_that_halve_what_is_between_them_stay_between():
    entered = ranges_in_turn(found, rt.TensorSpec((1000,), "float64"), rt.TensorSpec((), "float64"))
    assert sorted(entered) == [(0, 999), (1, 1000)]


def test_one_of_two_numbers_is_what_a_test_says_where_it_is_chosen():
    graph = from_text("""
        n: u8[]
        a = Cast(n, to=i64)
        b = Const(100, dtype=i64)
        c = Map(a, b, of='select(x0 < x1, x0 + x1, x0 - x1)')
        d = Map(a, b, of='select(x0 >= x1, x0 - x1, x1 - x0)')
        e = Map(a, b, of='select(x0 < i64(0), x0 + x1, x0)')
        return c, d, e
    """)
    ranges = Ranges(graph)
    assert [ranges.of(value) for value in graph.outputs] == [(0, 199), (0, 155), (0, 255)]


def test_bits_of_all_numbers_between_two_are_where_they_are_said_to_be():
    some = [(-9, -3), (-4, 5), (-1, 0), (0, 0), (0, 7), (3, 6), (12, 17)]
    functions = {
        "bitwise_and": operator.and_,
        "bitwise_or": operator.or_,
        "bitwise_xor": operator.xor,
        "right_shift": operator.rshift,
        "left_shift": operator.lshift,
    }
    for name, function in functions.items():
        for one, other in itertools.product(some, some):
            if "shift" in name and other[0] < 0:
                continue
            said = exact_range(name, [Range(*one), Range(*other)])
            pairs = itertools.product(*[range(least, most + 1) for least, most in (one, other)])
            found = [function(*pair) for pair in pairs]
            assert said is None or Range(min(found), max(found)).is_in(said), (name, one, other)


def test_the_bits_of_a_generator_of_numbers_stay_where_they_are():
    def shifted(n: int) -> int:
        x, total = 3418323524, 0
        for _ in range(n):
            x ^= (x << 13) & 0xFFFFFFFF
            x ^= x >> 17
            x ^= (x << 5) & 0xFFFFFFFF
            total += x & 15
        return total

    graph = ag.function(shifted)
    assert int(graph(rt.asarray(50))) == shifted(50)
    concrete = graph.concrete_functions[0]
    assert "CheckWhole" in {each.op.name for part in concrete.graph.walk() for each in part.nodes}
    assert "CheckWhole" not in {
        each.op.name for part in concrete.optimised_graph.walk() for each in part.nodes
    }


def test_numbers_that_few_turns_double_are_as_large_as_the_last_turn_leaves_them():
    graph = from_text("""
        x: i64[]
        a = Const(0, dtype=i64)
        b, c, d = StatelessWhile(a, a, x, cond=test, body=step)
            test:
                i: i64[]
                found: i64[]
                left: i64[]
                a = Const(12, dtype=i64)
                b = Less(i, a)
                return b
            step:
                i: i64[]
                found: i64[]
                left: i64[]
                a = Const(1, dtype=i64)
                b = AddV2(i, a)
                c = LeftShift(found, a)
                d = BitwiseAnd(left, a)
                e = BitwiseOr(c, d)
                f = RightShift(left, a)
                return b, e, f
        return c
        """)
    assert Ranges(graph).of(graph.outputs[0]) == Range(0, 4095)


def test_a_float_of_whole_numbers_lies_between_two():
    found = ranges_of("""
        n: u8[]
        x: f64[]
        a = Cast(n, to=f64)
        b = Sqrt(a)
        c = Const(-2.5, dtype=f64)
        d = Mul(b, c)
        e = Cast(d, to=i64)
        f = RealDiv(a, c)
        g = Cast(f, to=i64)
        h = RealDiv(a, b)
        i = Cast(h, to=i64)
        j = Mul(a, x)
        k = Cast(j, to=i64)
        return b, d, e, g, i, k
    """)
    anything = Range(-(2**63), 2**63 - 1)
    assert found == [Range(0, 16), Range(-48, 0), Range(-48, 0), Range(-128, 0), anything, anything]


def test_a_float_beyond_53_bits_lies_where_it_is_rounded_to():
    (found,) = ranges_of("""
        n: i64[]
        a = Cast(n, to=f64)
        b = Const(0.0, dtype=f64)
        c = Maximum(a, b)
        d = Sqrt(c)
        e = Cast(d, to=i64)
        return e
    """)
    assert found == Range(0, 3037000500)


def test_a_float_that_is_below_another_may_be_between_their_whole_numbers():
    (found,) = ranges_of("""
        n: u8[]
        a = Cast(n, to=f64)
        b = Const(10.5, dtype=f64)
        c = Less(a, b)
        d = StatelessIf(c, a, then_branch=yes, else_branch=no)
            yes:
                x: f64[]
                a = Cast(x, to=i64)
                return a
            no:
                x: f64[]
                a = Const(0, dtype=i64)
                return a
        return d
    """)
    assert found.least <= 0
    assert found.most >= 10


def test_truths_of_numbers_are_whether_they_differ_from_0():
    some, none, perhaps = Range(-5, -1), Range(0, 0), Range(-1, 0)
    both = partial(exact_range, "logical_and")
    assert both([some, Range(1, 3)]) == Range(1, 1)
    assert both([some, none]) == Range(0, 0)
    assert both([some, perhaps]) == Range(0, 1)
    found = [exact_range("logical_not", [each]) for each in (some, none, perhaps)]
    assert found == [Range(0, 0), Range(1, 1), Range(0, 1)]


def test_what_is_taken_out_of_numbers_that_are_known_lies_between_them():
    graph = from_text("""
        i: i64[]
        j: i64[]
        a = Const([4, 9, 7], dtype=i64)
        b = Gather(a, i, axes=(0,))
        c = Const(20, dtype=i64)
        d = Scatter(a, c, i, axes=(0,), combine='set')
        e = Gather(d, j, axes=(0,))
        f = Scatter(a, c, i, axes=(0,), combine='add')
        g = Gather(f, j, axes=(0,))
        return b, e, g
        """)
    taken, after, summed = map(Ranges(graph).of, graph.outputs)
    assert (taken, after) == (Range(4, 9), Range(4, 20))
    assert summed == Range(-(2**63), 2**63 - 1)
