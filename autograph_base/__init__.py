"""What `autograph` and `runtime` both stand on, and need to start quickly.

The core of AutoGraph serves any library of arrays, so it imports nothing of `runtime`; `runtime` is of use
without AutoGraph. What both need is here, and imports neither: the standard library is all it uses.
"""
