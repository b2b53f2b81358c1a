"""Printing and formatting of values that are known when the graph runs."""

# ruff: noqa: PTH123, UP031, UP032  (programs are written as users write them)

from dataclasses import dataclass

from tests.beyond.kit import Same, check


def test_values_are_printed_in_program_order():
    def f(x):
        print("x is", x)
        y = x * 2
        print("twice:", y, "half:", x / 2, sep="|", end=" end\n")
        print(y)
        return y

    check(f, 3)
    check(f, 1.5)
    check(f, [1.0, 2.0])
    check(f, True)


def test_containers_show_what_is_in_them():
    @dataclass
    class Point:
        x: object
        label: str

    class Odd:
        def __init__(self, value):
            self.value = value

        def __str__(self):
            return f"<{self.value}>"

    def f(x, y):
        print([x, "text", (y, None)], {"key": x}, Point(y, "p"))
        print(Odd(x), [1, 2])
        return x

    check(f, 1, [1.5, 2.5])
    check(f, True, 2.0)


def test_f_strings_format_the_number():
    def f(x, n):
        print(f"{x:.2f} and {n:>5} and {x!r:<12}|{n=} {[x]}")
        print(f"{x:{n}.3f}|{'plain':>{n}}|{3.14159:.{n}f}")
        return f"{n} of {x}"

    check(f, 1.23456, 7)
    check(f, -0.5, 3)


def test_percent_formats_the_number():
    def f(x, n):
        print("%d items, %5.2f%% of %s, %r" % (n, x, x, [n]))
        print("%s" % x, "%(n)04d|%(x)-10s|" % {"n": n, "x": x}, "%6d|%-6d|" % (n, n))
        print("%10s|" % [n])
        return "total: %s" % n

    check(f, 12.5, 4)


def test_methods_of_strings_take_values():
    def f(x, n):
        print("{} then {:.3f} then {last!r}".format(n, x, last=x))
        print("{0[0]} {1:>{2}}".format([x], n, 6))
        print(", ".join([str(n), f"{x:g}", "end"]), "-".join(str(i) for i in [n, n + 1]))
        print(("[" + str(n) + "]").rjust(10, "."), repr(x), format(x, ".1f"), str(n).zfill(5))
        return ", ".join(f"{v}" for v in [x, n])

    check(f, 0.25, 12)


def test_texts_grow_and_are_formatted_again():
    def f(x):
        text = f"x={x}"
        text += ";"
        text = "<" + text + ">"
        print(f"{text:>20}", "%s" % text, text.upper(), text * 2)
        return {"text": text, "value": x}

    check(f, 3)


def test_effects_in_branches_and_loops_keep_their_order():
    def f(n):
        i = 0
        while i < n:
            if i % 2 == 0:
                print("even", i)
            else:
                print(f"odd {i}", end=";\n")
            i += 1
        print("done", i)
        return i

    check(f, 4)
    check(f, 0)


def test_python_numbers_that_a_loop_changes_print_as_python_numbers():
    def f(n):
        count = 0
        mean = 0.0
        for i in range(n):
            count += 1
            mean = mean + 0.5
            print([count, mean], f"{count!r} {mean!r} {i!r}")
        return count

    check(f, 3)


def test_a_file_gets_what_is_printed(tmp_path):
    path = tmp_path / "log.txt"

    def f(x):
        print("x is", x, file=file, flush=True)
        return x

    with open(path, "w") as file:
        check(f, 3)
    assert path.read_text() == "x is 3\n" * 5


def test_text_in_a_branch_is_printed_where_the_branch_runs():
    def f(x):
        if x > 0:
            print("positive")
        elif x < 0:
            print("negative", end="!\n")
        for _ in range(x):
            print("tick")
        return x

    check(f, 2)
    check(f, -1)
    check(f, 0)


def test_texts_that_a_tensor_chooses():
    def f(x):
        label = "large" if x > 10 else f"small ({x:.1f})"
        print(label, f"{label}: {x}")
        if x > 100:
            message = f"{x}!"
        else:
            message = "none"
        return message

    check(f, 5.0)
    check(f, 50.0)
    check(f, 500.0)


def test_text_without_tensors_is_printed_while_tracing():
    def f(x, name):
        print(name)
        return x

    check(f, 1, Same("Tracing!"), prints=False)
