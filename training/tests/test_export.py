"""The exported model predicts what was trained, and all features come from the TypeScript exporter."""

import csv
import gzip
import json
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch
from conftest import ROOT

from affinity_model.correction import Correction
from affinity_model.data import load_features
from affinity_model.export_onnx import export_parts
from affinity_model.fit import fit, prepare
from affinity_model.golden import golden_compounds, golden_targets, morgan_of, spread
from affinity_model.measured import COLUMNS, Measured, describe, gather, unpack
from affinity_model.model import CORRECTION_KNOTS, NUMBERS
from affinity_model.neighbours import folded_fingerprints
from affinity_model.target_swap import measure_target_swap

NODE = ROOT / "node_modules/.bin/node"


def run(path: Path, **inputs: np.ndarray) -> np.ndarray:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options).run(None, inputs)[0]


def meet(
    folder: Path,
    golden: dict,
    similarities: dict[str, list[float]],
    measured: np.ndarray,
    index: list[list[int]],
) -> np.ndarray:
    bits, descriptors = golden_compounds(golden)
    kmers, composition, length = golden_targets(golden)
    compounds = run(folder / "compound.onnx", bits=bits.numpy(), descriptors=descriptors.numpy())
    targets = run(
        folder / "target.onnx", words=kmers.numpy(), composition=composition.numpy(), length=length.numpy()
    )
    compound, target = (np.array(column, np.int64) for column in zip(*index))
    return run(
        folder / "pair.onnx",
        compounds=compounds,
        targets=targets,
        compound_similarity=np.array(similarities["compound"], np.float32),
        target_similarity=np.array(similarities["target"], np.float32),
        measured=measured,
        compound=compound,
        target=target,
    )


def some_correction() -> Correction:
    torch.manual_seed(5)
    return Correction(torch.randn(50, len(NUMBERS) + 3 + COLUMNS)).eval()


def shipped_measured(folder: Path) -> Measured:
    """Read as the product reads it."""
    packed = np.frombuffer(gzip.decompress((folder / "compound-fingerprints.bin.gz").read_bytes()), np.uint8)
    fingerprints = np.unpackbits(packed.reshape(-1, 128), axis=1, bitorder="little").astype(bool)
    counts = np.array([target["measured"] for target in json.loads((folder / "targets.json").read_text())])
    labels = np.frombuffer(gzip.decompress((folder / "measured.bin.gz").read_bytes()), "<u4")
    assert counts.sum() == len(labels)
    return unpack(fingerprints, counts, labels)


def test_graphs_predict_what_pytorch_predicts(
    tmp_path: Path, features, pairs, settings, golden: dict
) -> None:
    members = replace(settings, members=2, epochs=1, width=160)
    model = fit(*prepare(features, pairs, members), pairs, members)
    model.gating.copy_(torch.linspace(0, 1, model.gating.numel()).view_as(model.gating))
    index = [[c, t] for c in range(len(golden["compounds"])) for t in range(len(golden["targets"]))]
    measured = np.random.default_rng(3).normal(5, 2, (len(index), COLUMNS)).astype(np.float32)
    model.correction = some_correction()
    export_parts(model, features.manifest, tmp_path)
    similarities = {name: spread(len(golden[f"{name}s"])) for name in ("compound", "target")}
    with torch.no_grad():
        compounds = model.encode_compounds(*golden_compounds(golden))
        targets = model.encode_targets(*golden_targets(golden))
        c, t = torch.tensor(index).T
        near = torch.tensor(similarities["compound"])[c], torch.tensor(similarities["target"])[t]
        expected = model.pair(compounds[c], targets[t], *near, torch.from_numpy(measured)).numpy()
        without = model.pair(compounds[c], targets[t], *near, torch.zeros(len(index), COLUMNS)).numpy()
    np.testing.assert_allclose(meet(tmp_path, golden, similarities, measured, index), expected, atol=1e-4)
    known = np.array(similarities["target"])[t.numpy()] > CORRECTION_KNOTS[0]
    moved = np.abs(expected - without)[:, 0]
    assert moved[known].max() > 0.01 and moved[~known].max() == 0


def test_shipped_graphs_predict_what_pytorch_predicted(golden: dict) -> None:
    """On the pairs of the golden inputs, which come first; the product is tested on all 1,000."""
    folder = ROOT / "models/current"
    saved = json.loads((folder / "golden-predictions.json").read_text())
    assert len(saved["numbers"]) == len(saved["compounds"]) * len(saved["targets"]) == 1000
    index = [[c, t] for c in range(len(golden["compounds"])) for t in range(len(golden["targets"]))]
    expected = [saved["numbers"][c * len(saved["targets"]) + t] for c, t in index]
    compound, target = np.array(index).T
    fingerprints = morgan_of(golden_compounds(golden)[0], golden["featureSpec"])
    nearest = np.array(saved["nearest"])[target]
    known = describe(shipped_measured(folder), fingerprints, compound, nearest)
    np.testing.assert_allclose(meet(folder, golden, saved["similarities"], known, index), expected, atol=1e-4)


