"""Names of a NumPy program."""

from runtime.executors.numpy_plan.program import Taken


class Asked(set):
    """A set that counts how often it is asked."""

    times = 0

    def __contains__(self, name):
        self.times += 1
        return super().__contains__(name)


def test_names_that_are_alike_have_numbers():
    taken = Taken()
    assert [taken.take("x", ()) for _ in range(3)] == ["x", "x_1", "x_2"]
    assert taken.take("x", {"x_3"}) == "x_4"
    assert taken.take("x 1", ()) == "x_1_1"
    assert taken.take("for", ()) == "for_"


def test_the_lowest_number_that_is_free_is_the_next():
    taken = Taken()
    for _ in range(4):
        taken.take("x", ())
    for name in ("x_2", "x"):
        taken.release(name)
    assert [taken.take("x", ()) for _ in range(3)] == ["x", "x_2", "x_4"]


def test_a_number_that_is_taken_is_not_tried_for_each_name():
    taken, others = Taken(), Asked()
    for _ in range(1000):
        taken.take("x", others)
    assert others.times < 3000
