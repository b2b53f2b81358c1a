"""Native code: lowers modules of core ops to loops over memory, and these to LLVM IR."""
