"""Helpers that meet no tensor run as they are written; what they change is part of the graph all the same."""

import pytest

import autograph as ag
import runtime as rt
from tests.beyond.kit import Number, Same, check


class Account:
    def __init__(self):
        self.total = 0
        self.log = []

    def add(self, amount):
        self.total += amount
        self.log.append(amount)

    def lazily(self):
        if not hasattr(self, "made"):
            self.made = 10
        return self.made


def fill(items, value):
    items.append(value)


def put(table, key, value):
    table[key] = value


def overwrite(items, value):
    items[0] = value


def largest(items):
    best = items[0]
    for item in items:
        if item > best:
            best = item
    return best


def required(number):
    if number < 0:
        raise ValueError(f"{number} is negative")
    return number


def test_a_branch_that_is_not_taken_leaves_an_object_alone():
    def program(x):
        account = Account()
        if x > 0:
            account.add(5)
        else:
            account.add(7)
        return account.total, account.log[-1]

    check(program, 1)
    check(program, -1)


def test_a_list_grows_in_a_branch():
    def program(x, items):
        if x > 0:
            fill(items, 3)
        return len(items), items[-1]

    check(program, 1, Same([1, 2]))
    check(program, -1, Same([1, 2]))


def test_a_list_grows_in_a_loop():
    def program(n):
        items = [0]
        for _ in range(n):
            fill(items, 3)
        return len(items), items[-1]

    check(program, Number(0))
    check(program, Number(4))


def test_an_item_changes_in_a_branch_and_is_read_by_another_helper():
    def program(x):
        items = [1, 2, 3]
        if x > 0:
            overwrite(items, 9)
        return largest(items)

    check(program, 1)
    check(program, -1)


def test_a_dict_changes_in_a_loop():
    def program(n):
        table = {"a": 0}
        for i in range(n):
            put(table, "a", i)
            put(table, "b", 5) if False else None
        return table["a"]

    check(program, Number(0))
    check(program, Number(3))


def test_a_helper_raises_only_where_it_is_reached():
    def program(x):
        result = 0
        if x > 0:
            result = required(-3)
        return result

    check(program, -1)
    check(program, 1, raises=ValueError)


def test_what_a_helper_raises_is_caught():
    def program(x):
        try:
            result = required(-3) if x > 0 else required(4)
        except ValueError:
            result = -1
        return result

    check(program, -1)
    check(program, 1)


def test_an_attribute_that_a_branch_makes_is_gone_after_the_other():
    def program(x, account):
        if x > 0:
            made = account.lazily()
        else:
            made = 0
        return made, hasattr(account, "total")

    check(program, 1, Same(Account()))
    check(program, -1, Same(Account()))


def test_two_rows_that_are_one_list_change_together():
    def program(x):
        row = [1, 2]
        grid = [row, row]
        if x > 0:
            overwrite(grid[0], 7)
        return grid[1][0] + x

    check(program, 1)
    check(program, -1)


def test_a_helper_gets_a_list_that_has_become_the_graphs():
    def program(n):
        items = [3, 1]
        rows = [items, [5]]
        for i in range(n):
            items.append(i)
        return largest(items), len(rows[0])

    check(program, Number(0))
    check(program, Number(7))


def test_recursion_that_no_tensor_decides_is_computed_once():
    def fibonacci(n):
        return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

    def program(x):
        total = 0
        for i in range(x):
            total += fibonacci(12) * i
        return total

    check(program, Number(4))
    graph = ag.function(program).get_concrete_function(rt.asarray(4)).graph
    assert "PartitionedCall" not in graph.ops


@pytest.mark.parametrize("start", [0, 5])
def test_a_memory_of_results_is_kept(start):
    def program(x):
        memory = {3: -1}

        def remembered(n, memory):
            if memory.get(n, -1) < 0:
                memory[n] = n * n
            return memory[n]

        total = x
        if x > 2:
            total = total + remembered(3, memory)
        return total + remembered(4, memory), memory[3]

    check(program, start)


def test_a_list_that_a_branch_may_have_chosen_changes_under_both_names():
    def program(x):
        first, second = [1.0, 2.0], [3.0, 4.0]
        chosen = first if x > 0 else second
        overwrite(first, 9.0)
        return chosen[0]

    check(program, 1.0)
    check(program, -1.0)


def test_a_list_that_a_branch_has_put_into_a_variable_changes_under_both_names():
    def program(x):
        first, second = [1.0, 2.0], [3.0, 4.0]
        if x > 0:
            chosen = first
        else:
            chosen = second
        overwrite(first, 9.0)
        return chosen[0]

    check(program, 1.0)
    check(program, -1.0)
