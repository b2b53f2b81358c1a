"""Loops over ranges of Python's that read and change containers and objects: which of them are rolled."""

import collections
import dataclasses
import io

import numpy as np
import pytest

import autograph as ag
from tests.beyond.rolling import Programs, loops_of, short_loops_roll

PROGRAMS = Programs()
rolls, unrolls = PROGRAMS.rolls, PROGRAMS.unrolls

pytestmark = pytest.mark.usefixtures(short_loops_roll.__name__)


class Holder:
    def __init__(self, items):
        self.items = items


@unrolls()
def iterator_outside(x):
    it = iter(range(100))
    for i in range(8):
        x = x + next(it)
    return (x, next(it))


@unrolls()
def iterator_outside2(x):
    it = iter([1, 2, 3, 4, 5, 6, 7, 8, 9])
    for i in range(8):
        for q in it:
            x = x + q
            break
    return x


@unrolls()
def zip_it(x):
    it = iter(range(100))
    for i in range(8):
        for q, r in zip((1, 2), it):
            x = x + q * r
    return x


@unrolls()
def gen_outside(x):
    g = (k * k for k in range(100))
    for i in range(8):
        x = x + next(g)
    return x


@rolls()
def gen_inside(x):
    for i in range(8):
        x = x + sum(x[k] * i for k in range(3)) + max(v for v in x)
    return x


@unrolls()
def gen_inside_over_outside(x):
    it = iter(range(100))
    for i in range(8):
        x = x + sum(k for k, _ in zip(it, "ab"))
    return (x, next(it))


@unrolls()
def comprehension_over_outside(x):
    it = iter(range(100))
    for i in range(8):
        if i < 6:
            x = x + i
        else:
            x = x + len([k for k in it])
    return (x, next(it, None))


@unrolls()
def gen_of_the_turn_before(x):
    g = (k * k for k in range(100))
    for i in range(8):
        before, g = g, (k + i for k in range(100))
        x = x + next(before) + next(before)
    return x, next(g)


@rolls()
def sio(x):
    s = io.StringIO()
    for i in range(8):
        s.write("a")
        x = x + 1
    return (x, s.getvalue())


@unrolls()
def bytea(x):
    s = bytearray()
    for i in range(8):
        s.append(3)
        x = x + len(s)
    return x


@rolls()
def deq(x):
    d = collections.deque([1, 2, 3])
    for i in range(8):
        d.append(d.popleft())
        x = x + d[0]
    return (x, list(d))


@rolls()
def rot(x):
    d = collections.deque([1, 2, 3])
    for i in range(8):
        d.rotate(1)
        x = x + d[0]
    return (x, list(d))


@unrolls()
def ctr(x):
    c = collections.Counter()
    for i in range(8):
        c[i % 2] += 1
        x = x + c[0]
    return (x, dict(c))


@rolls()
def sets(x):
    s = set()
    for i in range(8):
        s.add(3)
        x = x + len(s)
    return (x, s)


@unrolls()
def sets2(x):
    s = set()
    for i in range(8):
        s.add(i)
        x = x + len(s)
    return (x, s)


@unrolls()
def dict_keys(x):
    d = {}
    for i in range(8):
        d[i] = x
        x = x + 1
    return d


@rolls()
def list_state(x):
    st = [x, 1, x * 2]
    for i in range(8):
        st[0] = st[0] + st[1]
        st[1] += 1
        st[2] = st[0] * i
    return st


@rolls()
def list_idx(x):
    st = [0.0] * 8
    for i in range(8):
        st[i] = x[i] * 2
    return st


@rolls()
def swap(x):
    a, b = (0, 1)
    for i in range(8):
        a, b = (b, a)
        x = x + a
    return (x, a, b)


@rolls()
def swapt(x):
    y = x * 2
    for i in range(9):
        x, y = (y, x)
    return (x, y)


@unrolls()
def closure(x):
    fs = None
    for i in range(9):
        fs = lambda: i
        x = x + 1
    return x + fs()


@rolls()
def table(x):
    tab = np.arange(8.0) * 3
    for i in range(8):
        x = x + tab[i]
    return x


@unrolls()
def table_write(x):
    tab = np.arange(8.0) * 3
    for i in range(8):
        tab[i] = i
    return x + tab


@unrolls()
def table_read_py(x):
    tab = np.arange(8)
    k = 0
    for i in range(8):
        k = int(tab[i])
        x = x + k
    return (x, k)


@unrolls()
def lists_of_i2(x):
    for i in range(8):
        x = x + np.array([i, i + 1, 0, 0, 0, 0, 0, 0])
    return x


@unrolls()
def listbuild(x):
    out = []
    for i in range(8):
        out.append(x[i] * i)
    return (out, np.array(out))


