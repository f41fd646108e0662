"""A fold never learns from itself, and the final prediction is scored on all of its rows."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from affinity_model.data import GROUPS, Features, Pairs
from affinity_model.evaluate import make_fold
from affinity_model.final_stage import SIDES, Stack, Stage, read_stage, write_stage
from affinity_model.general_folds import (
    BASE,
    DECOY,
    LINE,
    MIXED,
    decoys,
    hidden,
    score_fold,
    what_is_known,
)
from affinity_model.regimes import only
from affinity_model.settings import Settings
from affinity_model.wide_data import FURTHER_GROUPS, Wide
from affinity_model.wide_parts import fit_wide_parts

SHARES = np.tile([0.0, 0.5, 1.0], (5, 1))


@pytest.fixture(scope="module")
def wide(features: Features, pairs: Pairs) -> Wide:
    """The general table alone, with its compounds in another order."""
    full = slice(None, None, features.variants)
    shown = replace(
        features,
        bits=features.bits[::-1],
        descriptors=features.descriptors[::-1].copy(),
        variants=1,
        kmers=sp.csr_matrix(features.kmers[full]),
        composition=features.composition[full],
        lengths=features.lengths[full],
        identity_kmers=sp.csr_matrix(features.identity_kmers[full]),
    )
    of_general = np.arange(len(features.compound_ids))[::-1].copy()
    groups = np.zeros((len(pairs), len(GROUPS) + len(FURTHER_GROUPS)), np.float32)
    placed = replace(pairs, groups=groups, compound=of_general[pairs.compound])
    known = np.arange(len(features.target_ids))
    return Wide(shown, known, placed, np.full(len(pairs), ""), ~pairs.is_below, of_general)


@pytest.fixture
def stage() -> Stage:
    return Stage(Stack(0.0, 0.0, 0.0, 1.0, 0.0, 1.0), SHARES, np.full((len(SIDES), 5, 5), 2.0))


@pytest.mark.parametrize("regime", ["random", "scaffold", "target", "both"])
def test_training_rows_contain_nothing_that_a_fold_leaves_out(wide: Wide, pairs: Pairs, regime: str) -> None:
    fold = make_fold(pairs, regime, 1)
    left = wide.pairs.take(~hidden(wide, fold.test, regime))
    compounds, targets = wide.of_general[fold.test.compound], fold.test.target
    if regime in ("scaffold", "both"):
        assert not set(left.compound) & set(compounds)
    if regime in ("target", "both"):
        assert not set(left.target) & set(targets)
    assert not set(zip(left.compound, left.target)) & set(zip(compounds, targets))
    assert len(left) > len(pairs) // 3


def test_a_random_fold_leaves_out_only_its_pairs(wide: Wide, pairs: Pairs) -> None:
    fold = make_fold(pairs, "random", 1)
    assert hidden(wide, fold.test, "random").sum() == len(fold.test)


def test_a_decoy_is_another_protein_of_the_fold(wide: Wide) -> None:
    asked = np.array([3, 3, 5, 7])
    drawn = decoys(wide, asked, np.random.default_rng(0))
    assert set(drawn) <= set(asked) and not np.any(drawn == asked)
    assert drawn[0] == drawn[1]


def test_the_stage_of_a_model_folder_survives_writing_and_reading(stage: Stage, tmp_path: Path) -> None:
    write_stage(stage, tmp_path)
    read = read_stage(tmp_path / "final-stage.json")
    assert read.stack == stage.stack
    np.testing.assert_array_equal(read.shares, stage.shares)
    np.testing.assert_array_equal(read.half_widths, stage.half_widths)


def test_base_and_linear_stage_are_mixed_by_the_share(
    wide: Wide, pairs: Pairs, settings: Settings, stage: Stage
) -> None:
    fold = make_fold(pairs, "target", 1)
    parts = fit_wide_parts(only(wide, ~hidden(wide, fold.test, "target")), settings)
    count = len(fold.test)
    rows = {
        "compound": wide.of_general[fold.test.compound],
        "target": fold.test.target,
        "pk": fold.test.y.astype(np.float64),
        "base": np.full(count, 4.0),
        "base_half_width": np.full(count, 0.5),
        "base_labels": np.zeros(count),
        "base_similarity": np.zeros(count),
        "compound_similarity": np.full(count, 1.0),
    }
    said = score_fold(what_is_known(wide, parts, rows), stage)
    # For compounds known from other targets the base model counts alone.
    assert said[MIXED]["rmse"] == said[BASE]["rmse"] > 0
    assert said[MIXED]["coverage"] > said[BASE]["coverage"]
    assert {of["compounds"] for of in said.values()} == {count}
    assert said[DECOY]["rmse"] != said[LINE]["rmse"]
    of_strangers = what_is_known(wide, parts, rows | {"compound_similarity": np.zeros(count)})
    below = score_fold(of_strangers, stage)
    assert below[MIXED]["rmse"] == below[LINE]["rmse"] < below[BASE]["rmse"]
