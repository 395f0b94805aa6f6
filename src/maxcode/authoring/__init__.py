"""Making tasks and finding out whether a task is sound, before anything is optimised against it."""
