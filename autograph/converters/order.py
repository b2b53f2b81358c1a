"""The converters in order, and the reason for each place in the queue.

Converters of one group share a walk, and with it the facts of the tree before the walk.
"""

from __future__ import annotations

from autograph.converters.announce import Announce
from autograph.converters.assert_stmt import AssertStmt
from autograph.converters.attribute import Attribute
from autograph.converters.base import Context, Group, Walk
from autograph.converters.binary import Binary
from autograph.converters.break_stmt import BreakStmt
from autograph.converters.call import Call
from autograph.converters.compare import Compare
from autograph.converters.comprehension import Comprehension
from autograph.converters.continue_stmt import ContinueStmt
from autograph.converters.directive import Directive
from autograph.converters.displays import Displays
from autograph.converters.finally_stmt import FinallyStmt
from autograph.converters.for_stmt import ForStmt
from autograph.converters.function_def import FunctionDef
from autograph.converters.if_exp import IfExp
from autograph.converters.if_stmt import IfStmt
from autograph.converters.in_place import InPlace
from autograph.converters.joined_str import JoinedStr
from autograph.converters.list_methods import ListMethods
from autograph.converters.logic import Logic
from autograph.converters.match_stmt import MatchStmt
from autograph.converters.nested_items import NestedItems
from autograph.converters.raise_stmt import RaiseStmt
from autograph.converters.return_stmt import ReturnStmt
from autograph.converters.subscript import Items, Subscript
from autograph.converters.targets import Targets
from autograph.converters.try_stmt import TryStmt
from autograph.converters.unpack import Unpack
from autograph.converters.variable import Variable
from autograph.converters.while_stmt import WhileStmt
from autograph.converters.with_stmt import WithStmt

__all__ = ["ORDER", "convert"]

ORDER: tuple[Group, ...] = (
    (FinallyStmt,),  # first: it copies statements, and no other converter is to know of two of them
    (FunctionDef,),  # before the rest: every later file may assume the function scope exists
    (Directive,),  # reads set_loop_options() before the loops move
    (MatchStmt, Targets),  # before jumps: its cases become branches of `if`, which they go through
    (BreakStmt,),  # before continue: lowering `break` emits a `continue`
    (
        AssertStmt,
        RaiseStmt,  # before the blocks: it becomes one
        Unpack,
    ),  # before expressions: a message becomes a function, and what is unpacked is made ours
    (ContinueStmt,),  # before the loops, so no later step has to skip a loop's own increment
    (ReturnStmt,),  # after break and continue: it guards the code that they leave behind
    (ListMethods,),  # before the blocks, which have to know of every variable that is bound again
    (NestedItems,),  # before items, which take targets of one index
    (Items,),  # before the blocks, as lists
    (IfStmt, WhileStmt, ForStmt, TryStmt, WithStmt),  # in one walk: a block that moved hides what it binds
    (Announce,),  # before expressions: it looks at owners as the user wrote them
    (
        *(Attribute, Subscript, Call, IfExp, Logic, Compare, JoinedStr, Binary, Comprehension),
        *(Displays, InPlace, Variable),
    ),
    # last, and together: expressions look at nothing but themselves, and lambdas look like captures
)


def convert(context: Context) -> None:
    """Sends a function through all converters; the tree is edited in place.

    Parameters
    ----------
    context : Context
    """
    for group in ORDER:
        Walk(context, group).run()
