"""Objects that are made anew for each call: one graph serves all that are alike, as Python does."""

import contextlib
import gc
import io
import operator
import pickle
import weakref
from itertools import pairwise

import numpy as np
import pytest

import autograph as ag
import runtime as rt

pytestmark = pytest.mark.filterwarnings("ignore:.*traced anew in 5 calls")


class Particle:
    def __init__(self, x, v, name="a"):
        self.x, self.v, self.name = x, v, name
        self.path = []

    def step(self, dt):
        self.x += self.v * dt
        self.path.append(self.x)
        return self.x


class Heavy(Particle):
    def step(self, dt):
        return -super().step(dt)


class Slotted:
    __slots__ = ("held", "x", "y")

    def __init__(self, x):
        self.x = x


class Node:
    def __init__(self, value, *kids):
        self.value, self.kids, self.parent = value, list(kids), None


def described(value, seen=None):
    """What a nest holds, and which of its objects are one."""
    seen = {} if seen is None else seen
    if isinstance(value, str | type(None)):
        return value
    if isinstance(value, tuple):
        return tuple([described(each, seen) for each in value])
    if isinstance(value, BaseException):
        return type(value), str(value)
    if isinstance(value, list | dict | Particle | Slotted | Node):
        if id(value) in seen:
            return seen[id(value)]
        seen[id(value)] = len(seen)
    if isinstance(value, list):
        return [described(each, seen) for each in value]
    if isinstance(value, dict):
        return [(described(key, seen), described(each, seen)) for key, each in value.items()]
    if isinstance(value, Slotted):
        return {name: described(getattr(value, name), seen) for name in "xy" if hasattr(value, name)}
    if isinstance(value, Particle | Node):
        kind = type(value).__name__
        return kind, [(name, described(each, seen)) for name, each in sorted(vars(value).items())]
    array = np.asarray(value)
    return array.dtype.kind, array.tolist()


def held_against(f, make, world=(), times=6):
    """The graph of a function, once it has done what Python does with objects that are made for each call."""
    graph = ag.function(f)

    def called(function):
        found = []
        for place in world:
            place.clear()
        for number in range(times):
            args = make(number)
            for _ in range(2):
                try:
                    result = function(*args)
                except (ArithmeticError, AttributeError, TypeError, ValueError) as error:
                    result = error
                found.append(described((result, args, *world)))
        return found

    assert called(graph) == called(f)
    return graph


def traces(graph):
    return graph.experimental_get_tracing_count()


def test_one_graph_serves_all_objects_with_the_same_kinds_of_things():
    graph = ag.function(lambda p, dt: p.x + p.v * dt)
    for number in range(30):
        assert graph(Particle(1.0 * number, 2.0), 0.5) == number + 1.0
    assert traces(graph) <= 3
    graph = held_against(lambda p, dt: p.step(dt), lambda k: (Particle(1.0 * k, k * 2.0), 0.5))
    assert {type(each) for each in graph.concrete_functions[-1].key.structure.records()} == {type}


def test_objects_of_several_classes_serve_in_turns():
    made = [Particle, Heavy, Heavy, Particle]
    held_against(lambda p, dt: p.step(dt), lambda k: (made[k % 4](1.0 * k, 2.0), 0.5), times=9)


def test_what_no_code_reads_of_an_object_may_be_anything():
    graph = ag.function(lambda p: p.x * 2)
    for number in range(20):
        particle = Particle(1.0 * number, 2.0, f"particle {number}")
        particle.path = [None] * number
        particle.around = [particle]
        assert graph(particle) == 2.0 * number
    assert traces(graph) <= 4


def test_what_a_library_looks_into_is_all_read():
    def copied(p):
        return pickle.loads(pickle.dumps(p))

    held_against(copied, lambda k: (Particle(1.0 * k, 2.0, f"{k}"),))

    def named(p):
        text = "{0.name}"
        return text.format(p), p.x

    held_against(named, lambda k: (Particle(1.0 * k, 2.0, f"{k}"),))
    taken = operator.attrgetter

    def tried(p):
        try:
            return taken("v")(p)
        except AttributeError:
            return None

    held_against(tried, lambda k: (Particle(1.0 * k, 2.0 * k),))


