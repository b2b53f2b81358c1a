import autograph as ag


def loop_options(n):
    while n > 0:
        ag.set_loop_options(maximum_iterations=n, shape_invariants=[(n, None)])
        n = n - 1
    return n
