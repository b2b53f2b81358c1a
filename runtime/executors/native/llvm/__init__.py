"""LLVM: its text is written of the loop language, and becomes machine code of this process."""
