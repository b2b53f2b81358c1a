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
