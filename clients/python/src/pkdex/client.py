"""The client. Affinities are pKd, times are seconds, costs are credits. Requests that cost credits carry
a unique key, so retries are never charged twice."""

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
    CombinedMeasurement,
    Comment,
    Comparison,
    CopiedScreen,
    ImportedMeasurements,
    LocatedAlert,
    Measurement,
    NextCompounds,
    OwnAlert,
    PastPrediction,
    Pose,
    PoseReferences,
    Prediction,
    PredictionQuote,
    Predictions,
    Screen,
    ScreenQuote,
    ScreenRow,
    ScreenTarget,
    SeriesClusters,
    SeriesPairs,
    SeriesProducts,
    SeriesScore,
    SeriesTable,
    Share,
    SharedScreen,
    Sort,
    TargetLists,
    Upload,
)
from pkdex.errors import AnswerError, OutOfReach, ScreenFailed, TooCostly
from pkdex.frames import to_frame
from pkdex.reading import read_answer
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
Values = Mapping[str, float | None] | Sequence[str]
"""SMILES, or measured pK by SMILES."""
Row = TypeVar("Row")
AlertSource = Literal["PAINS", "Brenk", "own"]
DomainState = Literal["known_on_target", "known_on_other_targets", "outside"]


@dataclass(frozen=True)
class ScreenResult:
    """A finished screen: one row per compound and target, in input order."""

    screen: Screen
    rows: list[ScreenRow]

    def to_frame(self) -> pandas.DataFrame:
        """Returns the rows as a data frame; needs pandas."""
        return to_frame(self.rows, ScreenRow)


