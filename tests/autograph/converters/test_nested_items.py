"""Items of items and of attributes: Python's order, and new containers where a backend gives them."""

import pytest

import autograph as ag
import runtime as rt


class Owner:
    """Notes when its container is asked for, and when it is set."""

    def __init__(self, log, container):
        self.log, self.held = log, container

    @property
    def container(self):
        self.log.append("get container")
        return self.held

    @container.setter
    def container(self, value):
        self.log.append("set container")
        self.held = value


def test_items_within_are_assigned_in_pythons_order(same_log, make):
    def assigned(log):
        x = make(log, "x")
        x[make(log, "i")][make(log, "j")] = make(log, "v")
        x[make(log, "i")][make(log, "j")][0:1] += make(log, "w")
        owner = Owner(log, x)
        owner.container[make(log, "k")] = make(log, "v")
        owner.container[make(log, "k")] += make(log, "v")
        owner.container[make(log, "k")][make(log, "l")] -= make(log, "v")

    same_log(assigned)


def test_a_property_is_not_asked_to_set_the_container_that_it_has(check):
    def unchanged(items):
        owner = Owner([], {"a": items})
        owner.container["a"][0] = 5
        owner.container["a"][-1] += 1
        return owner.log, owner.held

    check(unchanged, ([1, 2],))


def test_what_fails_fails_as_in_plain_python(check):
    def fails(kind, items):
        owner = Owner([], items)
        if kind == "no attribute":
            owner.missing[1 // 0] = 2
        elif kind == "no item":
            items[9][1 // 0] = 3
        elif kind == "unbound":
            items[0][unbound] = 4  # noqa: F821
        elif kind == "immutable":
            owner.log.extend("ab")
            owner.held = (1, 2)
            owner.held[0] = 5
        unbound = 0
        return owner, unbound

    check(fails, *[(kind, [[0]]) for kind in ("no attribute", "no item", "unbound", "immutable")])


def test_private_names_of_a_class_are_its_own(check):
    class Private:
        def __init__(self):
            self.__table = {}

        def put(self, key):
            self.__table[key] = [key]
            self.__table[key][0] += 1
            return self.__table

    check(lambda: Private().put(3))


class Model:
    def __init__(self):
        self.weights = rt.asarray([1.0, 2.0, 3.0])
        self.layers = [rt.zeros((2, 2)), {"bias": rt.zeros(2)}]


@pytest.mark.parametrize("executor", ["numpy", "reference"])
def test_tensors_in_attributes_lists_and_dicts_are_bound_anew(executor):
    @ag.function(executor=executor)
    def changed(i):
        model = Model()
        if i > 0:
            model.weights[i] += 4.0
        model.layers[0][i] = 7.0
        model.layers[0][i][0] = 8.0
        model.layers[1]["bias"][i] -= 9.0
        return model.weights, model.layers[0], model.layers[1]["bias"]

    weights, rows, bias = (value.numpy().tolist() for value in changed(rt.asarray(1)))
    assert weights == [1.0, 6.0, 3.0]
    assert rows == [[0.0, 0.0], [8.0, 7.0]]
    assert bias == [0.0, -9.0]


@pytest.mark.parametrize("executor", ["numpy", "reference"])
def test_a_row_of_a_tensor_is_changed_in_a_loop(executor):
    @ag.function(executor=executor)
    def diagonal(n):
        x = rt.zeros((3, 3))
        i = 0
        while i < n:
            x[i][i] = 1.0
            x[i][0] += 2.0
            i = i + 1
        return x

    assert diagonal(rt.asarray(2)).numpy().tolist() == [[3.0, 0.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
