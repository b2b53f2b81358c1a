"""Lists, dicts, sets and deques whose length, keys or items the graph knows; instances that loops make."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "by_turn",
    "counters",
    "exchanged",
    "fields",
    "histories",
    "in_place",
    "keyed_methods",
    "looking",
    "named_tuples",
    "numbered_lists",
    "numbered_results",
    "owners",
    "ragged",
    "records",
    "sets",
    "sums",
    "told_apart",
)
