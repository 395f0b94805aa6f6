"""`python -m maxcode`."""

from maxcode.cli.main import app

app()
