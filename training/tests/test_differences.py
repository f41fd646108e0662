"""Differences between compounds of one assay: what is learnt from, and what the numbers promise."""

import gzip
import json
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from affinity_model.data import Features
from affinity_model.difference_report import adjusted, report
from affinity_model.differences import (
    ANCHORS_MAX,
    ENVIRONMENTS,
    GOLDEN,
    GRAPH,
    Inputs,
    anchors_of,
    between,
    choose_environments,
    differences_of,
    draw_pairs,
    export_differences,
    fit_differences,
    inputs_of,
    load_assays,
    main,
    similar_targets,
)
from affinity_model.golden import golden_compounds, load_golden


def write(path: Path, rows: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    content = "\n".join(row.replace(" ", "\t") for row in rows) + "\n"
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(content.encode()))
    else:
        path.write_text(content)


@pytest.fixture
def tables(tmp_path: Path, features: Features) -> Path:
    """Ten compounds each in assays A and B of target T, B being a published one, C without a name, D too small."""
    ids = features.compound_ids
    size = features.descriptors[:, 4]
    rows = ["smiles target_id type pK assay compound set"]
    rows += [f"{ids[at]} T Ki {6 + size[at] / 10:.3f} A x overlap" for at in range(12)]
    rows += [f"{ids[0]} T Ki {8 + size[0] / 10:.3f} A x overlap"]
    rows += [f"{ids[at]} T Ki 7 B x overlap" for at in range(20, 30)]
    rows += [f"{ids[at]} T Ki 7  x simpd" for at in range(30, 40)]
    rows += [f"{ids[at]} U|T IC50 7 D x overlap" for at in range(40, 43)]
    write(tmp_path / "chembl32/pairs.tsv.gz", rows)
    write(tmp_path / "series/systems.tsv", ["system gene assay ligands", "S G B 2"])
    write(
        tmp_path / "series/ligands.tsv.gz",
        ["system name smiles pK fep_pK", f"S a {ids[11]} 6 6", f"S b {ids[20]} 6 6"],
    )
    return tmp_path


def test_compounds_and_assays_of_the_series_are_left_out(features: Features, tables: Path) -> None:
    assays = load_assays(tables, features)
    assert sorted(assays.compound) == list(range(11))
    assert set(assays.group) == {0}
    repeated = assays.y[assays.compound == 0]
    assert repeated == pytest.approx(7 + features.descriptors[0, 4] / 10, abs=1e-3)
    assert len(load_assays(tables, features, {"T"}).compound) == 0


def test_pairs_are_of_one_assay(features: Features, tables: Path) -> None:
    assays = load_assays(tables, features)
    assays.group = assays.compound % 2
    one, other = draw_pairs(assays, features.block("morgan"))
    assert len(one) > 0
    assert (assays.group[one] == assays.group[other]).all()
    assert (one != other).all()


def test_differences_are_antisymmetric_and_centred_on_the_anchors(features: Features, tables: Path) -> None:
    assays = load_assays(tables, features)
    inputs = inputs_of(features, choose_environments(features, assays.compound))
    trees = fit_differences(assays, inputs, features.block("morgan"))
    found = differences_of(trees, inputs, np.arange(20))
    assert found.mean() == pytest.approx(0, abs=1e-9)
    pair = differences_of(trees, inputs, np.array([3, 7]))
    assert pair[0] == pytest.approx(-pair[1])
    assert differences_of(trees, inputs, np.array([3])) == pytest.approx([0])


def test_the_graph_answers_what_the_trees_do(features: Features, tables: Path, tmp_path: Path) -> None:
    """Three golden compounds from two others, through the bits and descriptors that the product sends."""
    everything = np.arange(len(features.compound_ids))
    assays = load_assays(tables, features)
    assays.compound, assays.group = everything, np.zeros(len(everything), int)
    assays.y = 6 + features.descriptors[:, 4] + features.block("morgan-counts").sum(1).A1 / 40
    environments = choose_environments(features, everything)
    assert len(set(environments)) == ENVIRONMENTS
    inputs = inputs_of(features, environments)
    trees = fit_differences(assays, inputs, features.block("morgan"))
    export_differences(trees, environments, features.manifest, tmp_path)
    graph = onnxruntime.InferenceSession(tmp_path / GRAPH)

    def ask(rows: list[int], anchors: list[int]) -> np.ndarray:
        bits, descriptors = features.bits.toarray(), features.descriptors
        of = {"bits": bits[rows], "descriptors": descriptors[rows]}
        return graph.run(
            None, of | {"anchor_bits": bits[anchors], "anchor_descriptors": descriptors[anchors]}
        )[0]

    one, other = np.repeat([0, 5, 9], 2), np.tile([3, 7], 3)
    expected = between(trees, inputs, one, other).reshape(3, 2)
    assert np.ptp(expected) > 0.1
    assert np.allclose(ask([0, 5, 9], [3, 7]), expected.mean(1), atol=1e-5)
    golden = np.array(json.loads((tmp_path / GOLDEN).read_text()))
    assert golden == pytest.approx(-golden.T)
    bits, descriptors = (of.numpy() for of in golden_compounds(load_golden()))
    answered = graph.run(None, {
        "bits": bits, "descriptors": descriptors, "anchor_bits": bits[2:3], "anchor_descriptors": descriptors[2:3]
    })[0]  # fmt: skip
    assert np.allclose(answered, golden[:, 2], atol=1e-5)


def test_the_strict_report_needs_poses() -> None:
    with pytest.raises(SystemExit):
        main(["--tables", "tables", "--strict"])


def test_a_compound_has_few_anchors_spread_over_all() -> None:
    assert anchors_of(3).tolist() == [0, 1, 2]
    many = anchors_of(1000)
    assert len(many) == ANCHORS_MAX
    assert (many[0], many[-1]) == (0, 999)


def test_inputs_are_differences_and_the_second_compound() -> None:
    inputs = Inputs(np.array([[1.0], [3.0]]), np.array([[0.0, 4.0], [2.0, 0.0]]))
    assert inputs.of(np.array([0]), np.array([1])).tolist() == [[-2, 3, -2, 4]]


def test_targets_that_resemble_a_chain_are_found(tmp_path: Path) -> None:
    write(tmp_path / "general/targets.tsv.gz", ["target_id sequence", "T MKVLAGHTREW", "U PPPPPPPPPP"])
    assert similar_targets(tmp_path, ["MKVLAG/HTREW"]) == {"T"}


def test_a_feature_that_ranks_each_series_raises_tau_and_one_without_content_does_not() -> None:
    random = np.random.default_rng(0)
    system = np.repeat([f"s{at}" for at in range(20)], 8)
    pk = random.normal(6, 1, len(system))
    rows = {
        "system": system, "gene": system, "pk": pk, "plain": np.full(len(pk), 6.0),
        "half": np.full(len(pk), 2.0), "heavyAtoms": random.integers(20, 40, len(pk)).astype(float),
        "true": pk + random.normal(0, 0.3, len(pk)), "noise": random.normal(0, 1, len(pk)),
    }  # fmt: skip
    moved = adjusted(rows, ["true"])
    assert np.corrcoef(moved, pk)[0, 1] > 0.8
    first, second, third = report(
        rows, {"plain": [], "and true": ["true"], "and noise": ["true", "noise"]}
    ).splitlines()
    assert first.startswith("plain: tau 0.000")
    assert "gain +0." in second
    assert "gain +0.00" in third or "gain -0.00" in third or "gain +0.01" in third
