"""What the server answers, as frozen data classes. Affinities are pKd: the negative decimal logarithm of the
dissociation constant in mol/L, so 6 is 1 µM and 9 is 1 nM. Fields that a newer server adds are left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from pkdex.errors import AnswerError


@dataclass(frozen=True)
class Interval:
    """The model's own calibrated 95% interval of one pair, in pKd."""

    lower: float
    upper: float


@dataclass(frozen=True)
class Domain:
    """Whether the model's training data lies near; similarities to the nearest, from 0 to 1."""

    is_inside: bool
    is_ligand_driven: bool
    """No training target is near: the number rests mainly on the compound."""
    compound_similarity: float
    target_similarity: float


@dataclass(frozen=True)
class Prediction:
    """One SMILES on one structure: a number, or the reason why there is none."""

    smiles: str
    predicted_kd: float | None
    """pKd."""
    interval: Interval | None
    domain: Domain | None
    reason: str | None

    @property
    def kd_nm(self) -> float | None:
        """The same as a dissociation constant in nM."""
        return None if self.predicted_kd is None else float(10 ** (9 - self.predicted_kd))


@dataclass(frozen=True)
class ScreenTarget:
    """A target and its chain."""

    name: str
    chain: str


@dataclass(frozen=True)
class Predictions:
    """What one call of `POST /predict` answers."""

    status: str
    target: ScreenTarget
    model_version: str
    credits_charged: float
    predictions: list[Prediction]


@dataclass(frozen=True)
class UnusableRow:
    """A target or compound that was asked for and cannot be predicted."""

    kind: str
    name: str
    reason: str


@dataclass(frozen=True)
class ScreenQuote:
    """What a screen would come to; counts are pairs, but for `targets` and `compounds`."""

    targets: int
    compounds: int
    total: int
    known: int
    to_predict: int
    credits_needed: float
    credits_left: float
    unusable: list[UnusableRow]
    unusable_count: int
    model_version: str


@dataclass(frozen=True)
class Screen:
    """The state of a screen: QUEUED, RUNNING, DONE, CANCELLED or FAILED."""

    id: str
    status: str
    total: int
    done: int
    known: int
    credits_charged: float
    targets: list[ScreenTarget]
    compounds: int
    model_version: str
    created_at: str
    finished_at: str | None
    message: str | None

    @property
    def has_ended(self) -> bool:
        """Whether nothing more comes."""
        return self.status not in {"QUEUED", "RUNNING"}


@dataclass(frozen=True)
class ScreenRow:
    """One pair of a screen."""

    row: int
    """Place of the compound in the input, from 1."""
    compound: str
    smiles: str
    target: str
    chain: str
    predicted_kd: float | None
    """pKd."""
    lower: float | None
    upper: float | None
    """Ends of the calibrated interval, in pKd."""
    in_domain: bool | None
    is_ligand_driven: bool | None
    compound_similarity: float | None
    target_similarity: float | None
    """Similarity to the nearest training compound and target, from 0 to 1."""
    selectivity: float | None
    """pKd here less the best of the compound on the other targets."""
    reason: str | None
    """Why there is no number."""
    own_values: int | None = None
    """How many of your own measured values on the target the next three lean on."""
    predicted_kd_with_own: float | None = None
    lower_with_own: float | None = None
    upper_with_own: float | None = None
    """The number and its interval as your values make them, in pKd."""


@dataclass(frozen=True)
class RejectedLine:
    """A line of an input that was not taken, and why. Lines count from 1."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True)
class Upload:
    """What was read of one file; `names` are those that predictions and screens take."""

    message: str
    filename: str
    names: list[str]
    unchanged: list[str]
    rejected: list[RejectedLine]


@dataclass(frozen=True)
class Measurement:
    """A value that you measured."""

    id: str
    target: str
    compound: str
    smiles: str
    type: str
    """Kd, Ki or IC50."""
    value: str
    """As it was given: `12 nM`, `> 10 µM`, `7.2`."""
    pk: float
    """Negative decimal logarithm of the value in mol/L."""
    bound: str | None
    """`upper`: the pK is at most this; `lower`: at least this."""
    created_at: str


@dataclass(frozen=True)
class ImportedMeasurements:
    """What an import of measured values came to."""

    added: int
    replaced: int
    rejected: list[RejectedLine]


@dataclass(frozen=True)
class Agreement:
    """How predicted and measured agree: root mean square error in pK, and Kendall's tau from -1 to 1."""

    rmse: float | None
    tau: float | None


@dataclass(frozen=True)
class Comparison:
    """Predicted against measured on one target, without your values and with all but the one compared."""

    target: str
    waiting: int
    without_own: Agreement
    with_own: Agreement
    verdict: str
    summary: str


@dataclass(frozen=True)
class PastPrediction:
    """A single prediction that was asked for earlier."""

    task_id: str
    target: str | None
    chain: str
    compound: str | None
    status: str
    message: str | None
    predicted_kd: float | None
    """pKd."""
    lower: float | None
    upper: float | None
    model_version: str | None
    credits_charged: float
    created_at: str


@dataclass(frozen=True)
class Balance:
    """Credits of the account, and what one prediction costs."""

    credits: float
    credits_per_prediction: float = 1.0


Answer = TypeVar("Answer")


def read_answer(kind: type[Answer], json: object) -> Answer:
    """Reads a data class from JSON; what does not fit is an `AnswerError` that names the field."""
    if not isinstance(json, Mapping):
        raise AnswerError(f"The server's {kind.__name__} is not an object.")
    hints = get_type_hints(kind)
    read: dict[str, Any] = {}
    for one in fields(kind):  # type: ignore[arg-type]  # every caller names a data class
        if one.name in json:
            read[one.name] = _read_value(hints[one.name], json[one.name], f"{kind.__name__}.{one.name}")
        elif one.default is MISSING:
            raise AnswerError(f"The server's answer lacks {kind.__name__}.{one.name}.")
    return kind(**read)


def _read_value(hint: Any, value: object, name: str) -> Any:
    if get_origin(hint) is UnionType:
        if value is None:
            return None
        (hint,) = (one for one in get_args(hint) if one is not type(None))
    if get_origin(hint) is list:
        if not isinstance(value, list):
            raise AnswerError(f"The server's {name} is not a list.")
        return [_read_value(get_args(hint)[0], one, name) for one in value]
    if is_dataclass(hint):
        return read_answer(hint, value)  # type: ignore[arg-type]  # a data class of this file
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not hint:
        raise AnswerError(f"The server's {name} is not of type {hint.__name__}.")
    return value