class Client:
    """Connection to a pKdex server with one API key.

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
        """`timeout_s`: per request. `retries`: maximum number of retries. A `Retry-After` longer than
        `longest_pause_s` raises instead of waiting. `transport` and `sleep` are for tests."""
        self._sleep = sleep
        patience = Patience(timeout_s, retries, longest_pause_s)
        self._sender = Sender(base_url, api_key, patience, transport=transport, sleep=sleep)

    def close(self) -> None:
        """Closes the connections; `with Client(...)` does this automatically."""
        self._sender.close()

    def __enter__(self) -> Self:
        """Returns the client."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes the connections."""
        self.close()

    # Account

    def credits(self) -> Balance:
        """Returns the remaining credits and the cost of one prediction."""
        return read_answer(Balance, self._get("/dta/credits"))

    # Files, targets and compounds

    def upload_target(self, file: str | Path) -> Upload:
        """Uploads a structure (`.pdb` or `.cif`, optionally gzipped). Uploading it again changes nothing."""
        return self._upload("protein_pdb", Path(file))

    def upload_compounds(self, file: str | Path) -> Upload:
        """Uploads a file (`.txt`) with one SMILES and name per line. Uploading it again changes nothing."""
        return self._upload("drug_smiles", Path(file))

    def add_compounds(self, smiles: Mapping[str, str], *, filename: str = "compounds.txt") -> Upload:
        """Uploads compounds given as {name: SMILES}, as a file with this name."""
        text = "".join(f"{one} {name}\n" for name, one in smiles.items())
        return self._send_file("drug_smiles", filename, text.encode())

    def targets(self) -> list[str]:
        """Names of your targets, oldest first."""
        return _names(self._get("/dta/get_protein_names"), "protein_names")

    def compounds(self) -> list[str]:
        """Names of your compounds, oldest first."""
        return _names(self._get("/dta/get_compound_names"), "compound_names")

    def search_compounds(
        self,
        smiles: str,
        *,
        kind: Literal["similarity", "substructure"] = "similarity",
        min_similarity: float = 0.3,
    ) -> dict[str, float]:
        """Your compounds that are similar to a structure, or contain it: similarity by name, highest first,
        at most 1,000."""
        query = {"kind": kind, "smiles": smiles, "min_similarity": min_similarity}
        found = _field(self._get("/file_manager/compound_search", query), "compounds")
        return {str(one["name"]): float(one["similarity"]) for one in found}

    def delete_target(self, name: str) -> None:
        """Deletes a target, and its file if nothing else was read from it."""
        self._sender.send(Call("DELETE", f"/file_manager/targets/{_part(name)}"))

    def delete_compound(self, name: str) -> None:
        """Deletes a compound, and its file if nothing else was read from it."""
        self._sender.send(Call("DELETE", f"/file_manager/compounds/{_part(name)}"))

    # Structural alerts

    def own_alerts(self) -> list[OwnAlert]:
        """Your own structural alerts."""
        return [read_answer(OwnAlert, one) for one in _field(self._get("/alerts"), "patterns")]

    def replace_own_alerts(self, alerts: Sequence[OwnAlert]) -> None:
        """Replaces your own structural alerts; an invalid SMARTS raises `InvalidRequest` and changes nothing."""
        body = {"patterns": [asdict(one) for one in alerts]}
        self._sender.send(Call("PUT", "/alerts", json=body))

    def locate_alerts(self, smiles: str) -> list[LocatedAlert]:
        """The structural alerts of one compound, each with the positions of its atoms."""
        found = _field(self._post("/alerts/locate", {"smiles": smiles}), "alerts")
        return [read_answer(LocatedAlert, one) for one in found]

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
        """Predicts one SMILES or several (same order) for one of your targets or a structure.

        `target` is a name; `structure` is the text of a PDB or mmCIF file or its `Path`, and is not
        stored; `chain` is chosen by pKdex unless given. New pairs cost a credit, pairs already predicted
        are free. With the same `order_key` nothing is charged twice, even after a restart.
        """
        order = _order_body(target, structure, chain)
        key = order_key or _new_order_key()
        if isinstance(smiles, str):
            return self._predict_some([smiles], order, f"{key}-0")[0]
        found: list[Prediction] = []
        for start in range(0, len(smiles), SMILES_PER_CALL):
            some = list(smiles[start : start + SMILES_PER_CALL])
            found += self._predict_some(some, order, f"{key}-{start}")
        return found

    def quote_predictions(
        self,
        smiles: str | Sequence[str],
        *,
        target: str | None = None,
        structure: str | Path | None = None,
        chain: str | None = None,
    ) -> PredictionQuote:
        """Returns what `predict` would cost for the same input, at most 5,000 SMILES. Free."""
        asked = [smiles] if isinstance(smiles, str) else list(smiles)
        body = {"smiles": asked, **_order_body(target, structure, chain)}
        return read_answer(PredictionQuote, self._ask("/predict/quote", body))

    def history(self, search: str = "") -> Iterator[PastPrediction]:
        """Your single predictions, newest first; `search` filters by target or compound name."""
        return self._pages("/history", "predictions", PastPrediction, {"search": search})

    # Screens

    def quote(
        self,
        targets: Targets,
        compounds: Compounds = "all",
        *,
        structure: bool = False,
        leave_out: Sequence[AlertSource] = (),
    ) -> ScreenQuote:
        """Returns the cost of a screen and the inputs that would be skipped. Free. `flagged` counts the
        compounds with a structural alert; `leave_out` skips those of the named lists."""
        body = _screen_body(targets, compounds, structure, leave_out)
        return read_answer(ScreenQuote, self._ask("/screens/quote", body))

    def start_screen(
        self,
        targets: Targets,
        compounds: Compounds = "all",
        *,
        structure: bool = False,
        leave_out: Sequence[AlertSource] = (),
        order_key: str | None = None,
    ) -> Screen:
        """Starts and pays for a screen. The same `order_key` always returns the same screen. With `structure`
        the compounds are also placed on the ligand of each structure, at no extra cost. Compounds with an
        alert of a list in `leave_out` keep their row, with a reason instead of a prediction, and cost nothing."""
        body = _screen_body(targets, compounds, structure, leave_out)
        call = Call("POST", "/screens", json=body, order_key=order_key or _new_order_key())
        return read_answer(Screen, _json(self._sender.send(call)))

    def read_screen(self, screen_id: str) -> Screen:
        """Returns the state of a screen."""
        return read_answer(Screen, self._get(f"/screens/{_part(screen_id)}"))

    def cancel_screen(self, screen_id: str) -> Screen:
        """Cancels a screen: finished pairs are kept, the rest is refunded."""
        call = Call("DELETE", f"/screens/{_part(screen_id)}", is_repeatable=True)
        return read_answer(Screen, _json(self._sender.send(call)))

    def screens(self, tag: str | None = None) -> Iterator[Screen]:
        """Your screens, newest first; with `tag`, those that have it."""
        return self._pages("/screens", "screens", Screen, {} if tag is None else {"tag": tag})

    def share(self, screen_id: str, email: str | None = None, *, exports: bool = True) -> list[Share]:
        """Shares a screen for viewing, with the user of an email or by link, and returns all its shares."""
        body = {"email": email, "exports": exports}
        answer = self._post(f"/screens/{_part(screen_id)}/shares", body)
        return [read_answer(Share, one) for one in answer["shares"]]

    def shares(self, screen_id: str) -> list[Share]:
        """With whom a screen is shared."""
        answer: Any = self._get(f"/screens/{_part(screen_id)}/shares")
        return [read_answer(Share, one) for one in answer["shares"]]

    def end_share(self, screen_id: str, share_id: str) -> None:
        """Ends a share at once."""
        path = f"/screens/{_part(screen_id)}/shares/{_part(share_id)}"
        self._sender.send(Call("DELETE", path))

    def shared(self) -> list[SharedScreen]:
        """The screens that others share with you by email, latest first."""
        answer: Any = self._get("/shared")
        return [read_answer(SharedScreen, one) for one in answer["screens"]]

    def comments(
        self, screen_id: str, row: int | None = None, column: int | None = None
    ) -> Iterator[Comment]:
        """Comments on a screen, newest first: all, those on the compound of a row and on its pairs, or with a
        column only those on the compound and on that pair. Rows and columns count from 1."""
        query = {"row": row, "column": column}
        return self._pages(f"/screens/{_part(screen_id)}/comments", "comments", Comment, query)

    def add_comment(
        self, screen_id: str, text: str, row: int | None = None, column: int | None = None
    ) -> Comment:
        """Comments on a screen that you may read, or on a compound (`row`) or pair (`row`, `column`) in it."""
        place = {"row": row, "column": column}
        body = {"text": text, **{name: at for name, at in place.items() if at is not None}}
        return read_answer(Comment, self._post(f"/screens/{_part(screen_id)}/comments", body))

    def edit_comment(self, screen_id: str, comment_id: str, text: str) -> Comment:
        """Changes a comment of yours."""
        path = f"/screens/{_part(screen_id)}/comments/{_part(comment_id)}"
        call = Call("PATCH", path, json={"text": text}, is_repeatable=True)
        return read_answer(Comment, _json(self._sender.send(call)))

    def delete_comment(self, screen_id: str, comment_id: str) -> None:
        """Deletes a comment of yours."""
        path = f"/screens/{_part(screen_id)}/comments/{_part(comment_id)}"
        self._sender.send(Call("DELETE", path))

    def copy_screen(
        self,
        screen_id: str,
        *,
        targets: bool = True,
        compounds: bool = True,
        measured_values: bool = False,
    ) -> CopiedScreen:
        """Copies what a shared screen is made of into your library."""
        body = {"targets": targets, "compounds": compounds, "measured_values": measured_values}
        return read_answer(CopiedScreen, self._post(f"/screens/{_part(screen_id)}/copy", body))

    def follow(
        self,
        screen_id: str,
        *,
        on_progress: Callable[[Screen], object] | None = None,
        timeout_s: float | None = None,
    ) -> Screen:
        """Waits for a screen to finish; `on_progress` gets each status read.

        After `timeout_s` raises `OutOfReach`; the screen continues and can be followed again.
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
        domain_state: DomainState | None = None,
        properties: Mapping[str, tuple[float | None, float | None]] | None = None,
        alerts: Literal["none", "some"] | None = None,
        profile: str = "",
    ) -> list[ScreenRow]:
        """Returns all matching rows available so far. Bounds are pKd; `text` searches compound name and
        SMILES. `properties`: the lowest and highest value by property, for example `{"mass": (None, 500)}`.
        `profile`, for example `"pkd:7..;mass:..500~50"`, fills `profile_probability`."""
        query = {
            "sort": sort,
            "target": target,
            "text": text,
            "smarts": smarts,
            "min": pkd_min,
            "max": pkd_max,
            "in_domain": None if in_domain is None else str(in_domain).lower(),
            "domain_state": domain_state,
            "alerts": alerts,
            "profile": profile or None,
        }
        for name, (low, high) in (properties or {}).items():
            query |= {f"{name}_min": low, f"{name}_max": high}
        path = f"/screens/{_part(screen_id)}/results"
        call = Call("GET", path, query=query, accept="application/x-ndjson")
        lines = self._sender.send(call).text.split("\n")
        return [read_answer(ScreenRow, json.loads(line)) for line in lines if line]

    def screen(
        self,
        targets: Targets,
        compounds: Compounds = "all",
        *,
        structure: bool = False,
        leave_out: Sequence[AlertSource] = (),
        order_key: str | None = None,
        credits_max: float | None = None,
        on_progress: Callable[[Screen], object] | None = None,
        timeout_s: float | None = None,
    ) -> ScreenResult:
        """Runs a screen: predicts every compound for every target, waits, and returns the rows.

        A target is a name, or a `ScreenTarget` with a chain. With `credits_max` a quote is requested
        first, and `TooCostly` is raised before anything is charged. A screen that failed or was cancelled
        raises `ScreenFailed`. With `structure` it also waits for the poses, and rows have
        `structure_adjusted`. Stopping the script does not stop the screen: the next run with the same
        `order_key` continues with it.
        """
        if credits_max is not None:
            needed = self.quote(targets, compounds, structure=structure, leave_out=leave_out).credits_needed
            if needed > credits_max:
                raise TooCostly(
                    f"This screen needs {needed:g} credits, more than the {credits_max:g} allowed."
                )
        started = self.start_screen(
            targets, compounds, structure=structure, leave_out=leave_out, order_key=order_key
        )
        ended = self.follow(started.id, on_progress=on_progress, timeout_s=timeout_s)
        if ended.status != "DONE":
            raise ScreenFailed(ended.message or f"The screen has ended as {ended.status}.")
        return ScreenResult(ended, self.screen_rows(ended.id))

    # Poses

    def pose(
        self, target: str, compound: str, *, chain: str | None = None, reference: str | None = None
    ) -> Pose:
        """Places one of your compounds on a ligand of a target: a model, not an experiment. Free.
        `reference` is the `id` of a ligand; without it the suggested one is used."""
        query = {"target": target, "compound": compound, "chain": chain, "reference": reference}
        return read_answer(Pose, self._get("/poses", query))

    def pose_references(self, target: str, *, chain: str | None = None) -> PoseReferences:
        """The ligands of a target that compounds can be placed on."""
        query = {"target": target, "chain": chain}
        return read_answer(PoseReferences, self._get("/poses/references", query))

    def set_ligand(
        self, target: str, *, sdf: str | None = None, smiles: str | None = None, chain: str | None = None
    ) -> PoseReferences:
        """Sets your own reference ligand of a target: an SDF with coordinates in the frame of the structure,
        or the SMILES of a ligand of the structure."""
        asked = {"target": target, "chain": chain, "sdf": sdf, "smiles": smiles}
        body = {name: value for name, value in asked.items() if value is not None}
        call = Call("PUT", "/poses/own-ligand", json=body, is_repeatable=True)
        return read_answer(PoseReferences, _json(self._sender.send(call)))

    def remove_ligand(self, target: str) -> PoseReferences:
        """Removes your own reference ligand of a target."""
        call = Call("DELETE", "/poses/own-ligand", query={"target": target}, is_repeatable=True)
        return read_answer(PoseReferences, _json(self._sender.send(call)))

    def screen_poses(self, screen_id: str, target: str | None = None) -> str:
        """The poses of a screen with `structure` as an SDF, for one target or all."""
        path = f"/screens/{_part(screen_id)}/poses.sdf"
        return self._sender.send(Call("GET", path, query={"target": target})).text

    # Measured values

    def add_measurements(
        self,
        target: str,
        values: Mapping[str, float | str | Sequence[float | str]],
        *,
        unit: Unit = "nM",
        type: MeasuredType = "Kd",
        replace: bool = False,
    ) -> ImportedMeasurements:
        """Imports measured values for a target: {compound name or SMILES: value or replicates}, in `unit`.
        They are added to the stored values of these compounds, or replace them.

        The unit `p` is -log10 of mol/L (pKd, pKi, pIC50). `"> 10000"` is a bound.
        """
        rows = [
            {"compound": compound, "value": value}
            for compound, given in values.items()
            for value in ([given] if isinstance(given, (int, float, str)) else given)
        ]
        body = {"target": target, "unit": unit, "type": type, "replace": replace, "values": rows}
        answer = self._sender.send(Call("POST", "/measurements", json=body))
        return read_answer(ImportedMeasurements, _json(answer))

    def measurements(self, target: str = "") -> Iterator[Measurement]:
        """Your measured values, newest first, for all targets or one."""
        return self._pages("/measurements", "measurements", Measurement, {"target": target})

    def delete_measurement(self, measurement_id: str) -> None:
        """Deletes one measured value."""
        self._sender.send(Call("DELETE", f"/measurements/{_part(measurement_id)}"))

    def delete_measurements(self, target: str) -> int:
        """Deletes all measured values of a target; returns how many."""
        answer = _json(self._sender.send(Call("DELETE", "/measurements", query={"target": target})))
        return int(_field(answer, "deleted"))

    def use_measurements(self, target: str, use: bool | None) -> None:
        """Chooses whether predictions on a target use your values; None: unless they make predictions worse."""
        self._sender.send(Call("PUT", "/measurements/use", json={"target": target, "use": use}))

    def compare_measurements(self, target: str) -> Comparison:
        """Compares predictions with your measured values (leave-one-out); errors in pK units."""
        return read_answer(Comparison, self._get("/measurements/comparison", {"target": target}))

    def combined_measurements(self, target: str) -> list[CombinedMeasurement]:
        """Your measured values for a target, one per compound: replicates combined, bounds as bounds."""
        found = _field(self._get("/measurements/combined", {"target": target}), "compounds")
        return [read_answer(CombinedMeasurement, one) for one in found]

    # Series

    def suggest_next(
        self,
        target: str,
        screens: Sequence[str],
        *,
        chain: str | None = None,
        goal: float | None = None,
        exclude: Sequence[str] = (),
        page: int = 1,
    ) -> NextCompounds:
        """Suggests which untested compounds of your screens to make or measure next, five per page.
        Free; needs three measured compounds on the target. Without `goal`, the strongest value is the one to exceed.
        `exclude`: SMILES not to suggest, beside the excluded molecules of the target.
        """
        body = {"target": target, "screens": list(screens), "exclude": list(exclude), "page": page}
        answer = self._ask("/series/next", body | _given(chain=chain, goal=goal))
        return read_answer(NextCompounds, answer)

    def target_lists(self, target: str) -> TargetLists:
        """Your make list for a target, and the molecules that are not suggested again."""
        return read_answer(TargetLists, self._get("/series/lists", {"target": target}))

    def change_list(
        self,
        target: str,
        which: Literal["make", "excluded"],
        smiles: Sequence[str],
        *,
        listed: bool = True,
    ) -> TargetLists:
        """Adds molecules to a list of a target, or removes them with `listed=False`; returns both lists."""
        body = {"target": target, "list": which, "smiles": list(smiles), "listed": listed}
        call = Call("PUT", "/series/lists", json=body, is_repeatable=True)
        return read_answer(TargetLists, _json(self._sender.send(call)))

    def series_table(
        self,
        smiles: Sequence[str],
        *,
        core: str | None = None,
        rows: str | None = None,
        columns: str | None = None,
    ) -> SeriesTable:
        """Returns the SAR table of compounds with a common core: R-groups, cells and gaps. Free. `rows` and
        `columns` are positions of the core, such as `R1`."""
        body = {"compounds": list(smiles)} | _given(core=core, rows=rows, columns=columns)
        return read_answer(SeriesTable, self._ask("/series/table", body))

    def series_pairs(
        self, compounds: Values, *, target: str | None = None, chain: str | None = None
    ) -> SeriesPairs:
        """Returns matched pairs, and what each change of a group did to pK. `compounds`: pK by SMILES. Free."""
        body = {"compounds": _valued(compounds)} | _given(target=target, chain=chain)
        return read_answer(SeriesPairs, self._ask("/series/pairs", body))

    def series_products(
        self,
        compounds: Values,
        *,
        by: Literal["groups", "changes"] = "groups",
        core: str | None = None,
        change: tuple[str, str] | None = None,
        target: str | None = None,
        chain: str | None = None,
        windows: Mapping[str, Mapping[str, float]] | None = None,
        leave_out: Sequence[AlertSource] = (),
    ) -> SeriesProducts:
        """Enumerates new molecules of a series, at most 5,000. Free. By groups, `core` is used instead of the
        suggested one; by changes, `change` instead of the most helpful ones, for example `("[H]*", "*F")`.
        `windows` by property, for example `{"mass": {"max": 500}}`.
        """
        applied = None if change is None else {"from": change[0], "to": change[1]}
        body = {
            "compounds": _valued(compounds),
            "by": by,
            "windows": windows or {},
            "leave_out": list(leave_out),
        }
        given = _given(core=core, change=applied, target=target, chain=chain)
        return read_answer(SeriesProducts, self._ask("/series/products", body | given))

    def clusters(
        self,
        compounds: Values,
        *,
        similarity: float = 0.6,
        pick: int = 10,
        cliff_similarity: float = 0.6,
        cliff_change: float = 1.0,
    ) -> SeriesClusters:
        """Clusters compounds by similarity, picks `pick` diverse ones, and lists activity cliffs. Free."""
        body = {
            "compounds": _valued(compounds),
            "similarity": similarity,
            "pick": pick,
            "cliff_similarity": cliff_similarity,
            "cliff_change": cliff_change,
        }
        return read_answer(SeriesClusters, self._ask("/series/clusters", body))

    def drawing(self, smiles: str, *, theme: Literal["light", "dark"] = "light") -> str:
        """The structural formula of any SMILES, as the address of an image."""
        return str(_field(self._get("/series/drawing", {"smiles": smiles, "theme": theme}), "image"))

    def choose_score(
        self, target: str, column: str | None, direction: Literal["higher", "lower"] | None = None
    ) -> None:
        """Chooses a column of your compounds as another tool's score for a target, and which end of it is
        stronger; None: none."""
        if column is not None and direction is None:
            raise ValueError("Name the direction of the score: higher or lower is stronger.")
        choice = None if column is None else {"column": column, "direction": direction}
        self._sender.send(Call("PUT", "/series/score", json={"target": target, "choice": choice}))

    def score(self, target: str, screens: Sequence[str], *, chain: str | None = None) -> SeriesScore:
        """Judges the chosen column after five measured values, and predicts with it. Free."""
        body = {"target": target, "screens": list(screens)} | _given(chain=chain)
        return read_answer(SeriesScore, self._ask("/series/score", body))

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        return _json(self._sender.send(Call("POST", path, json=body)))

    def _ask(self, path: str, body: Mapping[str, Any]) -> Any:
        """A POST that changes nothing and costs nothing, so it can be repeated."""
        return _json(self._sender.send(Call("POST", path, json=body, is_repeatable=True)))

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
        """Repeating the request with the same key returns what the server has finished so far."""
        call = Call("POST", "/predict", json={"smiles": smiles, **order}, order_key=key)
        while True:
            answer = read_answer(Predictions, _json(self._sender.send(call)))
            if answer.status not in {"QUEUED", "RUNNING"}:
                return answer.predictions
            self._sleep(_longest_look_s)

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
    """A name as one part of a URL path, slashes included."""
    return quote_url(name, safe="")


def _order_body(target: str | None, structure: str | Path | None, chain: str | None) -> dict[str, Any]:
    if (target is None) == (structure is None):
        raise ValueError("Name either a target or a structure.")
    text = structure.read_text(encoding="utf-8") if isinstance(structure, Path) else structure
    return _given(target=target, structure=text, chain=chain)


def _given(**options: object) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _screen_body(
    targets: Targets, compounds: Compounds, structure: bool, leave_out: Sequence[AlertSource]
) -> dict[str, Any]:
    several = [targets] if isinstance(targets, str | ScreenTarget) else targets
    asked = [_target_body(one) if isinstance(one, ScreenTarget) else one for one in several]
    body: dict[str, Any] = {"targets": asked}
    body["compounds"] = "all" if compounds == "all" else list(compounds)
    return body | _given(structure=structure or None, leave_out=list(leave_out) or None)


def _target_body(target: ScreenTarget) -> dict[str, str]:
    return {name: value for name, value in asdict(target).items() if value is not None}


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


def _valued(compounds: Values) -> list[dict[str, Any]]:
    if not isinstance(compounds, Mapping):
        return [{"smiles": smiles} for smiles in compounds]
    return [{"smiles": smiles} | ({} if pk is None else {"pk": pk}) for smiles, pk in compounds.items()]
