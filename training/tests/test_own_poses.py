"""Own values on top of the structure-adjusted number: the weights come from other genes, and only posed rows count."""

import numpy as np
from pytest import CaptureFixture

from affinity_model.own_poses import adjustment, draw_mixed, line, print_intervals, with_poses
from affinity_model.own_values import Series, Shares, Widths, draw

GENES, COMPOUNDS = 10, 20


def test_rows_without_a_pose_are_left_out_and_features_follow_the_rows() -> None:
    rows = {"system": np.array(["S", "S", "T"]), "name": np.array(["a", "b", "a"]), "pk": np.arange(3.0)}
    poses = [
        {"system": "T", "name": "a", "mean": "3", "similarity": "0.3", "difference": "1"},
        {"system": "S", "name": "b", "mean": "2", "similarity": "0.2", "difference": "0"},
    ]
    posed, features = with_poses(rows, poses)
    assert posed["pk"].tolist() == [1, 2]
    assert features.tolist() == [[2, 0.2, 0], [3, 0.3, 1]]


def test_weights_are_found_across_genes_and_move_a_series_around_its_mean() -> None:
    random = np.random.default_rng(1)
    count = GENES * COMPOUNDS
    features = random.normal(0, 1, (count, 2)) + 5
    gene = np.repeat([f"G{at}" for at in range(GENES)], COMPOUNDS)
    level = np.repeat(random.normal(0, 1, GENES), COMPOUNDS)
    pk = 6 + level + features @ [0.2, 0.5] + random.normal(0, 0.01, count)
    moved = adjustment({"gene": gene, "system": gene, "pk": pk, "predicted": np.full(count, 6.0)}, features)
    centred = features - np.repeat(features.reshape(GENES, COMPOUNDS, 2).mean(1), COMPOUNDS, axis=0)
    assert np.allclose(moved, centred @ [0.2, 0.5], atol=0.05)
    assert np.allclose(moved.reshape(GENES, COMPOUNDS).mean(1), 0)


def series_of(noise: float) -> list[Series]:
    """Ten series in two folds of genes; predictions miss by `noise`."""
    random, answer = np.random.default_rng(2), []
    for seed in range(GENES):
        y = np.random.default_rng(seed).normal(6, 1, COMPOUNDS)
        eye, ones, near = np.eye(COMPOUNDS), np.ones(COMPOUNDS), (0, 0.5, 0.8)[seed % 3]
        predicted = y + random.normal(0, noise, COMPOUNDS)
        sizes = np.random.default_rng(seed).normal(30, 5, COMPOUNDS)
        answer.append(Series(seed, seed % 2, y, predicted, 2 * ones, near + (1 - near) * eye, eye, sizes))
    return answer


SHARES = Shares(0.1, 0.6, 0.2, 0.1)


def test_a_better_number_gains_in_tau_and_error() -> None:
    plain, adjusted = (
        [d for one in of for d in draw(one, 3, SHARES)] for of in (series_of(2), series_of(0.2))
    )
    _, count, number, before, after, gain, *_ = (cell.strip() for cell in line(3, plain, adjusted).split("|"))
    assert (count, number) == ("3", str(GENES))
    assert float(after) < float(before)
    assert float(gain.split()[0]) > 0.2


def test_compounds_without_a_pose_are_not_moved_and_the_others_around_their_own_mean() -> None:
    pair = series_of(2)[0], series_of(0.2)[0]
    shift = pair[1].predicted - pair[0].predicted
    for drawn, moved in zip(draw(pair[0], 3, SHARES), draw_mixed(pair, 3, SHARES, posed=(False, True))):
        own = np.setdiff1d(np.arange(COMPOUNDS), drawn.rest)
        by = moved.series.predicted - pair[0].predicted
        assert np.allclose(by[own], 0)
        assert np.allclose(by[drawn.rest], shift[drawn.rest] - shift[drawn.rest].mean())
    unmoved = draw_mixed(pair, 3, SHARES, posed=(False, False))
    assert np.allclose(unmoved[0].of.predicted, draw(pair[0], 3, SHARES)[0].of.predicted)


def test_widths_that_are_too_narrow_for_the_adjusted_number_show(capsys: CaptureFixture[str]) -> None:
    narrow = Widths(16, np.full((4, 3), 0.01))
    print_intervals(series_of(0.5), series_of(0.5), SHARES, narrow)
    cells = [row.split("|") for row in capsys.readouterr().out.splitlines() if row.startswith("| 3 ")]
    inside = {name.strip(): float(share.strip(" %")) for _, _, name, _, share, *_ in cells}
    assert inside["shipped"] < 20
    assert inside["of other genes"] > 85
