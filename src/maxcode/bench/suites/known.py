"""All suites by name: ours, and those that installed packages add by the entry point `maxcode.suites`."""

from __future__ import annotations

from maxcode.bench.suites.contest import suite as contest
from maxcode.bench.suites.hpc import suite as hpc
from maxcode.bench.suites.kernelbench import suite as kernelbench
from maxcode.bench.suites.pie import suite as pie
from maxcode.bench.suites.polybench import suite as polybench
from maxcode.bench.suites.suite import Suite
from maxcode.bench.suites.tsvc import suite as tsvc
from maxcode.plugins import table

OURS: dict[str, Suite] = {each.SUITE.name: each.SUITE for each in (hpc, pie, contest, polybench, tsvc, kernelbench)}
SUITES = table("maxcode.suites", OURS, Suite)
