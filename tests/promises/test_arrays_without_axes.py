"""NumPy has arrays without axes, which are references as all arrays are, and numbers, which never change."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import KindsMeetWarning, StateDisagrees
from tests.promises.kit import function_of

f, i, a = np.float64, np.int64, np.array
total = np.zeros(())


# ── given to the function ──


def added_to(x):
    x += 1
    return x


def under_another_name(x):
    z = x
    z += 1
    return x, z


def by_a_callee(x):
    def bump(v):
        v += 1

    bump(x)
    return x


def in_a_branch(x):
    if x > 3:
        x[...] = 1
    return x


def in_a_loop(x):
    other = x
    while x > 0:
        x = x - 1
        other += 1
        if other > 100:
            break
    return x, other


def a_copy(x):
    z, w = x.copy(), np.array(x)
    z += 1
    w[...] = 4
    return x, z, w


def shown_by_asarray(x):
    z = np.asarray(x)
    z[...] = 4
    return x, z


def as_it_was(x):
    was = x[()]
    x[...] = 9
    return was, x


@pytest.mark.parametrize(
    "program",
    [
        *(added_to, under_another_name, by_a_callee, in_a_branch, in_a_loop),
        *(a_copy, shown_by_asarray, as_it_was),
    ],
)
def test_one_that_is_given_is_a_reference(program):
    ag.check(program, a(5.0), then=[(a(2.0),), (a(7.0),)])


@pytest.mark.parametrize("program", [added_to, under_another_name, by_a_callee, a_copy])
def test_one_graph_is_for_numbers_and_another_for_arrays(program):
    numbers = f(5.0) if program is not a_copy else a(5.0)
    ag.check(program, numbers, then=[(a(2.0),), (numbers,), (a(2.0),)])


# ── made by the function ──


def made_and_filled(x):
    z = np.zeros(())
    w = z
    for _ in range(3):
        z += x
    w += 1
    return z, w


def made_of_a_number(x):
    z = np.asarray(x)
    w = z
    z[...] = 4
    return x, z, w


def chosen(x):
    z, w = np.zeros(()), np.ones(())
    v = z if x > 2 else w
    v += 5
    return z, w, v


def changed_on_one_path(x):
    z = np.zeros(())
    w = z
    if x > 2:
        z += 1
    return z, w


def turned_into_a_number(x):
    z = np.asarray(x)
    w = z
    while z < 10:
        w += 1
        z = z * 2
        z += 1
    return z, w


def given_as_out(x):
    y = np.empty(())
    np.add(x, 1, out=y)
    z = y.copy()
    z.fill(2)
    return y, z


def of_an_attribute_and_a_global(x):
    held = SimpleNamespace(total=np.zeros(()))
    seen = held.total
    held.total += x
    total[...] = x
    return seen, total * 2


@pytest.mark.parametrize(
    "program",
    [
        *(made_and_filled, made_of_a_number, chosen, changed_on_one_path, turned_into_a_number),
        *(given_as_out, of_an_attribute_and_a_global),
    ],
)
def test_one_that_is_made_is_a_reference(program):
    ag.check(program, f(5.0), then=[(f(2.0),), (f(-1.0),)])


# ── parts of others ──


def an_element_with_an_ellipsis(x):
    y = x[0, ...]
    y[...] = 3
    y += 1
    return x, y


def squeezed(x):
    y, z = x[:1].squeeze(), x[-1:].reshape(())
    y += 1
    z *= 2
    return x, y, z


def an_element_is_a_copy(x):
    y = x[0]
    y += 3
    return x, y


@pytest.mark.parametrize("program", [an_element_with_an_ellipsis, squeezed, an_element_is_a_copy])
def test_a_view_without_axes_is_a_part_of_its_array(program):
    ag.check(program, a([5.0, 1.0]), then=[(a([2.0, 3.0]),)])


# ── that turns bind ──

BOUND = """
x = None
for i in range(n):
    x = z
z[...] = 7
return x, z
---
x = None
for i in range(n):
    if x is not None:
        x[...] += 1
    x = z
return x, z
---
x = None
for i in range(n):
    if i > 1:
        x = z
if x is not None:
    x += 1
return x, z
---
x = 1.0
for i in range(n):
    x = z
z[...] = 7
return x, z
---
x = z * 1
for i in range(n):
    x = z if i > 1 else 2.0
z[...] = 7
return x, z
---
for i in range(n):
    x = z
z[...] = 7
return x if n > 0 else z
---
x, i = None, 0
while i < n:
    i += 1
    x = z
    z = np.asarray(i + 0.5)