@unrolls()
def bytea2(x):
    s = bytearray()
    for i in range(8):
        s += b"a"
        x = x + len(s)
    return (x, len(s))


@unrolls()
def arr_local(x):
    s = np.zeros(3)
    for i in range(8):
        t = np.zeros(3)
        t[0] = 2
        t += 1
        s = s + t
        x = x + t[0]
    return (x, s)


@rolls()
def arr_local2(x):
    s = np.zeros(3)
    for i in range(8):
        s += 1
        x = x + s[0]
    return (x, s)


@rolls()
def sorted(x):
    l = [3, 1, 2]
    for i in range(8):
        l.sort()
        l.reverse()
        x = x + l[0]
    return (x, l)


@rolls()
def popins(x):
    l = [3, 1, 2]
    for i in range(8):
        l.insert(0, l.pop())
        x = x + l[0]
    return (x, l)


@unrolls()
def dictupd(x):
    d = {"a": x, "n": 0}
    for i in range(8):
        d.update(a=d["a"] * 2, n=d["n"] + 1)
    return d


@rolls()
def dictupd2(x):
    d = {"a": x}
    for i in range(8):
        d["a"] = d["a"] * i
        d.setdefault("k", x)
    return d


@rolls()
def nptable_int(x):
    idx = np.array([3, 1, 2, 0, 5, 4, 7, 6])
    s = 0.0
    for i in range(8):
        s = s + x[idx[i]] * i
    return s


@unrolls()
def dcls(x):

    @dataclasses.dataclass
    class S:
        p: object
        k: int

    s = S(x, 0)
    for i in range(8):
        s = S(s.p * 2, s.k + i)
    return (s.p, s.k)


@rolls()
def dcls2(x):

    @dataclasses.dataclass
    class S:
        p: object
        k: int

    s = S(x, 0)
    for i in range(8):
        s.p = s.p + 1
        s.k += 1
    return (s.p, s.k)


@unrolls()
def nt(x):
    S = collections.namedtuple("S", "p k")
    s = S(x, 0)
    for i in range(8):
        s = s._replace(p=s.p * 2, k=s.k + 1)
    return s


@rolls()
def tup(x):
    s = (x, 0, ("a", None))
    for i in range(8):
        s = (s[0] + i, s[1] + 1, s[2])
    return s


@rolls()
def counter_among_numbers(x):
    special = [2, 5]
    for i in range(8):
        if i in (1, 3):
            x = x * 2.0
        if i not in special and i + 0.5 not in {0.5, 4.5}:
            x = x + x[i]
        if i in {6: "six"} or i in range(3, 5):
            x = x - 1.0
    return x


@unrolls()
def any_of_some_comparisons(x):
    for i in range(8):
        if any(i == c for c in (1, 3)):
            x = x * 2.0
    return x


@unrolls()
def all_of_some_comparisons(x):
    for i in range(8):
        if all([i != 2, i > 1, i != 6]):
            x = x + x[i]
    return x


@rolls()
def enumerate_reversed_and_zip_in_a_turn(x):
    weights = [1.0, 2.0, 4.0]
    for i in range(8):
        for j, weight in enumerate(weights):
            x = x + x[i] * weight * j
        for weight in reversed(weights):
            x = x * weight - i
        for one, other in zip(weights, (3, 5, 7)):
            x = x * one + other
    return x / 1e9


@rolls()
def numbers_of_the_turn_behind_a_zip(x):
    for i in range(8):
        for j, (a, b) in enumerate(zip((i, i + 1), [i * 2, 3])):
            x = x * 0.5 + x[i] * a * b * j
    return x


@rolls()
def a_queue_of_a_turn(x):
    seen = np.zeros(8, np.int64)
    for i in range(8):
        queue = collections.deque([(i, 0)])
        while queue:
            place, depth = queue.popleft()
            seen[place] += depth + 1
            if x[place] > depth and place + 2 < 8:
                queue.append((place + 2, depth + 1))
    return seen


@rolls()
def a_list_of_numbers_of_the_turn(x):
    places = []
    for i in range(8):
        if x[i] > 1.0:
            places.append(i)
    return x.astype(np.float32)[:2] * places[0], len(places), sum(places)


@rolls()
def a_list_of_pairs_of_numbers_of_the_turn(x):
    places = []
    for i in range(8):
        if x[i] > 1.0:
            places.append((i, 2 * i + 1))
    return [x.astype(np.float32)[one] * other for one, other in places]


@rolls()
def a_queue_of_which_numbers_of_the_turn_decide(x):
    seen = np.zeros(8, np.int64)
    for i in range(8):
        queue = collections.deque([(i, 0)])
        while queue:
            place, depth = queue.popleft()
            seen[place] += depth + 1
            for step in (1, 2):
                if 0 <= place + step < 8 and seen[place + step] < 3 and x[place] > depth:
                    queue.append((place + step, depth + 1))
    return seen


