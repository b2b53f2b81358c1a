"""`set_loop_options`."""

import autograph as ag


def test_loop_options_reach_the_operator_and_mean_nothing_to_python(check):
    def f(n):
        total = 0
        while n > 0:
            ag.set_loop_options(maximum_iterations=2, parallel_iterations=10)
            total += n
            n -= 1
        for i in range(3):
            ag.set_loop_options(2, shape_invariants=[(total, None)])
        return total

    check(f, (4,))
    code = ag.to_code(f)
    assert "{'maximum_iterations': 2, 'parallel_iterations': 10}" in code
    assert "'parallel_iterations': 2, 'shape_invariants': [(ag__.ld(total), None)]" in code
    assert "set_loop_options" not in code


def test_a_function_of_the_users_own_with_the_name_of_a_directive_is_called(check):
    def set_loop_options(log):
        log.append(1)

    def f(n):
        log = []
        for _ in range(n):
            set_loop_options(log)
        return log

    check(f, (3,))
