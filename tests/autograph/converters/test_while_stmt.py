"""`while` on plain values."""


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
