"""What the text of a function does with the values that it names."""

from types import SimpleNamespace

import autograph as ag
import runtime as rt
from autograph.tracing.uses import uses
from autograph.transpiler import Transpiler


def test_an_object_of_which_only_attributes_are_taken_does_not_escape_beside_one_that_does():
    def add(self, x):
        self.values.append(x)
        return x / self.count

    found = uses(add)
    assert found.escaping == {"append", "count", "x"}
    assert "values" not in found.read  # it is only added to


def test_what_is_changed_in_place_is_read():
    def add(x):
        known.count += x
        every[0] = x
        return known

    known, every = SimpleNamespace(count=0), []
    assert {"count", "every"} <= uses(add).read


def test_a_private_name_is_read_under_the_name_that_it_has():
    class Box:
        def add(self, x):
            self.__held.append(x)
            self.__all = [*self.__all, x]

    found = uses(Box.add)
    assert "_Box__held" in found.attributes
    assert "_Box__held" not in found.read
    assert "_Box__all" in found.read


def test_a_converted_function_reads_what_is_written_where_it_stands():
    def outer(log):
        def inner(x):
            log.append(x)

        return inner

    inner = Transpiler().convert(outer)([])
    assert "log" not in uses(inner).read


def test_code_without_a_text_reads_all_that_it_names():
    scope = {}
    exec("def add(x): log.append(x)", scope)
    found = uses(scope["add"])
    assert {"log", "x"} <= found.read & found.escaping
    assert found.by_position


def test_a_function_of_the_users_may_be_called_as_the_operator_that_reads_variables():
    history = [1.0]

    def ld(values):
        return Sum(sum(values))

    def scaled(x):
        return x * ld(history).append(0.0)

    graph = ag.function(scaled)
    assert graph(rt.asarray(2.0)) == 2.0
    history.append(5.0)
    assert graph(rt.asarray(2.0)) == 12.0


class Sum:
    def __init__(self, value):
        self.value = value

    def append(self, number):
        return self.value + number


def test_what_a_constructor_only_gives_to_its_object_is_said():
    class Account:
        def __init__(self, owner, bank):
            self.owner, self.bank = owner, bank
            self.count = 0
            self.count += 1
            bank.last = self.bank

        def open(self):
            self.owner = None

    assert uses(Account.__init__).begun == {"owner"}
    assert uses(Account.open).begun == set()
