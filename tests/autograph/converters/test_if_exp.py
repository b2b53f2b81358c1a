"""Conditional expressions."""


def test_conditional_expressions_evaluate_one_arm(same_log, make):
    def f(log):
        x = make(log, "a") if make(log, "test", False) else make(log, "b")
        return (make(log, "c") if x else make(log, "d")) if not x else None

    same_log(f)
