from tally.core import counts, most_common

__all__ = ["counts", "most_common"]