def test_an_object_with_slots_is_taken_apart_too():
    def filled(s, n):
        s.y = s.x + n
        s.x = s.y if n > 1 else None
        return s.y

    held_against(filled, lambda k: (Slotted(1.0 * k), k % 3))


def test_objects_in_lists_and_in_each_other_are_taken_apart():
    def grown(root, more):
        for kid in root.kids:
            kid.value += more[kid.value > 1].value
        root.kids.append(more[0])
        return root, root.kids[-1] is more[0]

    def make(k):
        more = {False: Node(1.0), True: Node(2.0 * k)}
        return Node(0.0, Node(1.0 * k), Node(3.0, Node(1.0))), more

    held_against(grown, make)


@pytest.mark.parametrize("given", [np.float64, float, int, lambda k: np.array([k, 1.0])])
def test_numbers_and_arrays_of_objects_are_inputs(given):
    def moved(p, n):
        for _ in range(3):
            p.x = p.x + p.v * n
        return p.x

    graph = held_against(moved, lambda k: (Particle(given(k), given(2 * k)), 1 + k), times=7)
    assert traces(graph) <= 6


def test_arrays_of_objects_are_references():
    def filled(p, n):
        p.x[0] += n
        row = p.v[1]
        row *= 2.0
        p.row = row
        return p.x.sum()

    held_against(filled, lambda k: (Particle(np.ones(3) * k, np.ones((2, 2))), 1.0))


def test_arrays_of_an_object_may_show_one_memory():
    def filled(p, n):
        p.x[0] += n
        p.v[0, 1] *= 3.0
        return p.x.sum()

    def make(k):
        table = np.ones((2, 2)) * k
        return Particle(table[0], table), 1.0

    held_against(filled, make)


def shared(k):
    one, other = Particle(1.0 * k, 2.0), Particle(3.0, 1.0)
    if k % 4 == 1:
        other = one
    elif k % 4 == 2:
        other.path = one.path
    elif k % 4 == 3:
        one.v = other
    return one, other


def test_an_object_that_is_reached_twice_is_one_object():
    def stirred(p, q):
        p.x += 1.0
        q.x *= 2.0
        p.path.append(q.x)
        q.path.append(p.x)
        return p is q, p.v is q, len(p.path), p

    held_against(stirred, shared, times=12)


def test_an_object_that_the_function_has_from_outside_is_that_object():
    known = []

    def counted(p, dt):
        if p in known:
            return "known"
        known.append(p)
        for each in known:
            each.step(dt)
        return len(known), p is known[-1]

    held_against(counted, lambda k: (Particle(1.0 * k, 2.0), 0.5), world=[known])


def test_what_was_left_outside_by_the_last_call_is_the_object_of_that_call():
    last, found = {}, {}

    def compared(p):
        best = last.get("best")
        if best is None or p.x > best.x:
            last["best"] = p
        found[p, "x"] = p.x
        return best, last["best"] is p

    held_against(compared, lambda k: (Particle([3, 1, 4, 1, 5, 9][k % 6], 0.0),), world=[last, found])


def test_what_code_keeps_of_an_object_leads_to_that_object():
    graph = ag.function(lambda p: (p.step, lambda: p.x, [p], {"p": p}, same_as(p)))
    same_as = ag.function(lambda p: p)
    for number in range(5):
        particle = Particle(1.0 * number, 2.0)
        step, get, items, named, same = graph(particle)
        assert step.__self__ is items[0] is named["p"] is same is particle
        particle.x = 7.0
        assert get() == 7.0


