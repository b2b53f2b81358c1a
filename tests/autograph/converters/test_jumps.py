"""Jumps out of `with` and `try`."""


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
