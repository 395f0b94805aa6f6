"""GRPO on measured rewards: the policy itself is trained, by TRL, on what its programs earn on a real machine."""
