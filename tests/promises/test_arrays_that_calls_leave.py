"""Arrays that a call makes and leaves outside are written to by later calls, wherever they are kept.

They are tensors there, which never change: the place that holds one gets another.
"""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import StateDisagrees

G = np.array([0.1, 0.2])


class Model:
    def __init__(self):
        self.v = self.w = self.t = None
        self.rows, self.table, self.count = [], {}, 0


def subtracts_from_an_attribute(m, g):
    if m.v is None:
        m.v = np.zeros(2)
    v = m.v
    v -= g
    return m.v.sum()


def sets_an_item_at_a_number_of_the_run(m, g):
    if m.v is None:
        m.v = np.zeros(3)
    m.v[m.count % 3] = g[0]
    m.count += 1
    return m.v


def goes_over_a_list(m, g):
    if not m.rows:
        m.rows = [np.zeros(2), np.ones(2)]
    for row in m.rows:
        row += g
    if g[0] > 0.3:
        m.rows[0][1] = 7
    return m.rows[1].sum()


def takes_a_tuple_apart(m, g):
    if m.t is None:
        m.t = (np.zeros(2), np.ones(2))
    a, b = m.t
    a += g
    b *= a
    return a.sum()


def keeps_it_in_a_dict(m, g):
    m.table.setdefault("x", np.zeros(2))[:] += g
    return m.table["x"].sum()


def keeps_it_twice(m, g):
    if m.v is None:
        m.v = np.zeros(2)
        m.w = m.v
    m.v[0] -= g[0]
    return m.w.sum(), m.w is m.v


def keeps_a_view(m, g):
    if m.v is None:
        m.v = np.zeros((2, 2))
    row = m.v[1]
    row += g
    return m.v.sum()


def writes_in_turns(m, g):
    if m.v is None:
        m.v = np.zeros(2)
    v = m.v
    for x in g:
        if x > 0.15:
            v += x
    return v


def writes_to_one_of_two(m, g):
    if m.v is None:
        m.v, m.w = np.zeros(2), np.ones(2)
    a, b = m.v, m.w
    chosen = a if g[0] > 0.3 else b
    chosen[0] += g[1]
    return a.sum(), b.sum()


def writes_in_a_recursion(m, g):
    if m.v is None:
        m.v = np.zeros(3)

    def fill(values, k):
        if k > 0:
            values[k - 1] += 1
            fill(values, k - 1)

    fill(m.v, np.sum(g > 0.15))
    return m.v.sum()


def writes_by_functions(m, g):
    if m.v is None:
        m.v = np.arange(4.0)
    m.v[::-1].sort()
    np.multiply(m.v, 2, out=m.v)
    m.v[m.v > 5] = g[0]
    return m.v


def writes_and_raises(m, g):
    if m.v is None:
        m.v = np.zeros(2)
    for i in range(len(g)):
        m.v[i] += g[i]
    if g.sum() > 1:
        raise ValueError("too much")
    return m.v.sum()


class Momentum:
    def __init__(self):
        self.velocity = None

    def step(self, parameters, gradients):
        if self.velocity is None:
            self.velocity = [np.zeros_like(p) for p in parameters]
        for v, p, g in zip(self.velocity, parameters, gradients):
            v *= 0.9
            v -= 0.1 * g
            p += v


def trains(optimiser, x, epochs):
    weights, losses = np.ones(2), []
    for _ in range(epochs):
        error = weights - x
        losses.append((error * error).sum())
        optimiser.step([weights], [2 * error])
    return losses, weights


