"""Loops that Python starts and a tensor ends."""

import numpy as np

import autograph as ag
from autograph.backends.tensors.backend import Tensors
from autograph.backends.tensors.iteration.items import Range
from runtime.errors import StateDisagrees
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


def test_a_search_goes_on_over_what_its_turns_append_until_a_tensor_ends_it():
    def numbers(n):
        queue = [0]
        for u in queue:
            if u < 3:
                queue.append(u + 1)
            if u == n:
                return u
        return -1

    def pairs(n):
        queue = [(0, 0)]
        for u, depth in queue:
            if u == n:
                return depth
            if u < 3:
                queue.append((u + 1, depth + 2))
                queue.append((u + 2, depth + 3))
        return -1

    def words(n):
        queue = ["a"]
        for word in queue:
            if len(queue) < n:
                queue.append("b" + word)
            if len(word) == n:
                return word
        return queue

    def with_an_else(n):
        queue = [0]
        for u in queue:
            if u == n:
                break
            if u < 3:
                queue.append(u + 1)
        else:
            return "not found", queue
        return "found", queue

    def numbered(n):
        queue = [0]
        for k, u in enumerate(queue, 5):
            if u < 3:
                queue.append(u + 1)
            if u == n:
                return k, u
        return -1

    for search in (numbers, pairs, words, with_an_else, numbered):
        for n in (3, 0, 9):
            check(search, n)


def test_an_iterator_of_pythons_sees_what_a_turn_appends_to_its_list():
    def numbered(n):
        queue, out = [0], []
        for k, u in enumerate(queue):
            out.append((k, u))
            if u < n:
                queue.append(u + 1)
        return out

    def iterated(n):
        queue, out = [0], []
        for u in iter(queue):
            out.append(u)
            if u < n:
                queue.append(u + 1)
        return out

    def zipped(n):
        queue, out = [0], []
        for u, k, letter in zip(queue, range(7), "abcdefgh", strict=False):
            if len(queue) < n:
                queue.append(u + k)
            out.append(letter)
        return out, queue

    def left_early(n):
        queue, out = [0], []
        for u, k, letter in zip(queue, range(7), ("a", "b", "c"), strict=False):
            if len(queue) < n:
                queue.append(u + k)
            if u == n - 1:
                break
            out.append(letter)
        return out, queue

    def second(n):
        queue, out = [0, 1], []
        if n > 2:
            queue.append(2)
        for u, v in zip((5, 6, 7, 8, 9), queue, strict=False):
            if v < n:
                queue.append(v + 2)
            out.append(u * v)
        return out, queue

    for run in (numbered, iterated, zipped, left_early, second):
        for n in (3, 0, 9):
            check(run, n)


def test_a_turn_that_writes_into_the_list_of_its_loop_is_heard_by_the_next_ones():
    def f(n):
        numbers, out = [0, 1, 2], []
        for u in numbers:
            if u == n:
                break
            if u == 1:
                numbers[2] = 7
            out.append(u)
        return out

    for n in (2, 7, 9):
        check(f, n)


def test_the_numbers_of_a_list_of_pythons_stay_pythons_own_when_a_tensor_ends_the_loop():
    def of_a_tuple(n):
        for base in (2, 3, 5, 7):
            if n % base == 0:
                return isinstance(base, int), type(base).__name__, base
        return None

    def of_a_list(n):
        inverse = 0.0
        for number in [2.0, 0.0, 5.0]:
            if n == number:
                break
            inverse = 1 / number
        return inverse

    def of_numpys(n):
        for number in (np.int64(2), np.int64(3), np.int64(5)):
            if n == number:
                return isinstance(number, int), type(number).__name__
        return None

    for program in (of_a_tuple, of_a_list, of_numpys):
        for n in (3, 5, 11, 0, 2):
            ag.check(program, np.int64(n))


def _first_of_equal(grid):
    for i in range(6):
        for j in range(6):
            for k in range(6):
                low, high = grid[i, j] - grid[j, k], grid[i, j] + grid[j, k]
                if low * high == grid[k, i] and i != j and (low > 0 or high < 0) and low != high * 2:
                    return i, j, k
    return -1, -1, -1


GRID = np.arange(36.0).reshape(6, 6) % 5


def test_the_first_turns_of_loops_in_one_another_that_a_tensor_ends_do_not_multiply():
    ag.check(_first_of_equal, GRID, then=[(GRID * 0.0,), (GRID.T.copy(),)])
    graph = ag.function(_first_of_equal).get_concrete_function(GRID).graph
    compared = [node for inner in graph.walk() for node in inner.nodes if node.op.name == "NotEqual"]
    lines = {node.location.line for node in compared}
    assert len(lines) == 1
    assert len(compared) <= 10  # where each level doubles the copies, there are 14


def test_where_a_loop_cannot_begin_in_the_graph_its_first_turn_runs_alone(monkeypatch):
    for_stmt, begun = Tensors.for_stmt, []

    def refusing(self, items, *rest):
        if isinstance(items, Range) and items.start == 0:
            begun.append(items)
            for_stmt(self, items, *rest)
            raise StateDisagrees("not so")
        for_stmt(self, items, *rest)

    monkeypatch.setattr(Tensors, "for_stmt", refusing)
    ag.check(_first_of_equal, GRID, then=[(GRID * 0.0,)])
    assert begun
