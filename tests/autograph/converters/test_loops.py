"""`while` and `for`, with `break`, `continue`, `else` and directives, on plain values."""

import linecache

import pytest

import autograph as ag


def test_while_counts(check):
    def f(n):
        total = 0
        while n > 0:
            total += n
            n -= 1
        return total

    check(f, (4,), (0,), (-1,))


def test_the_test_of_a_while_is_evaluated_once_per_turn(check):
    def f(n):
        asked = []

        def ask():
            asked.append(len(asked))
            return len(asked) <= n

        while ask():
            pass
        return asked

    check(f, (3,), (0,))


def test_a_walrus_in_the_test_of_a_while_binds_the_users_variable(check):
    def f(items):
        seen = []
        while (item := items.pop()) != 0:
            if item == 7:
                break
            seen.append(item)
        return seen, item

    check(f, ([0, 1, 2],), ([0, 7, 3],), ([],))


def test_for_over_any_iterable_and_target(check):
    def f(pairs):
        total = 0
        for index, (left, *rest) in enumerate(pairs):
            total += index * left + len(rest)
        return total, index, left, rest

    check(f, ([(1, 2), (3,)],), ([],), ([()],), (5,))


def test_break_takes_no_further_item(check):
    def f(items):
        iterator = iter(items)
        for item in iterator:
            if item == 2:
                break
        return item, list(iterator)

    check(f, ([1, 2, 3, 4],), ([1],))


def test_else_runs_unless_the_loop_broke(check):
    def f(items, wanted):
        for item in items:
            if item == wanted:
                where = "found"
                break
        else:
            where = "missing"
        while wanted:
            wanted -= 1
            if wanted == 5:
                break
        else:
            where += " else"
        return where

    check(f, ([1, 2], 2), ([1, 2], 7), ([], 0))


def test_break_in_the_else_of_an_inner_loop_leaves_the_outer_one(check):
    def f(n):
        seen = []
        for i in range(n):
            for j in range(i):
                if j == 2:
                    break
            else:
                if i == 1:
                    break
            seen.append(i)
        return seen

    check(f, (0,), (2,), (5,))


def test_continue_skips_the_rest_of_one_turn(check):
    def f(n):
        seen = []
        while n > 0:
            n -= 1
            if n % 2:
                continue
            for i in range(n):
                if i == 1:
                    continue
                seen.append((n, i))
            seen.append(n)
        return seen

    check(f, (6,))


def test_jumps_out_of_with_and_try(check):
    class Manager:
        def __init__(self, log):
            self.log = log

        def __enter__(self):
            self.log.append("in")

        def __exit__(self, *error):
            self.log.append("out")

    def f(n):
        log = []
        for i in range(n):
            with Manager(log):
                if i == 1:
                    continue
                try:
                    if i == 3:
                        break
                    log.append(i)
                except ValueError:
                    log.append("never")
                else:
                    log.append("else")
                finally:
                    log.append("finally")
            log.append("after")
        return log

    check(f, (2,), (6,))


def test_an_exception_on_the_way_out_calls_the_jump_off(check):
    class Failing:
        def __enter__(self):
            pass

        def __exit__(self, *error):
            raise KeyError("exit")

    def f(n):
        log = []
        for i in range(n):
            try:
                with Failing():
                    if i < 2:
                        continue
                    break
            except KeyError:
                log.append("caught")
            log.append(i)
        return log

    check(f, (4,))

    def g():
        try:
            with Failing():
                return 1
        except KeyError:
            pass
        return 2

    check(g)


def test_stop_iteration_from_the_body_is_the_bodys_own(check):
    def f(items):
        for item in items:
            next(iter(()))
        return item

    check(f, ([1],), ([],))


def test_loop_variables_without_a_turn_are_unbound(check):
    def f(n):
        for i in range(n):
            last = i
        return i, last

    check(f, (0,), (2,))


def test_for_assigns_attributes_and_items(check):
    class Box:
        pass

    def f(n):
        box, cells = Box(), [0]
        for box.value in range(n):
            pass
        for cells[0] in range(n):
            pass
        return box.value, cells

    check(f, (3,))


def test_a_variable_deleted_in_a_loop_is_unbound_in_the_next_turn(check):
    def f(n):
        x = 1
        for _ in range(n):
            y = x
            del x
        return y

    check(f, (1,), (2,))


def test_loop_options_reach_the_operator_and_mean_nothing_to_python(check):
    def f(n):
        total = 0
        while n > 0:
            ag.set_loop_options(maximum_iterations=2, parallel_iterations=10)
            total += n
            n -= 1
        for i in range(3):
            ag.set_loop_options(2, shape_invariants=[(total, None)])
        return total

    check(f, (4,))
    code = ag.to_code(f)
    assert "{'maximum_iterations': 2, 'parallel_iterations': 10}" in code
    assert "'parallel_iterations': 2, 'shape_invariants': [(ag__.ld(total), None)]" in code
    assert "set_loop_options" not in code


def test_a_function_of_the_users_own_with_the_name_of_a_directive_is_called(check):
    def set_loop_options(log):
        log.append(1)

    def f(n):
        log = []
        for _ in range(n):
            set_loop_options(log)
        return log

    check(f, (3,))


@pytest.mark.parametrize("depth", [12])
def test_deep_nesting_is_no_problem(check, depth):
    lines = ["def f(n):", "    x = 0"]
    for level in range(depth):
        lines.append("    " * (level + 1) + f"if n > {level}:")
    lines += ["    " * (depth + 1) + "x = n", "    return x"]
    text = "\n".join(lines) + "\n"
    linecache.cache["<deep>"] = (len(text), None, text.splitlines(True), "<deep>")
    namespace = {"__name__": "deep"}
    exec(compile(text, "<deep>", "exec"), namespace)
    check(namespace["f"], (3,), (99,))