@unrolls()
def an_enumerate_from_outside(x):
    numbered = enumerate([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])
    for i in range(8):
        for number, weight in numbered:
            x = x + x[i] * weight - number
            break
    return x


@unrolls()
def a_zip_that_a_turn_leaves_behind(x):
    pairs = zip([0], [0])
    for i in range(8):
        x = x + x[i] + sum(a * b for a, b in pairs)
        pairs = zip((i, 2), [i + 1.0, 3])
    return x, list(pairs)


@unrolls()
def an_enumerate_from_the_number_of_the_turn(x):
    for i in range(8):
        for number, weight in enumerate([0.5, 0.25], i):
            x = x + x[number % 8] * weight
    return x


@rolls()
def a_table_of_lists(x):
    table = [[0.0] * 8 for _ in range(8)]
    for i in range(1, 8):
        for j in range(1, 8):
            table[i][j] = max(table[i - 1][j] + x[i], table[i][j - 1] - x[j])
    return table


@rolls()
def rows_that_are_read_before_and_after(x):
    table = [[0.0] * 8 for _ in range(8)]
    first = table[3][3]
    for i in range(8):
        table[i][0] = x[i]
    table[2][1] = first + table[7][0]
    return table, len(table[0]), first


@rolls(np.array([3, 1, 4, 1, 5, 2, 6, 5]))
def a_list_of_which_one_stays_as_it_was(weights):
    best = [0] * 21
    for i in range(8):
        for room in range(20, 0, -1):
            if weights[i] <= room:
                best[room] = max(best[room], best[room - weights[i]] + weights[i])
    return best


@rolls()
def a_list_of_two_names(x):
    kept = [0.0] * 8
    other = kept
    for i in range(8):
        other[i] = x[i]
    kept.append(1.0)
    return kept, kept is other, len(other)


@rolls()
def a_list_of_an_object(x):
    holder = Holder([0.0] * 8)
    for i in range(8):
        holder.items[i] = x[i] + holder.items[i - 1]
    return holder.items


@rolls(np.arange(8.0), [0.0] * 8)
def a_list_of_the_caller(x, out):
    for i in range(8):
        out[7 - i] = x[i]
    return out


@unrolls()
def a_list_of_two_kinds_of_numbers(x):
    sums = [0] * 9
    for i in range(8):
        sums[i + 1] = sums[i] + x[i]
    return sums


@rolls()
def a_list_of_no_numbers(x):
    found = [None] * 8
    for i in range(8):
        found[i] = x[i]
    return found


@unrolls()
def an_index_behind_a_list(x):
    found = [0.0] * 8
    try:
        for i in range(9):
            found[i] = x[2]
    except IndexError as error:
        return found, str(error)
    return found


@unrolls()
def a_list_that_grows_while_it_is_numbered(x):
    items = [1]
    for i in range(8):
        for number, item in enumerate(items):
            if number < 1 and len(items) < 12:
                items.append(item + i)
            x = x + item * number
    return x, items


@unrolls()
def a_queue_that_a_turn_leaves_behind(x):
    queue = collections.deque([0])
    for i in range(8):
        x = x + x[i] * queue[0]
        queue = collections.deque([i, x[0]])
    return x, list(queue)


@rolls(np.array([3, 1, 4, 1, 5, 9, 2, 6]))
def places_in_a_set(x):
    seen = {(x[0], 0)}
    for i in range(8):
        if x[i] > 2 and (i, 1) not in seen:
            seen.add((i, 1))
        seen.discard((i - 3, 1))
    return sorted(seen)


@rolls(np.array([3, 1, 4, 1, 5, 9, 2, 6]))
def numbers_taken_out_of_a_set(x):
    seen = set(x)
    for i in range(8):
        seen.add(i)
    for i in range(8):
        seen.remove(i)
    return seen


@rolls(np.array([3, 1, 4, 1, 5, 9, 2, 6]))
def numbers_looked_up_in_a_dict(x):
    held, total = {x[0]: 7}, 0
    for i in range(8):
        total += held.get(i, i * 2)
    return held, total


@rolls(np.array([3, 1, 4, 1, 5, 9, 2, 6]))
def groups_of_numbers(x):
    groups = {x[0]: [0]}
    for i in range(8):
        groups.setdefault(i % 3, []).append(i)
    return groups


@pytest.mark.parametrize(("function", "arguments", "rolls"), PROGRAMS)
def test_a_loop_does_what_python_does_and_rolls_where_it_may(function, arguments, rolls, capfd):
    ag.check(function, *arguments)
    assert loops_of(function, *arguments) == rolls
