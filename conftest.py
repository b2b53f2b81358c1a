"""Loads the packages before pytest collects examples from their modules.

Pytest would otherwise run a module a second time, beside the copy that its package imported, and every op in
it would be registered twice.
"""

import runtime  # noqa: F401  # for what importing it does
