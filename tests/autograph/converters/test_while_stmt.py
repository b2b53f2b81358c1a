"""`while` on plain values, and tests that bind names."""

import autograph as ag
import runtime as rt


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


def test_a_walrus_in_the_test_of_a_staged_while_is_seen_by_its_body():
    @ag.function
    def f(x):
        while (y := x * 2) < 50:
            if y > 30:
                break
            x = y + 1
        else:
            y = -y
        return x, y

    assert [int(each) for each in f(rt.asarray(1))] == [31, -62] == list(f.python_function(1))
    assert [int(each) for each in f(rt.asarray(20))] == [20, 40] == list(f.python_function(20))


def test_the_else_of_a_while_with_a_walrus_runs_unless_it_broke(check):
    def f(items, log):
        while item := items.pop():
            if item == 7:
                break
            if item == 5:
                continue
            log.append(item)
        else:
            log.append("else")
        return log, item

    check(f, ([0, 1, 5, 2], []), ([0, 7, 3], []))
