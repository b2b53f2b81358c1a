"""`break`, and the `else` of loops."""


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
