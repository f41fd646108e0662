"""Accuracy by protein family: names of training targets decide, and small groups are not shown."""

import json
from pathlib import Path

import numpy as np
import pytest

from affinity_model.families import (
    KINASES,
    NUCLEAR,
    OTHER,
    PROTEASES,
    RECEPTORS,
    family_of,
    score_families,
    write_accuracy,
)

PANEL = {"AAK1", "PIK3CA"}


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("AAK1", KINASES),
        ("PIK3CA", OTHER),
        ("Epidermal growth factor receptor (Homo sapiens)", KINASES),
        ("Inhibitor of nuclear factor kappa-B kinase subunit beta (Homo sapiens)", KINASES),
        ("Choline kinase alpha (Homo sapiens)", OTHER),
        ("Insulin-like growth factor-binding protein 5 (Homo sapiens)", OTHER),
        ("D(2) dopamine receptor (Homo sapiens)", RECEPTORS),
        ("5-hydroxytryptamine receptor 3A (Homo sapiens)", OTHER),
        ("Mu-type opioid receptor (Mus musculus)", RECEPTORS),
        ("Thyroid hormone receptor beta (Homo sapiens)", NUCLEAR),
        ("Nuclear receptor corepressor 2 (Homo sapiens)", OTHER),
        ("Renin (Homo sapiens)", PROTEASES),
        ("Plasminogen activator inhibitor 1 (Homo sapiens)", OTHER),
        ("unnamed target T01602", None),
    ],
)
def test_the_name_of_a_training_target_tells_its_family(name: str, family: str | None) -> None:
    assert family_of(name, PANEL) == family


def rows_of(groups: list[tuple[str, str, int, int, float]]) -> dict[str, np.ndarray]:
    """Groups: gene, related training targets, values on it, compounds, error."""
    parts = [
        {
            "gene": np.full(count, gene),
            "aligned_targets": np.full(count, names),
            "labels_on_target": np.full(count, labels),
            "pk": np.full(count, 6.0),
            "predicted": np.full(count, 6 + error),
        }
        for gene, names, labels, count, error in groups
    ]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def test_a_family_has_an_error_where_three_proteins_and_fifty_compounds_were_scored() -> None:
    rows = rows_of(
        [
            ("A", "unnamed target T01602|AAK1", 400, 20, 0.5),
            ("B", "AAK1", 500, 20, 1.0),
            ("C", "Tyrosine-protein kinase ABL1 (Homo sapiens)", 999, 20, 1.5),
            # Another number of values, two proteins, and too few compounds.
            ("D", "AAK1", 1000, 60, 9.0),
            ("E", "Renin (Homo sapiens)", 400, 60, 9.0),
            ("F", "Thrombin", 400, 60, 9.0),
            *((name, "", 0, 10, 9.0) for name in "GHI"),
            # Only related to a target without a name.
            *((name, "unnamed target T01602", 0, 20, 9.0) for name in "JKL"),
        ]
    )
    [cell] = score_families(rows, PANEL)
    assert (cell.family, cell.start, cell.below, cell.proteins, cell.compounds) == (KINASES, 300, 1000, 3, 60)
    assert cell.rmse == pytest.approx(np.sqrt((0.25 + 1 + 2.25) / 3), abs=1e-3)
    assert cell.interval[0] < cell.rmse < cell.interval[1]


def test_the_written_file_names_training_targets_by_place(tmp_path: Path) -> None:
    names = ["AAK1", "unnamed target T01602", "Renin (Homo sapiens)", "Serum albumin"]
    (tmp_path / "targets.json").write_text(json.dumps([{"name": name} for name in names]))
    (tmp_path / "model-card.json").write_text(json.dumps({"version": "1"}))
    cells = score_families(rows_of([(name, "", 0, 20, 1.0) for name in "ABC"]), PANEL)
    write_accuracy(tmp_path, cells, PANEL)
    written = json.loads((tmp_path / "accuracy.json").read_text())
    assert written["families"] == {KINASES: [0], RECEPTORS: [], NUCLEAR: [], PROTEASES: [2], OTHER: [3]}
    assert written["rows"] == [
        {
            "family": OTHER, "from": 0, "below": 1, "proteins": 3, "compounds": 60, "rmse": 1.0, "interval": [1.0, 1.0],
        }
    ]  # fmt: skip