PROGRAMS = [
    subtracts_from_an_attribute,
    sets_an_item_at_a_number_of_the_run,
    goes_over_a_list,
    takes_a_tuple_apart,
    keeps_it_in_a_dict,
    keeps_it_twice,
    keeps_a_view,
    writes_in_turns,
    writes_to_one_of_two,
    writes_in_a_recursion,
    writes_by_functions,
    writes_and_raises,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_a_call_has_left_is_written_to_by_the_next(program):
    m = Model()
    ag.check(program, m, G, then=[(m, G), (m, 5 * G), (m, G), (m, -G)])


def test_an_optimiser_keeps_its_velocities_between_calls():
    optimiser = Momentum()
    ag.check(trains, optimiser, G, 3, then=[(optimiser, G, 3), (optimiser, G, np.int64(2))])


def test_one_graph_serves_all_calls_behind_the_first():
    for program in (subtracts_from_an_attribute, goes_over_a_list, takes_a_tuple_apart, writes_in_turns):
        m, graph = Model(), ag.function(program)
        for _ in range(5):
            graph(m, G)
        assert graph.experimental_get_tracing_count() == 2, program


total = None


def adds_to_a_global(g):
    global total
    if total is None:
        total = np.zeros(2)
    total[:] = total * 0.5 + g
    return total.max()


def test_a_global_that_a_call_has_left_is_written_to_by_the_next():
    ag.check(adds_to_a_global, G, then=[(G,), (2 * G,)])


def test_an_array_in_its_place_is_changed_where_it_is():
    m, graph, array = Model(), ag.function(subtracts_from_an_attribute), np.zeros(2)
    for _ in range(3):
        graph(m, G)
    m.v = array
    graph(m, G)
    assert m.v is array
    np.testing.assert_array_equal(array, -G)


def test_the_tensor_that_was_there_keeps_its_values():
    m, tensor = Model(), rt.asarray(np.zeros(2))
    m.v = tensor
    ag.function(subtracts_from_an_attribute)(m, G)
    np.testing.assert_array_equal(tensor, [0.0, 0.0])
    np.testing.assert_array_equal(m.v, -G)


class Held:
    """Holds arrays of NumPy's and tensors in one list."""

    def __init__(self):
        self.rows = [np.zeros(3), np.ones(3)]
        self.first = self.rows[0]


def one_is_written_and_another_replaced(held, x):
    held.rows[0][0] += x
    held.rows[1] = held.rows[1] * x
    return held.first


def all_are_written_and_one_is_replaced(held, x):
    held.rows[1] = held.rows[1] * x
    for row in held.rows:
        row += 1.0
    return held.first


def they_change_places(held, x):
    held.rows[0][0] += x
    held.rows[0], held.rows[1] = held.rows[1], held.rows[0]
    held.rows[0] = held.rows[0] + x
    return held.first


def one_is_known_and_one_is_not(held, x):
    if held.first is not None:
        held.rows, held.first = [np.zeros(3), np.ones(3) * x], None
    for row in held.rows:
        row += 0.5
    return held.rows[0][0]


@pytest.mark.parametrize(
    "program",
    [
        one_is_written_and_another_replaced,
        all_are_written_and_one_is_replaced,
        they_change_places,
        one_is_known_and_one_is_not,
    ],
)
def test_an_array_of_numpys_beside_a_tensor_in_one_list_is_the_one_that_is_there(program):
    held = Held()
    ag.check(program, held, np.float64(2.0), then=[(held, np.float64(x)) for x in (3.0, 0.5, 1.5)])


def test_an_array_that_a_call_has_left_in_a_list_or_dict_of_its_caller_is_written_to():
    def program(lines, more, table, v):
        lines[0] = lines[0] + v
        table["a"] = table["a"] * v
        more[0][0] = v
        table["b"][1] = more[0].sum()

    one, other = [np.ones(3), np.zeros(3)], [np.full(3, 2.0), np.zeros(3)]
    table = {"a": np.ones(2), "b": np.ones(2)}
    calls = [(other, one, table, np.float64(v)) for v in (3.0, 4.0, 5.0)]
    ag.check(program, one, other, table, np.float64(2.0), then=[*calls, (one, one, table, np.float64(6.0))])


def test_which_array_that_a_call_has_left_is_the_one_at_a_number_of_the_run_is_refused():
    kept = []

    @ag.function
    def program(x, n):
        if not kept:
            kept.extend([x * 2, x * 3])
        return kept[0] is kept[n % 2]

    assert program(np.ones(2), np.int64(0))
    with pytest.raises(StateDisagrees, match="whether two arrays are one array") as refused:
        program(np.ones(2), np.int64(2))
    assert refused.value.where is not None
