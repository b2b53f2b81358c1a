"""`and`, `or`, `not`: what is evaluated."""

import pytest


@pytest.mark.parametrize("a", [True, False])
@pytest.mark.parametrize("b", [True, False])
def test_logic_evaluates_as_much_as_python_does(same_log, make, a, b):
    def f(log):
        x = make(log, "a", a) and make(log, "b", b) or make(log, "c")  # noqa: RUF021
        y = not make(log, "d", b)
        if make(log, "e", a) and not make(log, "f", b):
            log.append("then")
        return x if x else y

    same_log(f)