if x is not None:
    x[...] = 1
return x, z
---
x = None
for i in range(n):
    x = (z, [z])
z[...] = 7
return x
---
held = {"z": None}
for i in range(n):
    held["z"] = z
z[...] = 7
return held
---
x, y = None, np.asarray(3.0)
for i in range(n):
    x = z if i % 2 else y
if x is not None:
    x[...] = 9
return x, y, z
---
x = np.float64(1.0)
for i in range(n):
    x = z
x += 1
return x, z
---
x = z
for i in range(n):
    x = x - 1
x -= 1
return x, z
---
x = z
for i in range(n):
    x = x * 2
    if i > 1:
        x = np.asarray(x)
    x -= 1
return x, z
""".strip().split("\n---\n")

BESIDE_NUMBERS = """
x = 1.0
if n > 1:
    x = z
y = x
x += 1
return x, y, z
---
x = np.where(n > 2, z, 1) if n > 1 else 2.0
y = x
x += 1
return x, y
---
x = [z, 1.0][n % 2]
y = x
x += 1
return x, y
---
x = 1.0
try:
    x = z
    10 // n
    x = 2.0
except ZeroDivisionError:
    pass
y = x
x += 1
return x, y
---
x = z * 1
for i in range(n):
    y = x
    x += 1
    x = np.where(z > i, x, z)
