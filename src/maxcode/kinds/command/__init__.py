"""Tasks of kind `command`: a repository, judged by its own build, test and bench commands."""
