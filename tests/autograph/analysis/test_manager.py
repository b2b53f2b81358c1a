import ast

from autograph.analysis.activity import Activity
from autograph.analysis.manager import Analyses, Analysis


class Counting(Analysis):
    made = 0

    def __init__(self, analyses):
        super().__init__(analyses)
        type(self).made += 1


def test_an_analysis_is_made_once_until_the_tree_is_edited():
    analyses = Analyses(ast.parse("x = 1"))
    first = analyses.get(Counting)
    assert analyses.get(Counting) is first
    analyses.forget()
    assert analyses.get(Counting) is not first
    assert Counting.made == 2


def test_an_analysis_finds_the_tree_and_its_fellows():
    tree = ast.parse("x = 1")
    analyses = Analyses(tree)
    assert analyses.get(Counting).tree is tree
    assert analyses.get(Counting).analyses.get(Activity) is analyses.get(Activity)
