"""Graphs as libraries: programs in C call them, without Python, and get what the graph gives."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.cli.main import main
from runtime.errors import CompileError, InvalidValue

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler is installed")

ROOT = Path(__file__).parents[3]
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
ANY = rt.TensorSpec((None,), "float64")
NUMBER = rt.TensorSpec((), "float64")
WHOLE = rt.TensorSpec((), "int64")

HEAD = """
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
{includes}
static void show(const double *x, int64_t n) {{ for (int64_t i = 0; i < n; i++) printf(" %a", x[i]); }}
static void tell(const char *name, double x) {{ printf("%s %a\\n", name, x); }}
static void say(int status, const char *error) {{ printf("%d %s\\n", status, error); }}

int main(void) {{
    (void)show; (void)tell; (void)say;
    {body}
    return 0;
}}
"""


@pytest.fixture
def program(tmp_path):
    """Builds a program in C with libraries, in strict C99, and gives the lines that it prints."""

    def run(body, *libraries, options=(), compiler=("cc", *STRICT), source="main.c"):
        includes = "\n".join(f'#include "{Path(library).stem}.h"' for library in libraries)
        (tmp_path / source).write_text(HEAD.format(includes=includes, body=body))
        files = [source, *map(str, libraries)]
        command = [*compiler, "-o", "main", *files, *options, f"-Wl,-rpath,{tmp_path}", "-lm"]
        built = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert built.returncode == 0, built.stderr
        done = subprocess.run(["./main"], cwd=tmp_path, env={}, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done
        return done.stdout.splitlines()

    return run


def numbers(line):
    """The numbers of a line in which they are written with all their bits."""
    return [float.fromhex(word) if "x" in word else float(word) for word in line.split()]


def escape(real, imaginary):
    x, y, turns = 0.0, 0.0, 0
    while turns < 1000 and x * x + y * y <= 4.0:
        x, y = x * x - y * y + real, 2.0 * x * y + imaginary
        turns += 1
    return turns


@pytest.mark.parametrize("name", ["escape.so", "escape.o", "escape.a"])
def test_a_program_in_c_calls_a_loop_over_numbers(program, tmp_path, name):
    files = ag.compile_library(escape, tmp_path / name, spec=[NUMBER, NUMBER])
    assert files == (tmp_path / name, tmp_path / "escape.h")
    (line,) = program(
        """int64_t a = 0, b = 0;
        if (escape(0.3, 0.5, &a) != ESCAPE_OK || escape(-1.5, 0.3, &b)) return 1;
        printf("%" PRId64 " %" PRId64 "\\n", a, b);""",
        tmp_path / name,
    )
    assert numbers(line) == [escape(0.3, 0.5), escape(-1.5, 0.3)] == [1000, 5]


def statistics(x, weights):
    total = 0.0
    for i in range(len(x)):
        total += x[i] * weights[i % 3]
    mean = np.sum(x) / len(x)
    above = []
    for value in x:
        if value > mean:
            above.append(value)
    return {
        "total": total,
        "scaled": x / 3.0,
        "pairs": x[1:] + x[:-1],
        "above": above,
        "table": weights[:, None] * weights,
    }


def test_results_are_those_of_the_graph_bit_for_bit(program, tmp_path):
    staged = ag.function(statistics, jit_compile=True)
    weights = rt.TensorSpec((3,), "float64")
    ag.compile_library(staged, tmp_path / "statistics.so", spec={"x": ANY, "weights": weights})
    x = np.random.default_rng(0).normal(size=7)
    w = np.array([0.25, 1.0, 3.0])
    lines = program(
        f"""const double x[] = {{{", ".join(map(str, x))}}}, weights[] = {{0.25, 1.0, 3.0}};
        double total, scaled[7], table[9], *pairs, *above;
        int64_t pairs_count, above_count;
        int status = statistics(
            x, 7, weights, &total, scaled, &pairs, &pairs_count, &above, &above_count, table);
        if (status != STATISTICS_OK) return 1;
        show(&total, 1); puts(""); show(scaled, 7); puts("");
        show(pairs, pairs_count); puts(""); show(above, above_count); puts(""); show(table, 9); puts("");
        statistics_free(pairs); statistics_free(above); statistics_free(NULL);""",
        tmp_path / "statistics.so",
    )
    expected = staged(x, w)
    for line, (name, value) in zip(lines, expected.items(), strict=True):
        assert numbers(line) == np.ravel(value).tolist(), name


def kinds(flag, small, large, single, truths):
    return (
        not flag,
        small + 1,
        large - 1,
        single / 3,
        [truths[0] ^ flag, np.sum(truths)],
        np.logical_not(truths),
    )


def test_each_kind_of_number_has_its_type(program, tmp_path):
    spec = [rt.TensorSpec((), dtype) for dtype in ("bool", "int8", "uint64", "float32")]
    ag.compile_library(kinds, tmp_path / "kinds.o", spec=[*spec, rt.TensorSpec((None,), "bool")])
    (line,) = program(
        """const bool truths[] = {true, false, true};
        bool no, changed, opposite[3]; int8_t small; uint64_t large; float single; int64_t count;
        int status = kinds(
            true, 127, 0, 1.0f, truths, 3, &no, &small, &large, &single, &changed, &count, opposite);
        if (status) return 1;
        printf("%d %d %" PRIu64 " %a %d", no, small, large, (double)single, changed);
        printf(" %" PRId64 " %d%d%d\\n", count, opposite[0], opposite[1], opposite[2]);""",
        tmp_path / "kinds.o",
    )
    third = float(np.float32(1) / np.float32(3))
    assert numbers(line) == [0, -128, float(2**64 - 1), third, 0, 2, 10]


def squares(x):
    return np.sum(x * x)


def test_large_loops_are_done_range_by_range(program, tmp_path):
    count = 1_000_000
    ag.compile_library(squares, tmp_path / "squares.o", spec=[ANY])
    (line,) = program(
        f"""double *x = malloc({count} * sizeof(double)), found = 0;
        for (int64_t i = 0; i < {count}; i++) x[i] = 1.0 / (i + 1);
        if (squares(x, {count}, &found)) return 1;
        printf("%a\\n", found);""",
        tmp_path / "squares.o",
    )
    x = 1.0 / np.arange(1.0, count + 1)
    (native,) = numbers(line)
    wide = ag.function(squares, jit_compile=True).get_concrete_function(ANY)
    assert " for ranges of " in wide.program.source()
    assert native == pytest.approx(float(wide(x)), rel=1e-15)


def sort_by_hand(values, order):
    for i in range(len(values)):
        j = i
        while j > 0 and values[j - 1] > values[j]:
            values[j - 1], values[j] = values[j], values[j - 1]
            order[j - 1], order[j] = order[j], order[j - 1]
            j -= 1


def spun(z, by, turns):
    for _ in range(turns):
        z = z * by + z[::-1]
    return z, np.sum(z) * by, z.real + np.abs(by)


@pytest.mark.parametrize(("dtype", "part"), [("complex64", "float"), ("complex128", "double")])
def test_complex_numbers_are_those_of_c(program, tmp_path, dtype, part):
    specs = [rt.TensorSpec((3,), dtype), rt.TensorSpec((), dtype), WHOLE]
    ag.compile_library(spun, tmp_path / "spun.o", spec=specs)
    z, by = np.array([1 + 2j, -0.5j, 3], dtype), np.array(0.5 - 0.25j, dtype)[()]
    lines = program(
        f"""{part} z[] = {{1, 2, 0, -0.5, 3, 0}}, by[] = {{0.5, -0.25}}, found[6], total[2], sums[3];
        int status = spun((void *)z, (void *)by, 4, (void *)found, (void *)total, sums);
        printf("%d\\n", status);
        for (int i = 0; i < 6; i++) printf(" %a", found[i]);
        printf("\\n%a %a\\n", total[0], total[1]);
        for (int i = 0; i < 3; i++) printf(" %a", sums[i]);""",
        tmp_path / "spun.o",
    )
    found, total, sums = (np.asarray(each) for each in ag.function(spun, jit_compile=True)(z, by, 4))
    assert lines[0] == "0"
    for line, wanted in zip(lines[1:], (found, total.reshape(1), sums), strict=True):
        np.testing.assert_array_equal(np.array(numbers(line), sums.dtype), wanted.view(sums.dtype))


def test_arrays_that_are_written_into_are_changed_in_place(program, tmp_path):
    whole = rt.TensorSpec((None,), "int64")
    ag.compile_library(sort_by_hand, tmp_path / "sorting.a", spec=[ANY, whole], name="sorting")
    (line,) = program(
        """double x[] = {3, 1, 2}; int64_t order[] = {0, 1, 2};
        if (sorting(x, 3, order, 3)) return 1;
        printf("%g %g %g %d %d %d\\n", x[0], x[1], x[2], (int)order[0], (int)order[1], (int)order[2]);""",
        tmp_path / "sorting.a",
    )
    assert numbers(line) == [1, 2, 3, 1, 2, 0]


def swap(x, y):
    for i in range(len(x)):
        x[i], y[i] = y[i], x[i]


def test_two_arrays_may_swap_what_they_hold(program, tmp_path):
    two = rt.TensorSpec((2,), "float64")
    ag.compile_library(swap, tmp_path / "exchange.so", spec=[two, two], name="exchange")
    body = "double x[] = {1, 2}, y[] = {3, 4}; if (exchange(x, y)) return 1; show(x, 2); show(y, 2);"
    assert numbers(program(body, tmp_path / "exchange.so")[0]) == [3, 4, 1, 2]


def pick(x, y, i, limit):
    assert limit > 0, "a limit is positive"
    if i > limit:
        raise KeyError(f"{i} is above {limit}")
    picked = x[i]
    return picked + np.max(x + y)


def test_what_python_raises_is_a_status_and_a_message_with_the_line(program, tmp_path):
    ag.compile_library(pick, tmp_path / "pick.so", spec=[ANY, ANY, WHOLE, WHOLE])
    calls = [
        "x, 3, x, 3, 1, 9",
        "x, 3, x, 3, 5, 9",
        "x, 3, x, 3, 5, 2",
        "x, 3, x, 3, 0, -4",
        "x, 3, x, 2, 0, 9",
    ]
    calls.append("x, -1, x, 3, 0, 9")
    body = "".join(
        f'status = pick({call}, &r); printf("%d\\n%s\\n---\\n", status, pick_error());' for call in calls
    )
    lines = program(
        f'const double x[] = {{1, 2, 3}}; double r; int status; {body} tell("r", r);', tmp_path / "pick.so"
    )
    done, index, key, failed, differ, negative, last = "\n".join(lines).split("\n---\n")
    assert (done, last) == ("0\n", "r 0x1p+3")
    assert index.startswith("3\nIndexError: index 5 is out of bounds for axis 0 with size 3\n")
    assert '  File "test_compile_library.py", line' in index
    assert "    picked = x[i]\n" in index
    assert key.startswith("4\nKeyError: 5 is above 2\n")
    assert "raise KeyError(" in key
    assert failed.startswith("8\nAssertionError: a limit is positive\n")
    assert differ.startswith("5\nValueError: lengths differ\n")
    assert "np.max(x + y)" in differ
    assert negative == "5\nValueError: the length `x_dim0` is negative"


def divided(n, by):
    return n // by, n % by


def test_a_division_by_zero_is_a_status_with_the_line(program, tmp_path):
    ag.compile_library(divided, tmp_path / "divided.o", spec=[WHOLE, WHOLE])
    lines = program(
        """int64_t a = 0, b = 0;
        int status = divided(-7, 2, &a, &b); printf("%d %d %d\\n", status, (int)a, (int)b);
        status = divided(-7, 0, &a, &b); say(status, divided_error());""",
        tmp_path / "divided.o",
    )
    assert numbers(lines[0]) == [0, -7 // 2, -7 % 2]
    assert lines[1] == "6 ZeroDivisionError: integer division or modulo by zero"
    assert lines[3].strip() == "return n // by, n % by"


def booked(amounts, least):
    balance, refused = 0.0, 0
    for i in range(len(amounts)):
        try:
            if balance + amounts[i] < least:
                raise ValueError(f"{i}: too much")
            balance += amounts[i]
            try:
                if balance > 1000.0:
                    raise OverflowError("more than allowed", i)
            finally:
                refused += 100
        except ValueError:
            refused += 1
    return balance, refused


def test_what_a_program_catches_is_no_status_and_what_it_does_not_is_one(program, tmp_path):
    ag.compile_library(booked, tmp_path / "booked.so", spec=[ANY, NUMBER])
    fine = [10.0, -30.0, 5.0, -15.0, -1.0]
    lines = program(
        """double x[] = {10, -30, 5, -15, -1}, y[] = {10, 999}, balance; int64_t refused;
        if (booked(x, 5, 0, &balance, &refused)) return 1;
        show(&balance, 1); printf(" %" PRId64 "\\n", refused);
        say(booked(y, 2, 0, &balance, &refused), booked_error());""",
        tmp_path / "booked.so",
    )
    assert numbers(lines[0]) == list(booked(fine, 0.0))
    assert lines[1] == "7 OverflowError: ('more than allowed', 1)"
    assert lines[3].strip() == 'raise OverflowError("more than allowed", i)'


def ranked(x):
    return {"ordered": np.sort(x), "order": np.argsort(x, kind="stable")}


def test_any_number_of_elements_is_put_in_order(program, tmp_path):
    ag.compile_library(ranked, tmp_path / "ranked.o", spec=[ANY])
    lines = program(
        """double x[200], y[200]; int64_t order[200];
        for (int i = 0; i < 200; i++) x[i] = (i * 37) % 50;
        if (ranked(x, 200, y, order)) return 1;
        show(y, 200); puts("");
        for (int i = 0; i < 200; i++) printf(" %" PRId64, order[i]);""",
        tmp_path / "ranked.o",
    )
    wanted = ranked(np.arange(200.0) * 37 % 50)
    assert numbers(lines[0]) == wanted["ordered"].tolist()
    assert numbers(lines[1]) == wanted["order"].tolist()


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def test_functions_call_themselves_and_not_too_deep(program, tmp_path):
    ag.compile_library(ag.function(ackermann), tmp_path / "ackermann.so", spec=[WHOLE, WHOLE])
    lines = program(
        """int64_t r = 0;
        int status = ackermann(2, 3, &r); printf("%d %d\\n", status, (int)r);
        status = ackermann(4, 1, &r); say(status, ackermann_error());""",
        tmp_path / "ackermann.so",
    )
    assert lines == ["0 9", "2 RecursionError: maximum recursion depth exceeded"]


def test_threads_have_messages_of_their_own(program, tmp_path):
    ag.compile_library(pick, tmp_path / "pick.so", spec=[ANY, ANY, WHOLE, WHOLE])
    main = """
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "pick.h"
static void *work(void *given) {
    const double x[] = {1, 2, 3};
    const int64_t i = *(const int64_t *)given;
    char wanted[32];
    snprintf(wanted, sizeof wanted, "index %d is", (int)i);
    for (int turn = 0; turn < 20000; turn++) {
        double r;
        if (pick(x, 3, x, 3, i, 100, &r) != PICK_INDEX_ERROR || !strstr(pick_error(), wanted)) return given;
    }
    return 0;
}
int main(void) {
    pthread_t threads[4]; int64_t which[] = {11, 22, 33, 44}; void *wrong; int all = 0;
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, &which[i]);
    for (int i = 0; i < 4; i++) { pthread_join(threads[i], &wrong); all += wrong != 0; }
    return all;
}
"""
    (tmp_path / "threads.c").write_text(main)
    command = [
        "cc",
        *STRICT[1:],
        "-std=gnu99",
        "-o",
        "main",
        "threads.c",
        "pick.so",
        "-pthread",
        f"-Wl,-rpath,{tmp_path}",
    ]
    subprocess.run(command, cwd=tmp_path, check=True)
    subprocess.run(["./main"], cwd=tmp_path, check=True)


@pytest.mark.skipif(shutil.which("c++") is None, reason="no C++ compiler is installed")
def test_the_header_is_one_of_c_plus_plus_as_well(program, tmp_path):
    ag.compile_library(kinds_of_one, tmp_path / "kinds_of_one.o", spec=[rt.TensorSpec((), "bool"), ANY])
    compiler = ("c++", "-std=c++11", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
    body = "double x[] = {1, 2}, y[2]; if (kinds_of_one(true, x, 2, y)) return 1; show(y, 2);"
    lines = program(body, tmp_path / "kinds_of_one.o", compiler=compiler, source="main.cpp")
    assert numbers(lines[0]) == [2, 4]


@pytest.mark.skipif(shutil.which("c++") is None, reason="no C++ compiler is installed")
def test_complex_numbers_are_those_of_c_plus_plus(program, tmp_path):
    spec = [rt.TensorSpec((2,), "complex128"), rt.TensorSpec((), "complex128")]
    ag.compile_library(lambda z, by: z * by, tmp_path / "turned.o", spec=spec, name="turned")
    compiler = ("c++", "-std=c++11", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
    body = """std::complex<double> z[] = {{1, 2}, {3, -1}}, by(0, 1), y[2];
    if (turned(z, &by, y)) return 1;
    printf("%a %a %a %a\\n", y[0].real(), y[0].imag(), y[1].real(), y[1].imag());"""
    (line,) = program(body, tmp_path / "turned.o", compiler=compiler, source="main.cpp")
    assert numbers(line) == [-2, 1, 1, 3]


def kinds_of_one(twice, x):
    return x * 2 if twice else x


COUNTER = rt.Variable(2.0, name="rate")


def grown(x):
    return x * COUNTER


def test_variables_are_refused_or_frozen(program, tmp_path):
    with pytest.raises(CompileError, match="reads the variable `rate`") as caught:
        ag.compile_library(grown, tmp_path / "grown.o", spec=[NUMBER])
    assert "freeze=True" in str(caught.value)
    assert "return x * COUNTER" in str(caught.value)
    ag.compile_library(grown, tmp_path / "grown.o", spec=[NUMBER], freeze=True)
    assert program('double y; if (grown(3, &y)) return 1; tell("y", y);', tmp_path / "grown.o") == [
        "y 0x1.8p+2"
    ]


def prints(x):
    print(x)
    return x


def distinct(x):
    return np.unique(x)


def counts(x):
    COUNTER.assign_add(x)
    return x


@pytest.mark.parametrize(
    ("f", "what", "line"),
    [
        (prints, "`PrintV2` has no machine code", "print(x)"),
        (distinct, "`Unique` has no machine code", "np.unique(x)"),
        (counts, "changes the variable `rate`", "COUNTER.assign_add(x)"),
    ],
)
def test_what_is_python_s_to_do_is_refused_with_the_line(tmp_path, f, what, line):
    with pytest.raises(CompileError) as caught:
        ag.compile_library(f, tmp_path / "refused.o", spec=[NUMBER if f is counts else ANY], freeze=True)
    assert what in str(caught.value)
    assert line in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_numbers_without_a_type_in_c_are_refused(tmp_path, dtype):
    with pytest.raises(CompileError, match="the argument `x` has no form in C"):
        ag.compile_library(lambda x: x, tmp_path / "one.o", spec=[rt.TensorSpec((2,), dtype)], name="one")


@pytest.mark.parametrize("name", ["double", "exp", "malloc", "two words", "ag_entry", "1st"])
def test_names_that_are_none_in_c_are_refused(tmp_path, name):
    with pytest.raises(InvalidValue, match="cannot be the name of a function in C"):
        ag.compile_library(escape, tmp_path / "escape.o", spec=[NUMBER, NUMBER], name=name)


def words(double, int64_t, NULL):
    return {"double": double + int64_t, "auto": NULL}


def test_parameters_get_names_that_are_some_in_c(program, tmp_path):
    ag.compile_library(words, tmp_path / "words.o", spec=[NUMBER] * 3)
    body = "double a, b; if (words(1, 2, 3, &a, &b)) return 1; show(&a, 1); show(&b, 1);"
    assert numbers(program(body, tmp_path / "words.o")[0]) == [3, 3]


@pytest.mark.parametrize(("name", "variable"), [("escape.so", "CC"), ("escape.a", "AR")])
def test_a_tool_that_is_missing_is_named_with_a_way_out(tmp_path, monkeypatch, name, variable):
    monkeypatch.setenv(variable, "no-such-tool")
    with pytest.raises(CompileError, match="`no-such-tool`, which is not there") as caught:
        ag.compile_library(escape, tmp_path / name, spec=[NUMBER, NUMBER])
    assert "'escape.o', which needs none" in str(caught.value)
    monkeypatch.setenv(variable, "false")
    with pytest.raises(CompileError, match="`false` could not make the library"):
        ag.compile_library(escape, tmp_path / name, spec=[NUMBER, NUMBER])
    assert list(tmp_path.iterdir()) == []


def test_files_are_written_whole_or_not_at_all(tmp_path, monkeypatch):
    (tmp_path / "escape.h").write_text("as it was")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        ag.compile_library(escape, tmp_path / "escape.o", spec=[NUMBER, NUMBER])
    assert [path.name for path in tmp_path.iterdir()] == ["escape.h"]
    assert (tmp_path / "escape.h").read_text() == "as it was"


@pytest.mark.skipif(shutil.which("objdump") is None, reason="no disassembler is installed")
def test_code_is_for_any_processor_unless_it_is_asked_for_this_one(tmp_path):
    def doubled(x):
        return x * 2.0

    texts = []
    for cpu in ("baseline", "x86-64-v3"):
        ag.compile_library(doubled, tmp_path / "doubled.o", spec=[ANY], cpu=cpu, header=False)
        found = subprocess.run(
            ["objdump", "-d", tmp_path / "doubled.o"], capture_output=True, text=True, check=True
        )
        texts.append("ymm" in found.stdout)
    assert texts == [False, True]
    assert not (tmp_path / "doubled.h").exists()
    with pytest.raises(InvalidValue, match="no code for the processor 'z80'"):
        ag.compile_library(doubled, tmp_path / "doubled.o", spec=[ANY], cpu="z80")


def test_an_ending_that_says_nothing_is_refused(tmp_path):
    with pytest.raises(InvalidValue, match="has no ending that says what it shall be"):
        ag.compile_library(escape, tmp_path / "escape", spec=[NUMBER, NUMBER])


def test_the_page_about_libraries_says_what_is_printed(tmp_path, golden, monkeypatch, capsys):
    page = ROOT / "docs" / "deploy.md"
    text = page.read_text(encoding="utf-8")
    (tmp_path / "smooth.py").write_text(re.search(r"```py\n(.*?)```", text, re.DOTALL)[1])
    (tmp_path / "main.c").write_text(re.search(r"```c\n(.*?)```", text, re.DOTALL)[1])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])

    def printed(match):
        if match[2].startswith("autograph"):
            main(shlex.split(match[2])[1:])
            shown = capsys.readouterr()
            output = shown.out + shown.err
        else:
            output = subprocess.run(match[2], shell=True, capture_output=True, text=True, check=True).stdout
        return f"{match[1]}{match[2]}{match[3]}{output.replace(f'{tmp_path}/', '').rstrip()}\n```"

    golden(page, re.sub(r"(```sh\n)(.*?)(\n```\n```text\n)(.*?)```", printed, text, flags=re.DOTALL))
    sys.modules.pop("smooth", None)
