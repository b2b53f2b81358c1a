"""What all blocks share: nesting, and the names that they bind."""

import linecache

import pytest


@pytest.mark.parametrize("depth", [12])
def test_deep_nesting_is_no_problem(check, depth):
    lines = ["def f(n):", "    x = 0"]
    for level in range(depth):
        lines.append("    " * (level + 1) + f"if n > {level}:")
    lines += ["    " * (depth + 1) + "x = n", "    return x"]
    text = "\n".join(lines) + "\n"
    linecache.cache["<deep>"] = (len(text), None, text.splitlines(True), "<deep>")
    namespace = {"__name__": "deep"}
    exec(compile(text, "<deep>", "exec"), namespace)
    check(namespace["f"], (3,), (99,))


def test_user_names_like_ours_are_kept_apart(check):
    def f(fscope, do_return=1, retval_=2, get_state=3):
        if_body = fscope
        if if_body:
            do_return += 1
            return if_body, do_return, retval_, get_state
        return vars_(itr=3)

    def vars_(itr):
        return itr

    check(f, (1,), (0,))
