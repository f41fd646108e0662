"""What the product reads is what was fitted."""

import gzip
import json
from pathlib import Path

import numpy as np

from affinity_model.export import identity_words, offsets_by_target, write_measured
from affinity_model.tables import Compounds, Rows, Targets


def test_labels_carry_compound_bound_and_value_target_by_target(
    tmp_path: Path, compounds: Compounds, targets: Targets, rows: Rows
) -> None:
    (tmp_path / "general").mkdir()
    (tmp_path / "davis").mkdir()
    (tmp_path / "chembl32").mkdir()
    for name, header in (
        ("general/drugs", "name\tsmiles\nmethane\tC\n"),
        ("davis/drugs", "name\tsmiles_canonical\n"),
        ("chembl32/pairs", "compound\tsmiles\n"),
    ):
        (tmp_path / f"{name}.tsv.gz").write_bytes(gzip.compress(header.encode()))
    residual = np.linspace(-1, 1, len(rows)).astype(np.float32)
    write_measured(tmp_path, tmp_path, compounds, targets, rows, residual)
    packed = np.frombuffer(gzip.decompress((tmp_path / "measured.bin.gz").read_bytes()), "<u4").astype(
        np.int64
    )
    missed = np.frombuffer(gzip.decompress((tmp_path / "residuals.bin.gz").read_bytes()), "<f2")
    described = json.loads((tmp_path / "targets.json").read_text())
    assert [one["measured"] for one in described] == np.bincount(rows.target, minlength=4).tolist()
    used, order = np.unique(rows.compound), np.lexsort((rows.compound, rows.target))
    assert np.array_equal(used[packed // 4096], rows.compound[order])
    is_bound = packed // 2048 % 2 == 1
    assert np.array_equal(is_bound, rows.is_bound[order])
    value = packed % 2048 / 100 + np.where(is_bound, 0.7, 0)
    assert np.abs(value - rows.y[order]).max() < 0.0051
    assert (missed[is_bound] == 0).all()
    assert np.abs(missed[~is_bound] - residual[order][~is_bound]).max() < 0.001
    structures = json.loads(gzip.decompress((tmp_path / "compound-structures.json.gz").read_bytes()))
    assert structures["compounds"][0] == ("C\tmethane" if used[0] == 0 else compounds.smiles[used[0]])


def test_words_are_numbered_as_in_the_product() -> None:
    assert identity_words("AAAAC").tolist() == [0, 1]
    assert identity_words("AAXAAA").tolist() == []


def test_a_target_with_few_values_has_the_offset_of_all(rows: Rows) -> None:
    offsets = offsets_by_target(rows, np.array([0.0, 0.1, -0.5, 0.2], np.float32), 4)
    exact = ~rows.is_bound
    assert np.isclose(offsets[3], np.array([0.0, 0.1, -0.5, 0.2])[rows.kind[exact]].mean(), atol=1e-6)
    assert len(set(offsets[:3].tolist())) == 3
