"""The calls that a script or notebook makes. Affinities are pKd (-log10 of Kd in mol/L), times are seconds, costs are
credits. Whatever costs credits travels under a key of its own, so that trying again never pays again."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar, overload
from urllib.parse import quote as quote_url

import httpx

from pkdex.answers import (
    Balance,
    Comparison,
    ImportedMeasurements,
    Measurement,
    PastPrediction,
    Prediction,
    Predictions,
    Screen,
    ScreenQuote,
    ScreenRow,
    ScreenTarget,
    Upload,
    read_answer,
)
from pkdex.errors import AnswerError, OutOfReach, ScreenFailed, TooCostly
from pkdex.frames import to_frame
from pkdex.sending import Call, Patience, Sender

if TYPE_CHECKING:
    import pandas

SMILES_PER_CALL = 500
_rows_per_page = 200
_first_look_s = 0.1
_longest_look_s = 1.5

Targets = str | ScreenTarget | Sequence[str | ScreenTarget]
Compounds = Sequence[str] | Literal["all"]
Unit = Literal["pM", "nM", "µM", "mM", "M", "p"]
MeasuredType = Literal["Kd", "Ki", "IC50"]
Row = TypeVar("Row")
Sort = Literal["input", "affinity", "selectivity", "interval", "nearest"]


@dataclass(frozen=True)
class ScreenResult:
    """A screen that is done, with a row for each compound and target, in the order of the input."""

    screen: Screen
    rows: list[ScreenRow]

    def to_frame(self) -> pandas.DataFrame:
        """The rows as a data frame; needs pandas."""
        return to_frame(self.rows, ScreenRow)


class Client:
    """A pKdex server, in the name of one API key.

    `with Client("http://127.0.0.1:8000", key) as client: client.predict("CCO", target="1hpv")`
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout_s: float = 90.0,
        retries: int = 5,
        longest_pause_s: float = 60.0,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`timeout_s` bounds one request and `retries` how often it is sent again; a `Retry-After` above
        `longest_pause_s` is raised instead of waited for. `transport` and `sleep` are for tests."""
        self._sleep = sleep
        patience = Patience(timeout_s, retries, longest_pause_s)
        self._sender = Sender(base_url, api_key, patience, transport=transport, sleep=sleep)

    def close(self) -> None:
        """Closes the connections; `with Client(...)` does so by itself."""
        self._sender.close()

    def __enter__(self) -> Self:
        """The client itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes the connections."""
        self.close()

    # Account

    def credits(self) -> Balance:
        """Credits that are left, and what one prediction costs."""
        return read_answer(Balance, self._get("/dta/credits"))

    # Files, targets and compounds

    def upload_target(self, file: str | Path) -> Upload:
        """Stores a structure (`.pdb`, `.cif`, either gzipped) among your targets. The same again changes nothing."""
        return self._upload("protein_pdb", Path(file))

    def upload_compounds(self, file: str | Path) -> Upload:
        """Stores a file (`.txt`) with a SMILES and a name a line among your compounds. The same again changes nothing."""
        return self._upload("drug_smiles", Path(file))

    def add_compounds(self, smiles: Mapping[str, str], *, filename: str = "compounds.txt") -> Upload:
        """Stores molecules, name to SMILES, as a file of that name among your compounds."""
        text = "".join(f"{one} {name}\n" for name, one in smiles.items())
        return self._send_file("drug_smiles", filename, text.encode())

    def targets(self) -> list[str]:
        """Names of your targets, oldest first."""
        return _names(self._get("/dta/get_protein_names"), "protein_names")

    def compounds(self) -> list[str]:
        """Names of your compounds, oldest first."""
        return _names(self._get("/dta/get_compound_names"), "compound_names")

    def delete_target(self, name: str) -> None:
        """Deletes one of your targets, and its file with the last that was read from it."""
        self._sender.send(Call("DELETE", f"/file_manager/targets/{_part(name)}"))

    def delete_compound(self, name: str) -> None:
        """Deletes one of your compounds, and its file with the last that was read from it."""
        self._sender.send(Call("DELETE", f"/file_manager/compounds/{_part(name)}"))

    # Predictions

    @overload
    def predict(  # type: ignore[overload-overlap]  # a str is a sequence of str too, and meets this one first
        self,
        smiles: str,
        *,
        target: str | None = None,
        structure: str | Path | None = None,
        chain: str | None = None,
        order_key: str | None = None,
    ) -> Prediction: ...

    @overload
    def predict(
        self,
        smiles: Sequence[str],
        *,
        target: str | None = None,
        structure: str | Path | None = None,
        chain: str | None = None,
        order_key: str | None = None,
    ) -> list[Prediction]: ...

    def predict(
        self,
        smiles: str | Sequence[str],
        *,
        target: str | None = None,
        structure: str | Path | None = None,
        chain: str | None = None,
        order_key: str | None = None,
    ) -> Prediction | list[Prediction]:
        """pKd of one SMILES, or of each of several in their order, on a target of yours or on a structure.

        `target` is a name of yours; `structure` the text of a PDB or mmCIF file, or its `Path`; it is not kept. Without
        `chain` the product chooses. A new pair costs a credit, one that you have already costs nothing. With the same
        `order_key` the same order is never paid twice, even by a script that was started again.
        """
        if (target is None) == (structure is None):
            raise ValueError("Name either a target or a structure.")
        text = structure.read_text(encoding="utf-8") if isinstance(structure, Path) else structure
        asked = {"target": target, "structure": text, "chain": chain}
        order = {name: value for name, value in asked.items() if value is not None}
        key = order_key or _new_order_key()
        if isinstance(smiles, str):
            return self._predict_some([smiles], order, f"{key}-0")[0]
        found: list[Prediction] = []
        for start in range(0, len(smiles), SMILES_PER_CALL):
            some = list(smiles[start : start + SMILES_PER_CALL])
            found += self._predict_some(some, order, f"{key}-{start}")
        return found

    def history(self, search: str = "") -> Iterator[PastPrediction]:
        """Your single predictions, newest first; with `search` those whose target or compound is called so."""
        return self._pages("/history", "predictions", PastPrediction, {"search": search})

    # Screens

    def quote(self, targets: Targets, compounds: Compounds = "all") -> ScreenQuote:
        """What a screen would cost, in credits, and what cannot be predicted; nothing is spent."""
        body = _screen_body(targets, compounds)
        answer = self._sender.send(Call("POST", "/screens/quote", json=body, is_repeatable=True))
        return read_answer(ScreenQuote, _json(answer))

    def start_screen(
        self, targets: Targets, compounds: Compounds = "all", *, order_key: str | None = None
    ) -> Screen:
        """Pays for a screen and starts it. The same `order_key` is the same screen, however often it is started."""
        body = _screen_body(targets, compounds)
        call = Call("POST", "/screens", json=body, order_key=order_key or _new_order_key())
        return read_answer(Screen, _json(self._sender.send(call)))

    def read_screen(self, screen_id: str) -> Screen:
        """The state of a screen."""
        return read_answer(Screen, self._get(f"/screens/{_part(screen_id)}"))

    def cancel_screen(self, screen_id: str) -> Screen:
        """Ends a screen: what is predicted stays, what is not comes back as credits."""
        call = Call("DELETE", f"/screens/{_part(screen_id)}", is_repeatable=True)
        return read_answer(Screen, _json(self._sender.send(call)))

    def screens(self) -> Iterator[Screen]:
        """Your screens, newest first."""
        return self._pages("/screens", "screens", Screen, {})

    def follow(
        self,
        screen_id: str,
        *,
        on_progress: Callable[[Screen], object] | None = None,
        timeout_s: float | None = None,
    ) -> Screen:
        """Waits until a screen has ended; `on_progress` gets its state each time that was read.

        After `timeout_s` seconds an `OutOfReach` is raised; the screen goes on, and can be followed again.
        """
        ends_at = None if timeout_s is None else time.monotonic() + timeout_s
        pause_s = _first_look_s
        while True:
            screen = self.read_screen(screen_id)
            if on_progress is not None:
                on_progress(screen)
            if screen.has_ended:
                return screen
            if ends_at is not None and time.monotonic() >= ends_at:
                raise OutOfReach(f"Screen {screen_id} has not ended within {timeout_s:g} s.")
            self._sleep(pause_s)
            pause_s = min(pause_s * 1.5, _longest_look_s)

    def screen_rows(
        self,
        screen_id: str,
        *,
        sort: Sort = "input",
        target: str = "",
        text: str = "",
        smarts: str = "",
        pkd_min: float | None = None,
        pkd_max: float | None = None,
        in_domain: bool | None = None,
    ) -> list[ScreenRow]:
        """All rows of a screen that match, those that are there so far. Bounds are pKd; `text` is looked for in the name
        and SMILES of the compound."""
        query = {
            "sort": sort,
            "target": target,
            "text": text,
            "smarts": smarts,
            "min": pkd_min,
            "max": pkd_max,
            "in_domain": None if in_domain is None else str(in_domain).lower(),
        }
        path = f"/screens/{_part(screen_id)}/results"
        call = Call("GET", path, query=query, accept="application/x-ndjson")
        lines = self._sender.send(call).text.split("\n")
        return [read_answer(ScreenRow, json.loads(line)) for line in lines if line]

    def screen(
        self,
        targets: Targets,
        compounds: Compounds = "all",
        *,
        order_key: str | None = None,
        credits_max: float | None = None,
        on_progress: Callable[[Screen], object] | None = None,
        timeout_s: float | None = None,
    ) -> ScreenResult:
        """Predicts every compound on every target, waits, and answers the rows; `.to_frame()` makes a data frame.

        A target is a name, or a `ScreenTarget` with a chain. With `credits_max` it is quoted first, and a `TooCostly`
        raised before anything is spent. A screen that failed or was cancelled raises `ScreenFailed`. Stopping the
        script stops no screen: with the same `order_key` the next run goes on with it.
        """
        if credits_max is not None:
            self._expect_affordable(targets, compounds, credits_max)
        started = self.start_screen(targets, compounds, order_key=order_key)
        ended = self.follow(started.id, on_progress=on_progress, timeout_s=timeout_s)
        if ended.status != "DONE":
            raise ScreenFailed(ended.message or f"The screen has ended as {ended.status}.")
        return ScreenResult(ended, self.screen_rows(ended.id))

    # Own values

    def add_measurements(
        self,
        target: str,
        values: Mapping[str, float | str],
        *,
        unit: Unit = "nM",
        type: MeasuredType = "Kd",
    ) -> ImportedMeasurements:
        """Keeps values that you measured on a target: compound (a name of yours, or SMILES) to value in `unit`.

        `p` is -log10 of mol/L, as pKd is. `"> 10000"` is a bound. A compound that has a value gets the new one.
        """
        rows = [{"compound": compound, "value": value} for compound, value in values.items()]
        body = {"target": target, "unit": unit, "type": type, "values": rows}
        answer = self._sender.send(Call("POST", "/measurements", json=body))
        return read_answer(ImportedMeasurements, _json(answer))

    def measurements(self, target: str = "") -> Iterator[Measurement]:
        """Your measured values, newest first, of all targets or one."""
        return self._pages("/measurements", "measurements", Measurement, {"target": target})

    def delete_measurement(self, measurement_id: str) -> None:
        """Forgets one measured value."""
        self._sender.send(Call("DELETE", f"/measurements/{_part(measurement_id)}"))

    def delete_measurements(self, target: str) -> int:
        """Forgets every value measured on a target, and says how many there were."""
        answer = _json(self._sender.send(Call("DELETE", "/measurements", query={"target": target})))
        return int(_field(answer, "deleted"))

    def compare_measurements(self, target: str) -> Comparison:
        """Whether your values on a target make its numbers better, each predicted from all others; errors are in pK."""
        return read_answer(Comparison, self._get("/measurements/comparison", {"target": target}))

    def _get(self, path: str, query: Mapping[str, Any] | None = None) -> object:
        return _json(self._sender.send(Call("GET", path, query=query or {})))

    def _upload(self, file_type: str, file: Path) -> Upload:
        return self._send_file(file_type, file.name, file.read_bytes())

    def _send_file(self, file_type: str, filename: str, content: bytes) -> Upload:
        call = Call(
            "POST",
            "/file_manager/upload",
            form={"file_type": file_type},
            files={"file": (filename, content)},
            is_repeatable=True,
        )
        return read_answer(Upload, _json(self._sender.send(call)))

    def _predict_some(self, smiles: list[str], order: Mapping[str, str], key: str) -> list[Prediction]:
        """Asked again with the same key, an order that took the server too long answers what it has by then."""
        call = Call("POST", "/predict", json={"smiles": smiles, **order}, order_key=key)
        while True:
            answer = read_answer(Predictions, _json(self._sender.send(call)))
            if answer.status not in {"QUEUED", "RUNNING"}:
                return answer.predictions
            self._sleep(_longest_look_s)

    def _expect_affordable(self, targets: Targets, compounds: Compounds, credits_max: float) -> None:
        needed = self.quote(targets, compounds).credits_needed
        if needed > credits_max:
            raise TooCostly(f"This screen needs {needed:g} credits, more than the {credits_max:g} allowed.")

    def _pages(self, path: str, name: str, kind: type[Row], query: Mapping[str, Any]) -> Iterator[Row]:
        page = 1
        while True:
            answer = self._get(path, {**query, "page": page, "page_size": _rows_per_page})
            rows = _field(answer, name)
            yield from (read_answer(kind, row) for row in rows)
            if len(rows) < _rows_per_page:
                return
            page += 1


def _new_order_key() -> str:
    return uuid.uuid4().hex


def _part(name: str) -> str:
    """A name as one part of an address, slashes included."""
    return quote_url(name, safe="")


def _screen_body(targets: Targets, compounds: Compounds) -> dict[str, Any]:
    several = [targets] if isinstance(targets, str | ScreenTarget) else targets
    asked = [asdict(one) if isinstance(one, ScreenTarget) else one for one in several]
    return {"targets": asked, "compounds": "all" if compounds == "all" else list(compounds)}


def _json(answer: httpx.Response) -> object:
    try:
        return answer.json()
    except ValueError as error:
        raise AnswerError("The server's answer is not JSON.") from error


def _field(answer: object, name: str) -> Any:
    if isinstance(answer, dict) and name in answer:
        return answer[name]
    raise AnswerError(f"The server's answer lacks {name}.")


def _names(answer: object, field: str) -> list[str]:
    return [str(name) for name in _field(answer, field)]
