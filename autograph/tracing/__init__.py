"""`ag.function`: conversion and tracing together; guards and effects on what lies outside of the function."""
