"""Packages of contest problems: Kattis, Library Checker, Polygon, plain folders."""
