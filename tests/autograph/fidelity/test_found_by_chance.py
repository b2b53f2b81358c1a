"""Programs that random search has found to be changed by conversion, made small."""

import contextlib


def test_code_that_is_never_reached_changes_nothing(check):
    def dead_loop(a):
        if a:
            raise KeyError(a and (y := a))
            while a:
                y = 1
                try:
                    a -= 1
                except NameError as y:
                    pass
        return [a, dict(a=a)]

    def dead_return(a):
        try:
            raise ValueError([lambda: i for i in range(a)][0]())
            return [i for i in sorted({3, a}) for j in [i, a]]
        except ValueError as error:
            return str(error)

    check(dead_loop, (0,), (1,))
    check(dead_return, (1,), (3,))


def test_the_name_of_a_handler_is_unbound_for_blocks_too(check):
    def after(t):
        try:
            if t > 1:
                return "returned"
            1 // t
        except* ZeroDivisionError as z:
            pass
        return z

    def in_a_block(t):
        try:
            1 // t
        except ZeroDivisionError as z:
            if t:
                del z
        if t < 5:
            return t or z
        return t

    def in_a_finally(t):
        try:
            if t:
                1 // (t - 1)
        except ZeroDivisionError as z:
            pass
        finally:
            for _ in range(1):
                found = z
        return found

    def of_a_handler_within(t):
        z = -1
        try:
            raise ValueError(t)
        except ValueError as z:
            for _ in range(t):
                z = [z.args]
        finally:
            found = [i for i in [t, z]]
        return found

    def left_by_an_exception(t):
        try:
            try:
                1 // t
            except ZeroDivisionError as z:
                try:
                    {}[t]
                except ValueError as never:
                    pass
        finally:
            found = [i for i in [t, z]]
        return found

    check(after, (0,), (1,), (2,))
    check(left_by_an_exception, (0,), (1,))
    check(in_a_finally, (0,), (1,))
    check(of_a_handler_within, (0,), (1,))
    check(in_a_block, (0,), (1,), (9,))


def test_a_comprehension_reads_its_first_iterable_in_the_frame_around(check):
    def chain(t):
        if t:
            x = 2
        return 0 < {i: 4 for i in [x, 1]} == 3

    def operand(t):
        if t:
            x = 2
        return t and {i + x for i in range(2)} or [i for i in (x, x)] or list(i for i in [x])

    def arm(t):
        if t:
            x = 2
        return (lambda p=x: p)() if t is None or t > 1 else 0

    check(operand, (0,), (1,))
    check(arm, (None,), (2,), (0,))

    def outcome(t):
        try:
            return chain(t)
        except TypeError as error:
            return str(error)

    check(outcome, (0,), (1,))


def test_what_a_class_body_binds_is_not_seen_by_the_functions_in_it(check):
    def method(t):
        if t:
            y = "outer"

        class Inner:
            y = "inner"

            def get(self):
                return y, [y for _ in range(1)]

        return Inner().get()

    def comprehension(t):
        if t:
            z = 1

        class Inner:
            y = [(z, i) for i in range(2)]
            z = 2

        return Inner.y

    check(method, (0,), (1,))
    check(comprehension, (0,), (1,))


def test_a_return_that_a_finally_called_off_has_not_returned(check):
    def swallowed(t):
        with contextlib.suppress(ZeroDivisionError):
            try:
                return "returned"
            finally:
                1 // t

    check(swallowed, (0,), (1,))


def test_a_walrus_in_the_default_of_a_lambda_binds_in_the_frame_around(check):
    def bound(t):
        for _ in range(t):
            break
        else:
            z = (lambda p, q=(y := 3): p - q)(t)
        return y, z

    check(bound, (0,), (1,))
