"""The `maxcode` command. Each command is a module; heavy imports happen inside, so that `--help` answers at once."""
