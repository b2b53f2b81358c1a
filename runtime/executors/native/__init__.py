"""Native code: a module of core ops as loops over memory, and those as LLVM's code."""
