"""Lists that grow and shrink in loops and branches."""

from collections import deque
from dataclasses import dataclass, field

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import NoConcreteValue
from tests.beyond.kit import check


def test_append_in_a_while():
    def squares(n):
        found = []
        i = 0
        while i < n:
            found.append(i * i)
            i += 1
        return found

    check(squares, 5)
    check(squares, 0)


def test_append_in_a_for_behind_what_is_there():
    def history(start, rates):
        values = [start]
        for rate in rates:
            values.append(values[-1] * rate)
        return values

    check(history, 2.0, [1.5, 2.0, 0.5])


def test_a_conditional_append():
    def primes(n):
        found = []
        for candidate in range(2, n):
            is_prime = True
            for prime in found:
                if candidate % prime == 0:
                    is_prime = False
            if is_prime:
                found.append(candidate)
        return found, len(found)

    check(primes, 20)


def test_one_of_several_lists_grows():
    def parted(numbers, pivot):
        less, equal, more = [], [], []
        for number in numbers:
            if number < pivot:
                less.append(number)
            elif number == pivot:
                equal.append(number)
            else:
                more.append(number)
        return less + equal + more, len(less)

    check(parted, [3, 1, 4, 1, 5, 9, 2, 6], 4)


def test_extend_insert_and_clear():
    def f(n):
        found = [0]
        i = 1
        while i < n:
            found.extend([i, -i])
            found.insert(0, i * 10)
            found.insert(-1, 7)
            if len(found) > 10:
                found.clear()
            i += 1
        return found

    check(f, 3)
    check(f, 6)


def test_a_stack():
    def depths(marks):
        stack, deepest = [], 0
        for mark in marks:
            if mark > 0:
                stack.append(mark)
            elif stack:
                stack.pop()
            if len(stack) > deepest:
                deepest = len(stack)
        return deepest, len(stack), stack

    check(depths, [1, 1, 0, 1, 1, 1, 0, 0])
    check(depths, [0, 0])