def test_the_number_of_an_object_is_its_own():
    known = {}

    def seen_before(p):
        if id(p) in known:
            return known[id(p)]
        known[id(p)] = p.x
        return -1.0

    particles = [Particle(1.0 * number, 2.0) for number in range(5)]
    graph = ag.function(seen_before)
    assert [float(graph(each)) for each in particles] == [-1.0] * 5
    assert [*known] == [*map(id, particles)]
    assert [float(graph(each)) for each in particles] == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_a_hash_and_a_text_are_those_of_the_object():
    graph = ag.function(lambda p: (hash(p), str(p), f"{p!r} at {p.x}"))
    shows = ag.function(lambda p: print(p, p.x))
    for number in range(5):
        particle, out = Slotted(1.0 * number), io.StringIO()
        assert graph(particle)[:2] == (hash(particle), repr(particle))
        with contextlib.redirect_stdout(out):
            shows(particle)
        assert out.getvalue() == f"{particle!r} {number}.0\n"


def test_weak_references_are_to_the_object():
    counts = weakref.WeakKeyDictionary()

    def counted(p):
        counts[p] = counts.get(p, 0) + 1
        return counts[p], weakref.ref(p)

    graph, particles = ag.function(counted), [Particle(1.0 * number, 2.0) for number in range(4)]
    for times in (1, 2):
        for particle in particles:
            count, reference = graph(particle)
            assert count == times
            assert reference() is particle
    del particles, particle
    gc.collect()
    assert len(counts) == 0


def test_objects_of_calls_that_are_over_are_not_kept():
    graph, references = ag.function(lambda p, q: p.step(1.0) + q.x), []
    registry = ag.function(lambda p, known: known.append(p))
    for number in range(10):
        particle, known = Particle(1.0 * number, 2.0), []
        references.append(weakref.ref(particle))
        graph(particle, particle if number % 2 else Particle(1.0, 1.0))
        registry(particle, known)
    del particle, known
    gc.collect()
    assert not any(reference() for reference in references)


def test_attributes_come_and_go():
    def changed(p, n):
        if hasattr(p, "extra"):
            del p.extra
            return p.x
        if n > 1:
            p.extra = n
        del p.name
        return p.x

    def make(k):
        particle = Particle(1.0 * k, 2.0)
        if k % 3 == 0:
            particle.extra = None
        return particle, k

    held_against(changed, make, times=8)


def test_an_attribute_that_a_path_gives_is_what_it_was_on_the_others():
    def chosen(p, n):
        if n > 2:
            p.best = n
        return p.x

    def make(k):
        particle = Particle(1.0 * k, 2.0)
        particle.best = 5.0
        return particle, np.float64(k)

    held_against(chosen, make)

    def reset(p, n):
        if n > 2:
            p.__init__(n, n)
        return p.x

    held_against(reset, lambda k: (Particle(np.float64(k), 2.0, f"{k}"), np.float64(k)))


def test_an_attribute_may_hold_something_of_another_kind_each_time():
    kinds = [None, np.ones(2), 1.0, "text", [1.0], True, Particle(1.0, 2.0), 2**70, 0.0, -0.0]

    def asked(p):
        if p.v is None:
            p.v = np.zeros(2)
        return p.v

    held_against(asked, lambda k: (Particle(1.0, kinds[k % len(kinds)]),), times=22)


def test_a_method_that_was_replaced_and_a_class_that_was_given_are_seen(monkeypatch):
    graph = ag.function(lambda p: p.step(1.0))
    for number in range(4):
        assert graph(Particle(1.0 * number, 2.0)) == number + 2.0
    particle = Particle(1.0, 2.0)
    particle.__class__ = Heavy
    assert graph(particle) == -3.0
    particle = Particle(1.0, 2.0)
    particle.step = lambda dt: dt
    assert graph(particle) == 1.0
    monkeypatch.setattr(Particle, "step", lambda self, dt: self.v - dt)
    assert graph(Particle(1.0, 2.0)) == 1.0


def test_a_class_that_the_function_gives_is_told_or_refused():
    def made_heavy(p):
        p.__class__ = Heavy
        return p.x

    graph = ag.function(made_heavy)
    for number in range(4):
        particle = Particle(1.0 * number, 2.0)
        with contextlib.suppress(rt.errors.Error):
            assert graph(particle) == 1.0 * number
            assert type(particle) is Heavy


