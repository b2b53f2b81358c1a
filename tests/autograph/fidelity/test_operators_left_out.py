"""What provably never meets a value of a backend stays as the user wrote it."""

from autograph.transpiler import Transpiler


def listing(function):
    return Transpiler().to_code(function)


def test_slices_and_equality_with_text_need_no_operator():
    def named(table, mode):
        if mode == "first" or "second" != mode:
            table = table[1:]
        return mode in ("x", "y"), table[-1:], table[:, 0], b"" == mode

    text = listing(named)
    assert "ag__.ld(mode) == 'first'" in text
    assert "'second' != ag__.ld(mode)" in text
    assert "ag__.ld(table)[-1:], ag__.ld(table)[:, 0]" in text
    assert "b'' == ag__.ld(mode)" in text


def test_comparisons_with_numbers_and_text_need_no_operator():
    def compared(a, b):
        return a < b, a >= 3, a < "x"

    text = listing(compared)
    assert "ag__.ordered(ag__.ld(a), '<', ag__.ld(b)), ag__.ld(a) >= 3, ag__.ld(a) < 'x'" in text
