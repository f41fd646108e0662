"""Responses as pandas data frames (`pip install 'pkdex[frames]'`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, TypeVar

from pkdex.answers import (
    CombinedMeasurement,
    Measurement,
    PastPrediction,
    Prediction,
    ScreenRow,
    SeriesProduct,
    Suggestion,
)

if TYPE_CHECKING:
    import pandas

Row = TypeVar(
    "Row",
    ScreenRow,
    Prediction,
    Measurement,
    CombinedMeasurement,
    PastPrediction,
    Suggestion,
    SeriesProduct,
)


def to_frame(rows: Iterable[Row], kind: type[Row] | None = None) -> pandas.DataFrame:
    """One row per item and one column per field, named like the fields; nested fields as
    `interval.lower`.

    `kind` provides the columns of an empty list.
    """
    import pandas

    records = [asdict(row) for row in rows]
    if not records:
        return pandas.DataFrame(columns=[] if kind is None else [one.name for one in fields(kind)])
    return pandas.json_normalize(records)