def test_swapped_targets_are_unrelated_and_their_predictions_differ(features, pairs, settings) -> None:
    model = fit(*prepare(features, pairs, settings), pairs, settings)
    every = np.arange(len(features.compound_ids)), np.arange(len(features.target_ids))
    labels = np.zeros(len(every[1]))
    fingerprints = folded_fingerprints(features, every[0])
    nothing = gather(fingerprints, np.zeros(len(labels), int), every[1], labels, labels > 0, len(labels))
    measured = measure_target_swap(model, features, nothing, *every, seed=1)
    assert measured["compounds"] == len(features.compound_ids)
    assert 2 <= measured["targets"] <= len(features.target_ids)
    assert measured["medianSpan"] > 0 and measured["shareThatHardlyVaries"] < 1


def test_shipped_model_was_trained_on_these_features(golden: dict) -> None:
    card = json.loads((ROOT / "models/current/model-card.json").read_text())
    assert card["featureSpecHash"] == golden["featureSpecHash"]


@pytest.fixture(scope="module")
def exported(tmp_path_factory, golden: dict):
    """The exporter, run on tables made from the golden inputs."""
    tables, out = tmp_path_factory.mktemp("tables"), tmp_path_factory.mktemp("features")
    drugs = [{"drug_id": f"D{i}", "smiles": c["smiles"]} for i, c in enumerate(golden["compounds"])]
    targets = [
        {"target_id": f"T{i}", "name": "", "sequence": "".join(t["segments"])}
        for i, t in enumerate(golden["targets"])
        if len(t["segments"]) == 1
    ]
    write(tables / "general/drugs.tsv.gz", drugs)
    write(tables / "general/targets.tsv.gz", targets)
    write(tables / "general/pairs.tsv.gz", [{"drug_id": "D0", "target_id": "T0"}])
    write(tables / "general/pairs_folds.tsv.gz", [{"drug_id": row["drug_id"]} for row in drugs])
    write(tables / "davis/drugs.tsv.gz", [{"drug_id": "1", "smiles_canonical": "CCO.Cl"}])
    write(tables / "davis/pairs.tsv.gz", [{"drug_id": "1", "target_id": "A"}])
    write(tables / "davis/targets.tsv.gz", [{"target_id": "A"}])
    # The sample structure has a chain of the first golden target; the table claims the same of 9XYZ, which does not
    # exist.
    write(tables / "bindingdb_kd/targets.tsv.gz", [{"target_id": "S0", "sequence": targets[0]["sequence"]}])
    entries = [{"pdb_id": "1HPV", "target_ids": "S9,S0"}, {"pdb_id": "9XYZ", "target_ids": "S0"}]
    write(tables / "bindingdb_kd/pdb_to_target.tsv.gz", entries)
    main = ROOT / "training/export/main.ts"
    folders = ["--data", tables, "--structures", ROOT / "samples", "--out", out]
    subprocess.run([NODE, main, *folders], check=True, cwd=ROOT)
    return load_features(out)


def write(path: Path, rows: list[dict[str, str]]) -> None:
    path.parent.mkdir(exist_ok=True)
    with gzip.open(path, "wt") as file:
        writer = csv.DictWriter(file, rows[0].keys(), delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def test_exported_compounds_are_the_golden_ones(exported, golden: dict) -> None:
    bits, _ = golden_compounds(golden)
    expected = np.array([c["descriptors"] for c in golden["compounds"]], np.float32)
    count = len(golden["compounds"])
    np.testing.assert_array_equal(exported.bits[:count].toarray(), bits.numpy())
    np.testing.assert_array_equal(exported.descriptors[:count], expected)


def test_exported_full_targets_are_the_golden_ones(exported, golden: dict) -> None:
    whole = [row for row, target in enumerate(golden["targets"]) if len(target["segments"]) == 1]
    kmers, composition, length = golden_targets(golden)
    full = slice(0, None, exported.variants)
    np.testing.assert_array_equal(exported.kmers[full].toarray(), kmers[whole].numpy())
    np.testing.assert_array_equal(exported.composition[full], composition[whole].numpy())
    np.testing.assert_array_equal(exported.lengths[full], length[whole, 0].numpy())
    for row, target in zip(range(0, len(exported.lengths), exported.variants), whole):
        np.testing.assert_array_equal(
            exported.identity_kmers[row].indices, golden["targets"][target]["identity"]
        )


def test_the_crystallised_form_follows_the_full_sequence(exported) -> None:
    assert exported.manifest["counts"]["crystallised"] == 1
    lengths = exported.lengths.reshape(-1, exported.variants)
    # Chain A of 1HPV is observed completely.
    assert lengths[0, 1] == lengths[0, 0] == 99
    np.testing.assert_array_equal(exported.kmers[1].toarray(), exported.kmers[0].toarray())


def test_cuts_are_no_longer_than_their_target(exported) -> None:
    lengths = exported.lengths.reshape(-1, exported.variants)
    assert (lengths[:, 1:] <= lengths[:, :1]).all()
    assert (lengths[:, 1:] < lengths[:, :1]).any()


def test_salts_are_stripped_as_in_the_product(exported) -> None:
    assert exported.compound_smiles[-1] == "CCO"
