"""Every fold is evaluated once, whatever the process, and the tables count all of its rows."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from affinity_model.evaluate import (
    FOLDS,
    REGIMES,
    SCORED,
    evaluate,
    load_rows,
    make_fold,
    prepare_experiment,
    score_fold,
)
from affinity_model.scores import fold_table, predict_out_of_fold, score_table


@pytest.fixture(scope="module")
def quick(settings):
    return replace(settings, epochs=1, kernel_iterations=3, boosting_rounds=5, boosting_pair_rounds=5)


@pytest.fixture(scope="module")
def folder(features, pairs, quick, tmp_path_factory):
    torch.set_num_threads(1)
    out = tmp_path_factory.mktemp("evaluation")
    seconds = evaluate(prepare_experiment(features, pairs, quick), SCORED, 2, out)
    assert set(seconds) == set(SCORED)
    return out


@pytest.mark.parametrize("part", ["kernel", "networks", "boosting"])
def test_parallel_processes_give_the_same_result_as_one(folder, features, pairs, quick, part) -> None:
    experiment = prepare_experiment(features, pairs, quick)
    alone = score_fold(experiment, make_fold(pairs, "target", 2), part)
    with np.load(folder / part / "target-2.npz") as shared:
        for name, numbers in alone.items():
            np.testing.assert_array_equal(shared[name], numbers)


def test_the_tables_count_every_exact_row_of_every_fold(folder, pairs, quick) -> None:
    rows = load_rows(folder, quick.kernel_share)
    out_of_fold = predict_out_of_fold(rows)
    folds = fold_table(rows, out_of_fold)
    assert [(f["regime"], f["fold"]) for f in folds] == [(r, f) for r, given in FOLDS.items() for f in given]
    exact = int((~pairs.is_below).sum())
    for regime in ("random", "scaffold", "target"):
        assert sum(f["rows"] for f in folds if f["regime"] == regime) == exact
    table = score_table(rows, out_of_fold)
    for regime, named in REGIMES.items():
        counted = sum(f["rows"] for f in folds if f["regime"] == regime and f["fold"] in named)
        assert table[regime]["rows"] == counted
        by_hand = np.sqrt(
            np.mean(
                [
                    (out_of_fold.predicted[i] - rows["y"][i]) ** 2
                    for i in np.flatnonzero((rows["regime"] == regime) & np.isin(rows["fold"], named))
                ]
            )
        )
        assert table[regime]["models"]["shipped"]["rmse"] == pytest.approx(by_hand, abs=6e-4)