def test_a_queue():
    def collatz_order(start, steps):
        queue = [start]
        seen = []
        while len(queue) > 0 and len(seen) < steps:
            number = queue.pop(0)
            seen.append(number)
            queue.append(number * 2)
            if number % 3 == 1:
                queue.append((number - 1) // 3)
        return seen, queue

    check(collatz_order, 1, 6)


def test_remove_reverse_and_items_assigned_and_deleted():
    def f(n):
        found = []
        for i in range(n):
            found.append(i)
        found.remove(3)
        found.reverse()
        found[0] = 100
        found[-1] = -100
        del found[1]
        found[1:2] = [7, 8, 9]
        return found, found.index(7), found.count(9)

    check(f, 6)


def test_length_indices_slices_and_iteration():
    def f(n):
        found = []
        for i in range(n):
            found.append(i * i)
        total = 0
        for value in found:
            total += value
        return len(found), found[0], found[-1], found[n - 2], found[1:], found[:-1:2], found[::-1], total

    check(f, 6)


def test_iteration_over_a_list_that_grows_meanwhile():
    def doubled(limit):
        found = [1]
        for value in found:
            if value < limit:
                found.append(value * 2)
        return found

    check(doubled, 20)


def test_membership_equality_sum_and_repetition():
    def f(n):
        found = []
        for i in range(n):
            found.append(i)
        nines = [9, 9]
        return 3 in found, n in found, found == [0, 1, 2, 3], found + nines, found * 2, found + found

    check(f, 4)
    check(f, 2)


def test_an_array_multiplies_a_list_and_a_number_repeats_it():
    def products(n):
        grown = []
        for i in range(n):
            grown.append(i + 1)
        array = np.asarray(n)
        changed = [1, 2]
        changed *= array
        repeated = [1, 2]
        repeated *= n
        arrays = [0, 3] * array, array * (1, 2), [[n]] * array.copy(), changed, [1] * np.array([n, n])
        staged = (
            grown * array,
            array * grown,
            tuple(grown) * array,
            deque(grown) * array,
            grown * np.array([3, 2]),
        )
        lists = [0, 3] * n, [0, 3] * array[()], n * (1, 2), [4] * (array + 1), repeated, grown * n
        return arrays, staged, lists

    check(products, 2)


def test_a_list_of_the_graph_gives_way_to_the_array_that_it_is_multiplied_to():
    def products(n):
        grown = []
        for i in range(n):
            grown.append(i + 1)
        same = grown
        grown *= np.asarray(n)
        return grown, same

    check(products, 2)


def test_a_text_is_repeated_by_no_array():
    def lines(n):
        caught = 0
        try:
            "-" * np.asarray(n)
        except TypeError:
            caught += 1
        try:
            np.asarray(n) * str(n)
        except TypeError:
            caught += 1
        return caught

    check(lines, 3)


def test_an_index_outside_raises_when_the_graph_runs():
    def f(n, index):
        found = []
        for i in range(n):
            found.append(i)
        return found[index]

    check(f, 3, 2)
    check(f, 3, -3)
    check(f, 3, 3, raises=IndexError)
    check(f, 3, -4, raises=IndexError)


def test_pop_from_an_empty_list():
    def f(n):
        found = []
        for i in range(n):
            found.append(i)
        for _ in range(n + 1):
            found.pop()
        return found

    check(f, 2, raises=IndexError, message="pop from empty list")


def test_what_is_not_in_a_list_is_not_removed():
    def f(n):
        found = []
        for i in range(n):
            found.append(i)
        found.remove(7)
        return found

    check(f, 9)
    check(f, 3, raises=ValueError)


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")
def test_elements_may_be_tuples():
    def f(n):
        pairs = []
        i = 0
        while i < n:
            pairs.append((i, i * 0.5))
            i += 1
        total = 0
        for whole, half in pairs:
            total += whole * half
        return pairs, pairs[-1][1], total

    check(f, 4)


def test_elements_may_be_of_several_shapes():
    def f(n):
        rows = []
        for i in range(n):
            rows.append(rt.arange(i + 1) if isinstance(n, rt.Tensor) else np.arange(i + 1))
        return rows, len(rows)

    check(f, 4)


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")
def test_integers_and_floats_meet_in_one_list():
    def f(n):
        found = [1, 2]
        for i in range(n):
            found.append(i / 4)
        return found

    check(f, 3)


def test_lists_grow_in_lists():
    def triangle(n):
        rows = []
        for i in range(n):
            row = []
            for j in range(i + 1):
                row.append(i * j)
            rows.append(row)
        return rows

    check(triangle, 4)


def test_two_names_of_one_list_see_it_grow():
    def f(n):
        found = []
        other = found
        for i in range(n):
            found.append(i)
        other.append(-1)
        return found, other, found is other

    check(f, 3)


def test_a_called_function_makes_the_list_grow():
    def put(found, value):
        if value % 2 == 0:
            found.append(value)

    def f(n):
        found = []
        for i in range(n):
            put(found, i)
        return found

    check(f, 7)


def test_a_list_of_an_object_grows():
    @dataclass
    class Log:
        lines: list = field(default_factory=list)

        def note(self, value):
            self.lines.append(value)

    def f(n):
        log = Log()
        for i in range(n):
            log.note(i)
        return log.lines, len(log.lines)

    check(f, 3)


def test_a_list_of_a_dict_grows():
    def f(numbers):
        groups = {"even": [], "odd": []}
        for number in numbers:
            if number % 2 == 0:
                groups["even"].append(number)
            else:
                groups["odd"].append(number)
        return groups

    check(f, [1, 2, 3, 4, 5])


def test_a_list_that_python_makes_longer_stays_one_of_python():
    def f(x):
        found = []
        for i in range(3):
            found.append(x * i)
        found += [x]
        return found, sum(found), len(found)

    check(f, 2.5)


def test_a_tensor_index_chooses_from_and_changes_a_list_of_python():
    def f(i, x):
        values = [x, x * 2, x * 3]
        first = values[i]
        values[i] = -1.0
        values.insert(i, 5.0)
        last = values.pop(i - 1)
        return first, values, last, values[i:]

    check(f, 1, 3.0)
    check(f, -1, 3.0)
    check(f, 4, 3.0, raises=IndexError)


def test_a_list_stands_for_an_array():
    def f(n):
        found = []
        for i in range(n):
            found.append(i * 1.5)
        return rt.sum(rt.stack(found)) + rt.asarray(found)[0]

    assert ag.function(f)(rt.asarray(4)).numpy() == sum(i * 1.5 for i in range(4))


def test_a_list_decides_by_whether_there_is_anything_in_it():
    def f(n):
        found = [i for i in range(n)]
        taken = 0
        while found:
            taken += found.pop()
        return (taken, -1) if not found else (0, len(found))

    check(f, 5)
    check(f, 0)


def test_a_list_grows_by_augmented_assignment():
    def f(n):
        found = []
        for i in range(n):
            found += [i, i * i]
        found *= 2
        fixed = tuple(found)
        return fixed, len(fixed), list(fixed), fixed[1:], found.copy()

    check(f, 3)


def test_elements_may_be_dicts_with_lists_in_them():
    def f(n):
        found = []
        for i in range(n):
            found.append({"number": i, "powers": [i, i * i]})
        return [each["powers"][1] for each in found], found[1]["number"]

    check(f, 3)


def rank(number):
    if number > 2:
        return -number
    return number


class Ranked:
    def __init__(self, number):
        self.number = number

    def rank(self):
        return rank(self.number)


def test_lists_are_sorted_by_functions_of_the_program_and_by_builtins():
    def program(n):
        numbers = [i * 3 % 5 for i in range(n)]
        numbers.sort(key=rank)
        rows = [[i] * (i * 2 % 3) for i in range(n)]
        by_length = rows.sort
        by_length(key=len, reverse=True)
        objects = [Ranked(i) for i in range(n)]
        objects.sort(key=Ranked.rank)
        texts = [*range(n)]
        texts.sort(key=str)
        return numbers, rows, [each.number for each in objects], texts

    ag.check(program, np.int64(5), then=[(np.int64(n),) for n in (0, 1, 12)])


def test_items_of_python_s_lists_are_deleted_and_sorted_where_a_tensor_decides():
    def f(n, i):
        values = [3, 1, 4, 1]
        if n > 2:
            del values[1]
        while n > 0:
            values.sort(reverse=True)
            values[0] = values[0] - 2
            n -= 1
        fixed = [n, n + 1, n + 2]
        del fixed[i]
        return values, fixed

    check(f, 3, 1)
    check(f, 1, -1)
    check(f, 1, 3, raises=IndexError)


def test_index_looks_between_two_bounds():
    def f(n):
        found = []
        for k in range(n):
            found.append(k % 3)
        places = []
        for start, stop in ((1, 6), (-3, 6), (n - 4, n), (2, -1), (5, 2)):
            try:
                places.append(found.index(1, start, stop))
            except ValueError as error:
                print(error)
        return places, found.index(1, n - 3), [1, 2, n].index(n, 1), (1, n, 4).index(4, n - 6)

    ag.check(f, np.int64(6), then=[(np.int64(7),), (np.int64(8),)])


def test_the_truth_of_an_array_of_any_length_is_refused():
    with pytest.raises(NoConcreteValue, match="of which only a run knows how many elements it has"):
        ag.function(lambda n: bool(np.arange(n)))(np.int64(4))


def test_a_slice_of_nothing_is_nothing_whatever_its_bounds():
    def f(words, n):
        counted = sorted({word: len(word) for word in words}.items())
        for word, length in counted[:n]:
            print(word, length)
        return counted[:n], ()[n:], max(counted[n:], default=None)

    def g(n):
        first, second = [][:n]
        return first + second

    words = ["b", "a"]
    ag.check(f, [], np.int64(3), then=[(words, np.int64(3)), (words, np.int64(1)), ([], np.float64(1.0))])
    ag.check(g, np.int64(2))
