"""`continue`."""


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
