"""Answers as a pandas data frame, where pandas is installed (`pip install 'pkdex[frames]'`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, TypeVar

from pkdex.answers import Measurement, PastPrediction, Prediction, ScreenRow

if TYPE_CHECKING:
    import pandas

Row = TypeVar("Row", ScreenRow, Prediction, Measurement, PastPrediction)


def to_frame(rows: Iterable[Row], kind: type[Row] | None = None) -> pandas.DataFrame:
    """One line a row, one column a field, with the fields' own names and units; nested ones as `interval.lower`.

    `kind` gives an empty list its columns.
    """
    import pandas

    records = [asdict(row) for row in rows]
    if not records:
        return pandas.DataFrame(columns=[] if kind is None else [one.name for one in fields(kind)])
    return pandas.json_normalize(records)
