"""Accuracy by protein family: names of training targets decide, and small groups are not shown."""

import json
from pathlib import Path

import numpy as np
import pytest

from affinity_model.calibrate import Predicted
from affinity_model.families import (
    KINASES,
    NUCLEAR,
    OTHER,
    PROTEASES,
    RECEPTORS,
    Cell,
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


def scored(groups: list[tuple[str, str, int, int, float]]) -> list[Cell]:
    """Groups: gene, related training targets, values on it, compounds, error."""
    genes, names, values, counts, errors = zip(*groups, strict=True)
    total = sum(counts)
    gene = np.repeat(genes, counts)
    y = np.random.default_rng(0).normal(6, 1, total)
    rows = Predicted(
        raw=y,
        variance=np.ones(total),
        values=np.repeat(np.array(values, float), counts),
        similarity=np.zeros(total),
        heavy_atoms=np.arange(total) % 9 + 20.0,
        y=y,
        compound=np.arange(total),
        is_known=np.full(total, False),
        series=gene,
        gene=gene,
    )
    relatives = np.repeat(np.array(names, object), counts).tolist()
    return score_families(rows, y + np.repeat(errors, counts), relatives, PANEL)


def test_a_family_has_an_error_where_three_proteins_and_eighty_compounds_were_scored() -> None:
    [cell] = scored(
        [
            ("A", "unnamed target T01602|AAK1", 400, 30, 0.5),
            ("B", "AAK1", 500, 30, 1.0),
            ("C", "Tyrosine-protein kinase ABL1 (Homo sapiens)", 999, 30, 1.5),
            # Another number of values, two proteins, and too few compounds.
            ("D", "AAK1", 1000, 90, 9.0),
            ("E", "Renin (Homo sapiens)", 400, 90, 9.0),
            ("F", "Thrombin", 400, 90, 9.0),
            *((name, "", 0, 10, 9.0) for name in "GHI"),
            # Only related to a target without a name.
            *((name, "unnamed target T01602", 0, 40, 9.0) for name in "JKL"),
        ]
    )
    assert (cell.family, cell.start, cell.below, cell.proteins, cell.compounds) == (KINASES, 300, 1000, 3, 90)
    assert cell.rmse == pytest.approx(np.sqrt((0.25 + 1 + 2.25) / 3), abs=1e-3)
    assert cell.interval[0] < cell.rmse < cell.interval[1]
    # Each series is ordered as measured; only its level is wrong.
    assert cell.tau == 1


def test_the_written_file_names_training_targets_by_place(tmp_path: Path) -> None:
    names = ["AAK1", "unnamed target T01602", "Renin (Homo sapiens)", "Serum albumin"]
    (tmp_path / "targets.json").write_text(json.dumps([{"name": name} for name in names]))
    (tmp_path / "model-card.json").write_text(json.dumps({"version": "1"}))
    write_accuracy(tmp_path, scored([(name, "", 0, 30, 1.0) for name in "ABC"]), PANEL)
    written = json.loads((tmp_path / "accuracy.json").read_text())
    assert written["families"] == {KINASES: [0], RECEPTORS: [], NUCLEAR: [], PROTEASES: [2], OTHER: [3]}
    assert written["rows"] == [
        {
            "family": OTHER, "from": 0, "below": 1, "proteins": 3, "compounds": 90, "rmse": 1.0, "interval": [1.0, 1.0],
            "tau": 1.0,
        }
    ]  # fmt: skip
