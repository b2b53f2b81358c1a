"""`return`, `break` and `continue` leave what Python leaves, whatever stands around them."""

import contextlib


def test_a_return_waits_for_finally_and_its_value_is_kept(check):
    def kept(log):
        x = 1
        try:
            return x
        finally:
            x = 2
            log.append(x)

    def nested(log, n):
        try:
            try:
                if n:
                    return log.append("value") or "returned"
                raise KeyError(n)
            finally:
                log.append("inner")
        except KeyError:
            log.append("handler")
            return "handled"
        finally:
            log.append("outer")
        log.append("never")

    check(kept, ([],))
    check(nested, ([], 0), ([], 1))


def test_a_loop_within_a_finally_has_jumps_of_its_own(check):
    def own_loop(log, n):
        try:
            return n
        finally:
            for m in range(5):
                if m == n:
                    break
                if m % 2:
                    continue
                log.append(m)
            else:
                log.append("else")

    check(own_loop, ([], 2), ([], 9))


def test_a_jump_out_of_a_finally_swallows_what_is_in_flight(check):
    def swallows(n):
        try:
            if n:
                raise ValueError(n)
            return "body"
        finally:
            return "finally"

    def breaks(log):
        for n in range(3):
            try:
                log.append(n)
                raise KeyError(n)
            finally:
                break
        return n

    def continues(log):
        for n in range(3):
            try:
                return n
            finally:
                log.append(n)
                if n < 2:
                    continue

    def calls(n):
        def inner():
            while True:
                try:
                    return 1 // n
                finally:
                    if n == 0:
                        break
            return "swallowed"

        if n > 1:
            return inner() + 1
        return inner()

    check(swallows, (0,), (1,))
    check(breaks, ([],))
    check(continues, ([],))
    check(calls, (0,), (1,), (2,))


def test_jumps_through_nested_loops_and_their_elses(check):
    def searched(rows, wanted):
        log = []
        for row in rows:
            for item in row:
                if item is None:
                    continue
                if item == wanted:
                    log.append("found")
                    break
                if item < 0:
                    return log, "negative"
            else:
                log.append("not in row")
                continue
            break
        else:
            log.append("nowhere")
        return log

    def while_else(n):
        log = []
        while n > 0:
            n -= 1
            while True:
                log.append(n)
                if n % 2:
                    break
                if n == 4:
                    return log
                n -= 1
        else:
            log.append("else")
        return log, n

    check(searched, ([[1, 2], [None, 3]], 3), ([[1], []], 9), ([[5, -1]], 9), ([], 0))
    check(while_else, (3,), (5,), (0,), (6,))


def test_nothing_is_evaluated_after_a_jump(check):
    def jumped(log, items):
        iterator = iter(items)
        for item in iterator:
            if item == 1:
                break
            log.append(item)
        while log.append("test") or len(log) < 9:
            if next(iterator, 0) > 2:
                log.append("break")
                break
        return list(iterator)

    check(jumped, ([], [0, 1, 2, 3, 4, 5]), ([], [1, 2, 1]))


def test_jumps_in_handlers_and_in_the_else_of_a_try(check):
    def handled(items):
        log = []
        for item in items:
            try:
                log.append(10 // item)
            except ZeroDivisionError:
                continue
            except TypeError as error:
                log.append(type(error).__name__)
                break
            else:
                if item > 5:
                    return log, "else"
            finally:
                log.append("finally")
            log.append("after")
        return log

    check(handled, ([1, 0, 2],), ([1, "a", 2],), ([6, 1],), ([],))


def test_a_context_manager_may_swallow_the_exception_that_a_jump_met(check):
    def swallowed(n):
        for i in range(3):
            with contextlib.suppress(ZeroDivisionError):
                if i == n:
                    return 1 // (n - 1)
                continue
            return "swallowed", i
        return "end"

    def fails_on_the_way_out(n):
        for i in range(3):
            with contextlib.suppress(ZeroDivisionError):
                try:
                    if i == 0:
                        continue
                    if i == 1:
                        return "returned"
                finally:
                    1 // (n - i)
        return "end", i

    check(swallowed, (0,), (1,), (2,), (9,))
    check(fails_on_the_way_out, (0,), (1,), (2,))


def test_names_of_ours_may_be_the_users(check):
    def taken(do_return, retval_, fscope):
        break_ = continue_ = 0
        for itr in range(5):
            if itr == do_return:
                continue_ += 1
                continue
            if itr > retval_:
                break_ = itr
                break
            if fscope == itr:
                return "returned", itr
        get_state, set_state, if_body = break_, continue_, "if_body"
        return get_state, set_state, if_body, do_return, retval_

    def nested(ag, UndefinedReturnValue):
        def tf__nested(loop_body, vars_):
            while vars_ < loop_body:
                vars_ += 1
                if vars_ == ag:
                    return UndefinedReturnValue, vars_
            return None

        return tf__nested(3, 0), tf__nested

    check(taken, (1, 3, 9), (1, 9, 2), (9, 1, 9))
    check(lambda: nested(2, "value")[0])