def test_what_was_changed_before_an_exception_stays_changed():
    def paid(p, n):
        p.x -= n
        p.path.append(n)
        if p.x < 0:
            raise ValueError(f"{p.name} lacks {-p.x}")
        return p.x

    held_against(paid, lambda k: (Particle(1.0 * k, 0.0), np.float64(2.0)))
    held_against(paid, lambda k: (Particle(k, 0, f"{k}"), 2))


def test_methods_of_objects_that_live_for_a_few_calls_share_a_graph():
    class Mean:
        def __init__(self):
            self.count, self.total = 0, 0.0

        @ag.function
        def add(self, x):
            self.count += 1
            self.total += x
            return self.total / self.count

    for start in range(10):
        mean = Mean()
        found = [float(mean.add(1.0 * x)) for x in range(start, start + 3)]
        assert found == [start, start + 0.5, start + 1.0]
        assert (mean.count, mean.total) == (3, 3.0 * start + 3.0)
    assert traces(Mean.add) <= 6


def test_objects_that_are_passed_again_and_again_have_graphs_of_their_own():
    graph, models = ag.function(lambda p, n: p.x * n), [Particle(2.0, 0.0), Particle(3.0, 0.0)]
    for _ in range(5):
        assert [float(graph(model, np.float64(2.0))) for model in models] == [4.0, 6.0]
    assert traces(graph) == 2
    assert not [*graph.concrete_functions[0].key.structure.records()]


def test_objects_that_lead_to_themselves_have_graphs_of_their_own():
    def depth(node):
        found = 0
        while node.parent is not None:
            node, found = node.parent, found + 1
        return found + node.value

    graph = ag.function(depth)
    for number in range(4):
        kid, root = Node(1.0), Node(1.0 * number)
        root.kids.append(kid)
        kid.parent = root
        assert graph(kid) == 1.0 + number
        kid.parent = kid.kids[:1] or None
        assert graph(kid) == 1.0


def test_a_default_that_is_an_object_is_that_object():
    origin = Particle(0.0, 1.0)

    def away(p, q=origin):
        q.x += 1.0
        return p.x - q.x

    def make(k):
        particle = Particle(1.0 * k, 0.0)
        return ((particle,), (particle, Particle(1.0, 1.0)), (particle, origin), (origin,))[k % 4]

    graph, found = ag.function(away), []
    for function in (away, graph):
        origin.x = 0.0
        found.append([float(function(*make(k))) for k in range(12)])
    assert found[0] == found[1]


def test_functions_with_a_signature_take_objects_as_they_are():
    class Scaled:
        def __init__(self, by):
            self.by = by

        @ag.function(input_signature=[rt.TensorSpec((), rt.float64)])
        def apply(self, x):
            return x * self.by

    for by in (1.0, 2.0, 3.0, 4.0):
        assert Scaled(by).apply(np.float64(2.0)) == 2.0 * by


def test_calls_go_a_quick_way_for_new_objects():
    def energy(p, dt):
        p.x += p.v * dt
        return p.x

    graph = ag.function(energy)
    for number in range(4):
        graph(Particle(1.0 * number, 2.0 * number), 0.5)
    assert graph._of_objects
    sorted_out = []
    graph._call, call = lambda *args: sorted_out.append(args), graph._call
    for number in range(4):
        assert graph(Particle(1.0 * number, 2.0), 0.5) == number + 1.0
    assert not sorted_out
    graph._call = call
    one = Particle(1.0, 2.0)
    assert [float(graph(one, 0.5)) for _ in range(3)] == [2.0, 3.0, 4.0]


def test_a_graph_of_such_objects_may_be_called_itself():
    graph = ag.function(lambda p, x: p.x * x)
    for number in range(4):
        graph(Particle(1.0 * number, 2.0), np.float64(2.0))
    concrete = graph.concrete_functions[-1]
    assert concrete(Particle(5.0, 1.0), np.float64(3.0)) == 15.0
    assert "Particle" in concrete.pretty_printed_signature()


def test_chains_of_new_objects_are_followed():
    def linked(nodes):
        for one, other in pairwise(nodes):
            one.kids.append(other)
            other.value += one.value
        return nodes[-1].value

    held_against(linked, lambda k: ([Node(1.0 * (k + i)) for i in range(4)],), times=5)
