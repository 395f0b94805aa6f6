"""TSVC_2: the loops of the test suite for vectorising compilers."""
