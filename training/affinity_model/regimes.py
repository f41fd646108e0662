"""Rows to score that the model is refitted without: folds of the general table, later compounds, whole assays, single rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from .tables import KINDS, Compounds, Floats, Ints, Rows, Targets, read

SCORED = (("random", "0"), ("scaffold", "0"), ("target", "1"), ("target", "2"))
# Level and intervals are learnt from these, from assays that are held back, and from series.
CALIBRATING = (("scaffold", "1"), ("target", "3"))
CALIBRATED_ON = (*(f"{kind} {fold}" for kind, fold in CALIBRATING), "held back")
ASSAYS, ASSAY_MIN, ASSAY_MAX = 250, 10, 60
SINGLE = 3000
NEWEST = 0.2


@dataclass
class Regime:
    """`left_out`: rows that are not learnt from; the others name the pairs to predict, and their values."""

    name: str
    left_out: npt.NDArray[np.bool_]
    compound: Ints
    target: Ints
    y: Floats
    series: npt.NDArray
    # Names of groups that are also scored by themselves, such as types.
    group: npt.NDArray


def regimes(tables: Path, compounds: Compounds, targets: Targets, rows: Rows) -> Iterator[Regime]:
    """All of them, one after another."""
    for kind, fold in SCORED + CALIBRATING:
        yield general_fold(tables, compounds, targets, rows, kind, fold)
    yield newest(tables, compounds, targets, rows)
    yield held_back(rows)


def general_fold(
    tables: Path, compounds: Compounds, targets: Targets, rows: Rows, kind: str, fold: str
) -> Regime:
    """Its pairs, compounds or targets are left out of every table."""
    drugs = {
        row["drug_id"]: compounds.row_of.get(row["smiles"], -1)
        for row in read(tables / "general/drugs.tsv.gz")
    }
    tested = [
        (drugs[row["drug_id"]], targets.place_of.get(row["target_id"], -1), float(row["y"]))
        for row in read(tables / "general/pairs_folds.tsv.gz")
        if row[f"{kind}_fold"] == fold and row["lt"] == "False"
    ]
    compound, target, y = (np.array(column) for column in zip(*tested, strict=True))
    use = (compound >= 0) & (target >= 0)
    compound, target, y = compound[use], target[use], y[use]
    if kind == "random":
        left_out = np.isin(rows.compound * len(targets) + rows.target, compound * len(targets) + target)
    elif kind == "scaffold":
        left_out = np.isin(rows.compound, compound)
    else:
        left_out = np.isin(rows.target, target)
    return _by_target(f"{kind} {fold}", left_out, compound, target, y)


def newest(tables: Path, compounds: Compounds, targets: Targets, rows: Rows) -> Regime:
    """The newest fifth of the curated Ki values of each target, by ChEMBL's numbers of the compounds."""
    by_target: dict[int, list[tuple[int, int, float]]] = {}
    for row in read(tables / "chembl32/pairs.tsv.gz"):
        compound = compounds.row_of.get(row["smiles"], -1)
        place = targets.place_of.get(row["target_id"].split("|")[0], -1)
        if row["set"] == "simpd" and compound >= 0 and place >= 0:
            number = int(row["compound"].removeprefix("CHEMBL"))
            by_target.setdefault(place, []).append((number, compound, float(row["pK"])))
    chosen = [
        (compound, place, y)
        for place, some in by_target.items()
        for _, compound, y in sorted(some)[round(len(some) * (1 - NEWEST)) :]
    ]
    asked, target, y = (np.array(column) for column in zip(*chosen, strict=True))
    left_out = np.isin(rows.compound, asked)
    return _by_target("newest fifth", left_out, asked, target, y)


def _by_target(
    name: str, left_out: npt.NDArray[np.bool_], compound: Ints, target: Ints, y: npt.NDArray
) -> Regime:
    """The rows of a target are one series."""
    no_group = np.full(len(y), "")
    return Regime(name, left_out, compound, target, y.astype(np.float32), target.astype(str), no_group)


def held_back(rows: Rows, seed: int = 3) -> Regime:
    """Whole assays with all rows of their compounds, and single rows."""
    random = np.random.default_rng(seed)
    exact = ~rows.is_bound
    assays, counts = np.unique(rows.assay[exact & (rows.assay >= 0)], return_counts=True)
    drawn = random.choice(assays[(counts >= ASSAY_MIN) & (counts <= ASSAY_MAX)], ASSAYS, replace=False)
    of_assays = exact & np.isin(rows.assay, drawn)
    left_out = np.isin(rows.compound, rows.compound[of_assays])
    single = random.choice(np.flatnonzero(exact & ~left_out), SINGLE, replace=False)
    pairs = rows.compound * (int(rows.target.max()) + 1) + rows.target
    left_out |= np.isin(pairs, pairs[single])
    tested = np.r_[np.flatnonzero(of_assays), single]
    series = np.array([f"assay {rows.assay[at]}" if of_assays[at] else f"row {at}" for at in tested])
    kind = np.array(KINDS)[rows.kind[tested]]
    return Regime(
        "held back", left_out, rows.compound[tested], rows.target[tested], rows.y[tested], series, kind
    )
