"""The parts besides the base model: analogues raise similar compounds, and the product gets the fitted numbers."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import scipy.sparse as sp
import torch

from affinity_model.data import GROUPS, Features, Pairs
from affinity_model.golden import golden_compounds, golden_targets
from affinity_model.held_back import draw
from affinity_model.neighbours import folded_fingerprints
from affinity_model.regimes import numbers_of
from affinity_model.settings import Settings
from affinity_model.wide_data import FURTHER_GROUPS, Wide, twins_of
from affinity_model.wide_model import SIZE_MAX, export_wide, highest_by_size, in_order_of
from affinity_model.wide_parts import MEANS, WideParts, fit_wide_parts


@pytest.fixture(scope="module")
def wide(features: Features) -> Wide:
    """Two targets, one with labels: forty compounds, every second one strong."""
    full = slice(None, None, features.variants)
    shown = replace(
        features,
        variants=1,
        kmers=sp.csr_matrix(features.kmers[full]),
        composition=features.composition[full],
        lengths=features.lengths[full],
        identity_kmers=sp.csr_matrix(features.identity_kmers[full]),
    )
    count = 40
    groups = np.zeros((count, len(GROUPS) + len(FURTHER_GROUPS)), np.float32)
    groups[:3, -len(FURTHER_GROUPS) :] = [[1, 0], [0, 1], [0, 1]]
    pairs = Pairs(
        compound=np.arange(count, dtype=np.int32),
        target=np.zeros(count, np.int32),
        y=np.where(np.arange(count) % 2, 5.0, 8.0).astype(np.float32),
        is_below=np.zeros(count, bool),
        groups=groups,
        is_reference=np.ones(count, bool),
        folds=np.zeros((count, 3), np.int8),
    )
    everything = np.arange(len(shown.compound_ids))
    return Wide(shown, np.array([0, 3]), pairs, np.full(count, ""), np.ones(count, bool), everything)


@pytest.fixture(scope="module")
def parts(wide: Wide, settings: Settings) -> WideParts:
    return fit_wide_parts(wide, settings)


def test_targets_with_the_same_k_mers_share_one_representative() -> None:
    similarity = np.array([[1, 0.99, 0.2], [0.99, 1, 0.2], [0.2, 0.2, 1]])
    assert twins_of(similarity).tolist() == [0, 0, 2]


def test_a_target_that_the_model_does_not_know_has_the_place_of_its_twin(wide: Wide) -> None:
    same = [0, 0, *range(2, len(wide.features.target_ids))]
    features = replace(wide.features, identity_kmers=wide.features.identity_kmers[same])
    twins = replace(wide, features=features, known_targets=np.array([1, 3]))
    assert twins.places_of(np.array([3, 0, 1])).tolist() == [1, 0, 0]
    with pytest.raises(KeyError):
        twins.places_of(np.array([2]))


def test_a_strong_analogue_on_the_target_raises_the_prediction(wide: Wide, parts: WideParts) -> None:
    asked = folded_fingerprints(wide.features, np.array([0, 1]))
    (strong, weak), similarity = parts.analogues.of(asked, 0)
    assert strong > weak + 0.3
    assert similarity.tolist() == [1, 1]
    assert [values.tolist() for values in parts.analogues.of(asked, 1)] == [[0, 0], [0, 0]]


def test_means_are_those_of_the_values_and_of_the_parts_on_their_compounds(
    wide: Wide, parts: WideParts
) -> None:
    of_first, of_second = parts.means
    rows = numbers_of(parts, wide, wide.pairs.compound, wide.pairs.target)
    expected = [6.5, *(rows[name].mean() for name in MEANS[1:])]
    assert of_first == pytest.approx(expected, abs=1e-4)
    assert of_second.tolist() == [0] * len(MEANS)


def test_the_product_reads_the_parts_predictions(
    tmp_path: Path, wide: Wide, parts: WideParts, golden
) -> None:
    export_wide(parts, wide, tmp_path)
    bits, descriptors = (values.numpy() for values in golden_compounds(golden))
    kmers, composition, length = (values.numpy() for values in golden_targets(golden))
    compounds = run(tmp_path / "wide-compound.onnx", bits=bits, descriptors=descriptors)
    targets = run(tmp_path / "wide-target.onnx", words=kmers, composition=composition, length=length)
    kernel = compounds[:, : targets.shape[1]] @ targets.T
    for said in json.loads((tmp_path / "wide-golden.json").read_text()):
        assert said["kernel"] == pytest.approx(kernel[said["compound"], said["target"]], abs=1e-4)
        assert said["pooled"] == pytest.approx(compounds[said["compound"], -1], abs=1e-4)
    described = json.loads((tmp_path / "wide.json").read_text())
    assert (described["groupOfTarget"], described["labelsOfGroup"]) == ([0, 1], [40, 0])
    assert described["mostlyOfGroup"] == ["IC50", "other"]
    assert np.array(described["meansOfGroup"]) == pytest.approx(parts.means, abs=1e-4)
    labels = np.frombuffer(gzip.decompress((tmp_path / "wide-measured.bin.gz").read_bytes()), "<u4")
    assert labels[40:].view("<f4").tolist() == parts.analogues.weight.tolist()
    assert labels[:40].tolist() == parts.analogues.compound.tolist()


def test_the_kernel_is_one_product_of_two_encodings(wide: Wide, parts: WideParts, golden) -> None:
    with torch.no_grad():
        compounds = parts.encode_compounds(*golden_compounds(golden))
        targets = parts.encode_targets(*golden_targets(golden))
    mapped = parts.featurized.compound_inputs(*golden_compounds(golden))[0]
    shown = parts.featurized.target_inputs(parts.featurized.target_featurizer(*golden_targets(golden)))[0]
    expected = parts.kernel.predict(
        mapped, shown, (np.arange(len(targets)), np.arange(len(targets))), parts.settings
    )
    assert (compounds[: len(targets), :-1] * targets).sum(1).numpy() == pytest.approx(expected, abs=1e-4)


def test_small_compounds_have_a_lower_cap(wide: Wide) -> None:
    names = wide.features.manifest["featureSpec"]["compound"]["descriptors"]
    descriptors = np.zeros((2000, len(names)), np.float32)
    descriptors[:, names.index("NumHeavyAtoms")] = np.repeat([10, 30], 1000)
    rows = np.arange(2000, dtype=np.int32)
    pairs = Pairs(
        rows, rows * 0, np.repeat([4.0, 9.0], 1000).astype(np.float32), rows < 0,
        np.zeros((2000, 1)), rows < 0, np.zeros((2000, 3)),
    )  # fmt: skip
    highest = highest_by_size(
        replace(wide, features=replace(wide.features, descriptors=descriptors), pairs=pairs)
    )
    assert len(highest) == SIZE_MAX + 1
    assert highest[[0, 10, 30, SIZE_MAX]].tolist() == [2, 4, 9, 9]
    assert highest[5] == pytest.approx(3)
    assert (np.diff(highest) >= 0).all()


def listing(wide: Wide, rows: list[int]) -> str:
    """targets.json with these targets."""
    words = np.diff(wide.features.identity_kmers.indptr)
    return json.dumps([{"name": wide.features.target_names[row], "words": int(words[row])} for row in rows])


def test_labels_follow_the_targets_of_the_model_folder(
    wide: Wide, settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "targets.json").write_text(listing(wide, [0, 2, 3]))
    ordered = in_order_of(wide, tmp_path)
    assert ordered.known_targets.tolist() == [0, 2, 3]
    parts = fit_wide_parts(ordered, settings)
    labels = np.diff(parts.analogues.starts)[parts.analogues.group]
    assert labels.tolist() == [40, 0, 0]


def test_a_model_folder_that_lacks_a_target_or_lists_another_is_refused(wide: Wide, tmp_path: Path) -> None:
    for listed in (
        listing(wide, [0, 2]),
        listing(wide, [3, 0]),
        listing(wide, [0, 3]).replace('"words": ', '"words": 1'),
    ):
        (tmp_path / "targets.json").write_text(listed)
        with pytest.raises(SystemExit, match="Train and export the base model"):
            in_order_of(wide, tmp_path)


def test_whole_assays_and_single_rows_are_held_back() -> None:
    rows = [{"smiles": f"{at}", "assay": f"A{at // 10}" if at < 100 else ""} for at in range(300)]
    drawn = draw(rows, np.random.default_rng(0), 20)
    assays = [row["assay"] for row in drawn[:20]]
    assert len(drawn) == 40 == len({row["smiles"] for row in drawn})
    assert {assays.count(name) for name in assays} == {10}


def run(path: Path, **inputs: np.ndarray) -> np.ndarray:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options).run(None, inputs)[0]