return x, y if n else 0
""".strip().split("\n---\n")


def program_of(text):
    lines = ["def f(n, z):", *text.splitlines()]
    return function_of("\n    ".join(lines) + "\n")


@pytest.mark.parametrize("text", BOUND)
def test_one_that_turns_bind_is_a_reference(text):
    ag.check(program_of(text), i(3), a(1.5), then=[(i(0), a(1.5)), (i(1), a(1.5))])


@pytest.mark.parametrize("text", BESIDE_NUMBERS)
def test_another_name_for_what_may_be_a_number_is_not_read_behind_a_change_in_place(text):
    with pytest.raises(StateDisagrees, match="may have been written to under another name"):
        ag.check(program_of(text), i(3), a(1.5), then=[(i(0), a(1.5)), (i(1), a(1.5))], executors=["numpy"])


def test_what_may_be_a_number_is_not_written_into():
    with pytest.raises(StateDisagrees, match="an array without axes on some paths, and a number on others"):
        ag.check(program_of("x = z if n > 1 else 2.0\nx[...] = 3\nreturn x"), i(3), a(1.5))


# ── in lists ──


def changed_by_a_place_in_a_list(x):
    total = np.zeros(())
    rows = [total, np.ones(())]
    rows[int(x[0])] += 1
    return total, rows


def changed_by_a_name_of_one_in_a_list(x):
    total = np.zeros(())
    rows = [total, np.ones(())]
    one = rows[int(x[0])]
    one += 1
    return total, one is total


def changed_in_turns(x):
    total = np.zeros(())
    rows = [total, total]
    for i in range(int(x[1])):
        rows[i % 2] += 1
    return total, rows[0] is rows[1]


@pytest.mark.parametrize(
    "program", [changed_by_a_place_in_a_list, changed_by_a_name_of_one_in_a_list, changed_in_turns]
)
def test_an_array_without_axes_that_an_index_chooses_is_that_array(program):
    ag.check(program, a([1.0, 3.0]), then=[(a([0.0, 2.0]),)])


# ── numbers ──


def into_a_sum(x):
    x.sum()[...] = 3


def into_an_element(x):
    y = x[0]
    y[...] = 3


def into_a_result(x):
    y = x.max() + 1
    y[()] = 3


@pytest.mark.parametrize("program", [into_a_sum, into_an_element, into_a_result])
def test_a_number_is_not_written_into(program):
    ag.check(program, a([5.0, 1.0]))


def test_what_a_function_of_tensors_gives_is_no_number_of_numpys():
    @ag.function
    def program(x):
        total, copied = rt.sum(x) / 2, rt.asarray(x[0], copy=True)
        total[total > 1] = 0.0
        copied[...] = 7.0
        return total, copied

    assert [float(each) for each in program(rt.asarray([1.0, 2.0]))] == [0.0, 7.0]


def test_arrays_without_axes_are_arrays_to_isinstance():
    def f(x):
        made = np.array(x)
        changed = np.array(5.0)
        changed += x
        told = [isinstance(each, np.ndarray) for each in (made, changed, made + 1, x, made[()])]
        return told, type(changed) is np.ndarray, isinstance(made, float)

    ag.check(f, np.float64(3.0))


OF_NUMBERS = (
    "x.real, x.imag, (x * 2).real, x.T, x.transpose(), x.squeeze(), x.reshape(()), x.copy(), np.squeeze(x), "
    "np.real(x), np.transpose(x), np.moveaxis(x, [], []), np.abs(x), x.item().real"
)
ARRAYS = (
    "np.broadcast_to(x, ()), np.isin(x, [2.5]), np.roll(x, 1), np.cov([x, 2.0]), x[...], np.copy(x), "
    "np.block(x), np.ascontiguousarray(x), np.asfortranarray(x)"
)


@pytest.mark.parametrize("number", [np.complex128(1.5 + 2.25j), np.float64(2.5)])
def test_what_is_taken_of_a_number_is_a_number(number):
    told = "[(isinstance(each, np.ndarray), type(each).__name__, each) for each in found]"
    program = function_of(f"def f(x):\n    found = [{OF_NUMBERS}]\n    return {told}\n")
    ag.check(program, number, executors=["numpy"])


def test_parts_of_complex_numbers_are_rounded_and_sorted():
    def ordered(z):
        roots = [z[0] * 2, z[1], z[0]]
        key = [(round(each.real, 2), round(each.imag), round(abs(each), 1)) for each in roots]
        return sorted(roots, key=lambda each: (round(each.real, 6), round(each.imag, 6))), key

    ag.check(ordered, np.array([2.0 + 1.5j, 1.0 - 1.0j]), then=[(np.array([0.5j, 0.25]),)])


def test_what_numpy_gives_as_an_array_is_one():
    told = "[(isinstance(each, np.ndarray), each.shape, each) for each in found]"
    program = function_of(f"def f(x):\n    found = [{ARRAYS}]\n    return {told}\n")
    ag.check(program, np.float64(2.5), executors=["numpy"])


# ── as text, among the arguments of functions and exceptions ──


@dataclasses.dataclass
class Kept:
    value: object


def shown_everywhere(x):
    made, chosen = np.asarray(x[()]), np.array(1.0)
    if x > 2:
        chosen = np.array(5.0)
    print([x], (made, 1), {"x": chosen}, Kept(made), x, x * 1)
    return repr(x), f"{made!r:>12} {made:.2f} {chosen=}", f"{[x]!r} {made}", f"{[x + 0, chosen]}"


def raised_with(x):
    try:
        if x > 2:
            raise ValueError(np.asarray(x), [x[()]])
    except ValueError as error:
        return repr(error), str(error), repr(error.args), type(error.args[0]) is np.ndarray
    raise KeyError(x, [x])


def asked_for_what_it_lacks(x):
    said = []
    for use in (
        lambda: x.zzz,
        lambda: x.bit_count(),
        lambda: len(x),
        lambda: x(),
        lambda: {x: 1},
        lambda: x + "a",
    ):
        try:
            use()
        except (AttributeError, TypeError) as error:
            said.append(str(error))
    return said


def told_the_host(x):
    return ag.host_call(lambda *given: repr(given), x, x * 1, [np.asarray(x)], result=str)


@pytest.mark.parametrize("program", [shown_everywhere, raised_with, asked_for_what_it_lacks, told_the_host])
def test_it_is_an_array_to_text_exceptions_and_functions_of_the_host(program):
    ag.check(program, a(5.0), then=[(a(1.5),), (a(7.0),)])


def test_it_is_an_array_to_an_error_of_a_list():
    def f(x):
        try:
            return [1, 2].index(x)
        except ValueError as error:
            return str(error)

    ag.check(f, a(5), then=[(a(1),)])


def test_a_written_program_shows_it_as_an_array():
    def f(x):
        print([np.asarray(x)])
        return x

    program = ag.function(f).get_concrete_function(rt.TensorSpec((), rt.float64)).to_python()
    assert "np.asarray(value_0)!r" in program


def test_a_list_of_the_graph_that_holds_some_as_numbers_warns_where_it_tells():
    def shown(n):
        kept = []
        for k in range(n):
            kept.append(np.array(k))
        return repr(kept)

    def classed(n):
        kept = []
        for k in range(n):
            kept.append(np.array(k))
        return isinstance(kept[0], np.ndarray)

    def added(n):
        kept = []
        for k in range(n):
            kept.append(np.array(k))
        return kept, sum(kept), max(kept)

    for program in (shown, classed):
        with pytest.warns(KindsMeetWarning, match="an array without axes that was put into a list"):
            ag.function(program)(i(3))
    ag.check(added, i(3), then=[(i(1),)])
