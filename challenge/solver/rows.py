# ruff: noqa: ARG001 - the arguments are the call's; numba passes their types
"""Operations on whole rows of ``LANES`` numbers, each a few vector instructions.

LLVM could make them of plain loops over a row, but has to check each time, at run time,
whether the rows overlap, which costs more than the work. Rows here are either the same or
apart. The arrays are float64, C-contiguous, with ``LANES`` columns.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

LANES = 16  # 16 states x 462 keeps x 8 bytes: half of it stays in an L1 cache
_VECTOR = ir.VectorType(ir.DoubleType(), LANES)
_ALIGNED = 8  # bytes: numpy promises no more
_primitive: Any = intrinsic  # its types know nothing of the arguments of the call


def _row(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    """Where a row starts."""
    data = context.make_array(kind)(context, builder, array).data
    at = builder.mul(index, ir.Constant(index.type, LANES))
    return builder.bitcast(builder.gep(data, [at]), _VECTOR.as_pointer())


def _load(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    return builder.load(_row(context, builder, kind, array, index), align=_ALIGNED)


def _greater(builder: Any, a: Any, b: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", a, b), a, b)


@_primitive  # type: ignore[untyped-decorator]
def mean_of_six(
    _context: Any, rows: Any, k: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any
) -> Any:
    """``rows[k] = (rows[a] + … + rows[f]) / 6``."""

    def make(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, to, *six = arguments
        kind = signature.args[0]
        found = [_load(context, builder, kind, array, index) for index in six]
        low = builder.fadd(builder.fadd(found[0], found[1]), found[2])
        high = builder.fadd(builder.fadd(found[3], found[4]), found[5])
        six_times = ir.Constant(_VECTOR, [6.0] * LANES)
        mean = builder.fdiv(builder.fadd(low, high), six_times)
        builder.store(mean, _row(context, builder, kind, array, to), align=_ALIGNED)
        return context.get_dummy_value()

    return types.void(rows, *[types.intp] * 7), make


@_primitive  # type: ignore[untyped-decorator]
def best_of_four(
    _context: Any, rows: Any, k: Any, others: Any, own: Any, a: Any, b: Any, c: Any
) -> Any:
    """``rows[k]`` is the greatest of ``others[own]``, ``rows[a]``, ``rows[b]``, ``rows[c]``."""

    def make(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, to, second, mine, *three = arguments
        kind = signature.args[0]
        found = [_load(context, builder, kind, array, index) for index in three]
        best = _load(context, builder, signature.args[2], second, mine)
        best = _greater(builder, _greater(builder, best, found[0]), _greater(builder, *found[1:]))
        builder.store(best, _row(context, builder, kind, array, to), align=_ALIGNED)
        return context.get_dummy_value()

    return types.void(rows, types.intp, others, *[types.intp] * 4), make


@_primitive  # type: ignore[untyped-decorator]
def add_part(_context: Any, rows: Any, k: Any, a: Any, part: Any) -> Any:
    """``rows[k] += part * rows[a]``."""

    def make(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, to, index, share = arguments
        kind = signature.args[0]
        empty = ir.Constant(_VECTOR, ir.Undefined)
        first = builder.insert_element(empty, share, ir.Constant(ir.IntType(32), 0))
        mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        shares = builder.shuffle_vector(first, empty, mask)
        place = _row(context, builder, kind, array, to)
        added = builder.fmul(shares, _load(context, builder, kind, array, index))
        builder.store(
            builder.fadd(builder.load(place, align=_ALIGNED), added), place, align=_ALIGNED
        )
        return context.get_dummy_value()

    return types.void(rows, types.intp, types.intp, types.float64), make
