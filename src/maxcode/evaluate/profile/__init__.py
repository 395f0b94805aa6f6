"""Where the time of a program goes, and what valgrind sees."""
