"""Loops that Python starts and a tensor ends."""

from tests.beyond.kit import Same, check


def test_a_break_on_a_tensor_ends_a_loop_over_a_python_range():
    def first_power_above(limit):
        power = 1
        for _ in range(20):
            if power > limit:
                break
            power = power * 2
        return power

    check(first_power_above, 100)
    check(first_power_above, 10**9)


def test_a_return_on_a_tensor_leaves_a_loop_over_a_python_list():
    def find(numbers, wanted):
        for index, number in enumerate(numbers):
            if number == wanted:
                return index
        return -1

    check(find, Same([3, 1, 4, 1, 5]), 4)
    check(find, Same([3, 1, 4, 1, 5]), 9)


def test_while_true_with_a_staged_exit():
    def collatz(n):
        steps = 0
        while True:
            if n == 1:
                break
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps

    for n in (1, 6, 27):
        check(collatz, n)


def test_while_true_with_a_staged_return():
    def f(n):
        i = 0
        while True:
            i += 1
            if i * i >= n:
                return i

    check(f, 30)


def test_a_test_that_becomes_a_tensor_midway():
    def f(x):
        total = 0
        count = 0
        while total < 20:
            count += 1
            total = total + 3 if count < 3 else total + x
        return total, count

    check(f, 4)


def test_a_for_loop_whose_break_becomes_a_tensor_midway():
    def f(x):
        total = 0
        for i in range(10):
            if total > 12:
                break
            total = total + i if i < 4 else total + x
        return total

    check(f, 2)


def test_else_of_a_for_loop_with_a_staged_break():
    def f(items, wanted):
        for item in items:
            if item == wanted:
                result = 1
                break
        else:
            result = -1
        return result

    check(f, [1, 2, 3], 2)
    check(f, [1, 2, 3], 7)
    check(f, Same([1, 2, 3]), 7)


def test_else_of_a_while_loop():
    def f(n):
        divisor = 2
        while divisor * divisor <= n:
            if n % divisor == 0:
                break
            divisor += 1
        else:
            divisor = n
        return divisor

    for n in (7, 9, 2):
        check(f, n)


def test_python_loops_in_staged_loops_and_the_other_way_round():
    def f(n, weights):
        total = 0
        for i in range(n):
            for weight in weights:
                if total > 50:
                    continue
                total += weight * i
        for weight in weights:
            while total > weight * 10:
                total -= weight
        return total

    check(f, 4, Same([1, 2, 3]))
    check(f, 9, Same([1, 2, 3]))


def test_a_dict_is_looped_over_in_python_and_left_by_a_tensor():
    def f(x, prices):
        for name, price in prices.items():
            if price > x:
                return name
        return "none"

    for x in (0, 4, 100):
        check(f, x, Same({"tea": 2, "cake": 5}))


def test_a_loop_binds_what_only_its_source_reads():
    def f(n):
        x = 0
        for i in range(n):
            if i > 1:
                n = x + 5
                x += n
        return x

    check(f, 0)
    check(f, 4)


def test_a_loop_that_always_leaves_in_its_first_turn():
    def taken(n):
        found = 2
        for i in range(n):
            found = n + i
            break
        return found

    def returned(n):
        for i in range(n):
            return i + 10
        return n

    def or_else(values):
        for value in values:
            first = value
            break
        else:
            first = 0
        return first

    for n in (0, 1, 3):
        check(taken, n)
        check(returned, n)
    check(or_else, [4, 5])
