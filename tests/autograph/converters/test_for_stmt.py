"""`for` on plain values."""


def test_for_over_any_iterable_and_target(check):
    def f(pairs):
        total = 0
        for index, (left, *rest) in enumerate(pairs):
            total += index * left + len(rest)
        return total, index, left, rest

    check(f, ([(1, 2), (3,)],), ([],), ([()],), (5,))


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
