"""Is one command, or one commit, faster than another? Interleaved pairs of any commands; no task is needed."""
