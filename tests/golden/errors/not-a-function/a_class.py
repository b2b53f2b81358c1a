"""A class in the place of a function."""

import autograph as ag
import runtime as rt


class Line:
    def __init__(self, slope):
        self.slope = slope

    def at(self, x):
        return self.slope * x


# fails
ag.function(Line)

# works
ag.function(Line(2).at)(rt.asarray(3))
