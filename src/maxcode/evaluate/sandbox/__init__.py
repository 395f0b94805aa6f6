"""One untrusted program in a sandbox: what it sees, what it may use, and what became of it."""
