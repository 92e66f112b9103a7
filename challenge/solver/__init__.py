"""Exact play: what a sheet is worth, what each decision costs. Pure: numpy, and numba to solve.

Only :mod:`challenge.solver.optimal`, :mod:`challenge.solver.odds` and
:mod:`challenge.solver.hindsight` import numba; what a web process needs does not.
"""
