"""External predictions never use a Davis label, a Davis drug, or a target that must be new."""

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest
import torch

from affinity_model.benchmarks.external import load_sources, with_source_priors
from affinity_model.benchmarks.inputs import Inputs
from affinity_model.benchmarks.tables import Table, load_table

SEQUENCES = {"A": "MKAA", "B": "MKBB"}


def write(folder: Path, name: str, rows: list[dict]) -> None:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    with gzip.open(path, "wt") as file:
        writer = csv.DictWriter(file, rows[0].keys(), delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


@pytest.fixture
def davis() -> Table:
    held = np.zeros((5, 1), bool)
    labels = np.full((1, 2), 7.0)
    return Table("davis", ["1"], ["A", "B"], list(SEQUENCES.values()), labels, labels > 9, held, held)


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    targets = [{"target_id": f"T{key}", "sequence": value} for key, value in SEQUENCES.items()]
    write(tmp_path, "general/targets.tsv.gz", [*targets, {"target_id": "TX", "sequence": "WWWW"}])
    rows = [
        ("c1", "TA", "8", "=", "Ki", "metz", ""),
        ("c1", "TX", "9", "=", "Ki", "metz", ""),
        ("c2", "TA", "6.1", "<", "Ki", "metz", ""),
        ("same", "TA", "8", "=", "Ki", "metz", ""),
        ("c2", "TB", "7", "=", "Kd", "bindingdb|davis", ""),
        ("c1", "TB", "7", "=", "Kd", "bindingdb", "davis_drug"),
        ("c2", "TA", "6", "=", "Kd", "bindingdb", ""),
    ]
    columns = ("drug_id", "target_id", "pK", "relation", "types", "sources", "flags")
    write(tmp_path, "general/pairs.tsv.gz", [dict(zip(columns, row)) for row in rows])
    write(tmp_path, "kiba/drugs.tsv.gz", [{"drug_id": "k"}, {"drug_id": "same"}])
    write(tmp_path, "kiba/targets.tsv.gz", [{"target_id": "P", "sequence": SEQUENCES["B"]}])
    pairs = [{"drug_id": drug, "target_id": "P", "kiba_score": 12, "fold": "test"} for drug in ("k", "same")]
    write(tmp_path, "kiba/pairs.tsv.gz", pairs)
    cold = {f"{kind}_cold_{split}": "r" for kind in ("drug", "protein") for split in range(1, 6)}
    write(tmp_path, "kiba/cold_splits.tsv.gz", [cold, cold])
    return tmp_path


@pytest.fixture
def compounds(features):
    """The synthetic features under these names; the compounds called `same` equal the Davis drug."""
    names = ["davis:1", "c1", "c2", "kiba:k", "same", "kiba:same"]
    bits = features.bits[[0, 1, 2, 3, 0, 0]]
    return type(features)(
        **{
            **vars(features),
            "compound_ids": names,
            "bits": bits,
            "descriptors": features.descriptors[[0, 1, 2, 3, 0, 0]],
        }
    )


def test_other_sources_contribute_only_other_compounds_on_davis_targets(tables, compounds, davis) -> None:
    metz, kd, kiba = load_sources(tables, compounds, davis, torch.ones(1, 2, 2))
    assert load_table(tables, "kiba").labels.shape == (2, 1)
    assert metz.labels[0].isnan().all() and metz.labels.shape == (3, 2)
    np.testing.assert_allclose(metz.labels[1:, 0], [1.5, -1.5])  # 8 and 5: a bound counts as no binding
    np.testing.assert_allclose(kd.labels[1:, 0], [0])
    assert [int((~source.labels.isnan()).sum()) for source in (kd, kiba)] == [1, 1]


def test_a_target_held_out_as_new_is_also_new_to_other_sources() -> None:
    asked = []

    class Recorder:
        def predict(self, unseen: np.ndarray) -> torch.Tensor:
            asked.append(unseen.tolist())
            return torch.zeros(5, 3)

    inputs = Inputs(torch.ones(1, 2, 2), torch.ones(1, 3, 3), torch.zeros(0, 2, 3), (Recorder(),))
    visible = np.array([[1.0, np.nan, np.nan], [np.nan, np.nan, 2.0]])
    assert with_source_priors(inputs, visible).prior.shape == (1, 2, 3)
    assert asked == [[False, True, False]]
