"""The machine and its processes: where files are kept, how processes of ours are started, named and ended."""
