"""Reads answers of the server into the types of `answers.py`; fields that a newer server adds are ignored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from pkdex.errors import AnswerError

# Fields that have another name in the server's answer (`FIELDS` in tools/client-types.ts).
_names = {"origin": "from", "source": "list", "pains": "PAINS", "brenk": "Brenk"}


class InNanomolar:
    """A best estimate as a dissociation constant."""

    best_kd: float | None

    @property
    def kd_nm(self) -> float | None:
        """Kd of the best estimate, in nM."""
        return None if self.best_kd is None else float(10 ** (9 - self.best_kd))


class Progress:
    """Whether a screen still changes."""

    status: str
    structure_status: str | None

    @property
    def has_ended(self) -> bool:
        """True if the screen is finished, including its poses."""
        return not {self.status, self.structure_status} & {"QUEUED", "RUNNING"}


Answer = TypeVar("Answer")


def read_answer(kind: type[Answer], json: object) -> Answer:
    """Parses a data class from JSON; raises `AnswerError` with the field name on a mismatch."""
    if not isinstance(json, Mapping):
        raise AnswerError(f"The server's {kind.__name__} is not an object.")
    hints = get_type_hints(kind)
    read: dict[str, Any] = {}
    for one in fields(kind):  # type: ignore[arg-type]  # every caller names a data class
        name = one.name if one.name in json else _names.get(one.name, one.name)
        if name in json:
            read[one.name] = _read_value(hints[one.name], json[name], f"{kind.__name__}.{one.name}")
        elif type(None) in get_args(hints[one.name]):
            # An older server does not have it.
            read[one.name] = None
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
    expected = get_origin(hint) or hint
    if type(value) is not expected:
        raise AnswerError(f"The server's {name} is not of type {expected.__name__}.")
    return value
