"""The most that a machine can do: operations and bytes a second, measured."""
