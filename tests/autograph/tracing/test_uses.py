"""What the code of a function does with the values that it names."""

from autograph.tracing.uses import uses


def test_an_object_of_which_only_attributes_are_taken_does_not_escape_beside_one_that_does():
    def add(self, x):
        self.values.append(x)
        return x / self.count

    found = uses(add.__code__)
    assert found.escaping == {"append", "count", "x"}
    assert "values" not in found.read  # it is only added to
