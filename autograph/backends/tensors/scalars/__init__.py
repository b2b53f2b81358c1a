"""`float(x)`, `math`, `cmath` and `statistics`; where Python requires an integer."""
