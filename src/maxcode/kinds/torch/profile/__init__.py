"""A model's profile: traces, counters, and tools of NVIDIA."""
