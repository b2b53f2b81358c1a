"""The loop language, between core ops and LLVM: what it says, and what is found out about it."""
