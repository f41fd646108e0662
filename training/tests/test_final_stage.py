"""The final stage learns from other genes only, trusts the base model where it is right, and widens with uncertainty."""

import json

import numpy as np
import pytest

from affinity_model.final_stage import (
    AVERAGED,
    LABEL_EDGES,
    LABEL_KNOTS,
    LEVEL_PRIOR,
    SIDES,
    SIMILARITY_EDGES,
    SIMILARITY_KNOTS,
    Level,
    Line,
    Stack,
    Stage,
    base_share,
    fit_half_widths,
    fit_level,
    fit_shares,
    fit_shares_of_unknown,
    fit_stack,
    fit_stage,
    level_steps,
    out_of_fold,
    read_stage,
    stacked_columns,
    strata,
    take,
    width_table,
    write_rows,
    write_stage,
)
from affinity_model.outside import Rows, gene_folds, load_rows

SERIES, OF_EACH = 20, 30
GENES = np.arange(400) % 20


def made_rows(seed: int = 1) -> Rows:
    """Series on ten genes; the kernel's prediction is right within a series, differences between series are random."""
    random = np.random.default_rng(seed)
    series = np.repeat(np.arange(SERIES), OF_EACH)
    count = len(series)
    kernel = random.normal(size=count) + random.normal(0, 2, SERIES)[series]
    pk = 6.5 + 0.8 * kernel + random.normal(0, 1.5, SERIES)[series] + random.normal(0, 0.3, count)
    near = random.random(count)
    return {
        "system": np.array([f"S{at}" for at in series]),
        "gene": np.array([f"G{at // 2}" for at in series]),
        "pk": pk,
        "in_training": np.zeros(count),
        "type": np.full(count, "Ki"),
        "kernel": kernel,
        "heavy_atoms": random.normal(25, 3, count),
        "logp": random.normal(3, 1, count),
        "pooled": random.normal(size=count),
        "analogues": random.normal(size=count),
        "wide_similarity": near,
        "base_similarity": near,
        "compound_similarity": np.full(count, 0.5),
        "similarity_on_target": near,
        "base_labels": np.full(count, 200.0),
        "labels_on_target": np.full(count, 200.0),
        "mostly": np.array(SIDES)[series % 2],
        # Right if a similar compound was measured, random otherwise.
        "base": np.where(near > 0.7, pk, 4 + random.normal(0, 2, count)),
        "base_half_width": np.full(count, 0.5),
        "highest": np.full(count, 12.0),
    }


def test_a_stack_learns_the_ranking_within_shifted_series() -> None:
    rows = made_rows()
    _, series = np.unique(rows["system"], return_inverse=True)
    fitted = fit_stack(stacked_columns(rows), rows["pk"], series, (0.001, 30.0))
    assert fitted.kernel == pytest.approx(0.8, abs=0.05)
    assert fitted.pooled == pytest.approx(0.0, abs=0.05)


def test_labels_of_a_gene_never_influence_its_own_predictions_or_intervals() -> None:
    rows, held_back = made_rows(), made_rows(2)
    held = gene_folds(rows["gene"]) == 2
    noisy = rows | {"pk": np.where(held, 20.0, rows["pk"])}
    for told, hidden in zip(out_of_fold(rows, held_back), out_of_fold(noisy, held_back)):
        assert told[held] == pytest.approx(hidden[held])


def test_the_base_counts_if_it_is_right_and_never_less_with_more_values() -> None:
    rows = made_rows()
    rows["base_labels"] = np.random.default_rng(3).integers(0, 150, len(rows["pk"])).astype(float)
    of_unknown = np.array([0.1, 0.4, 0.6])
    shares = fit_shares(rows, np.full(len(rows["pk"]), 6.5), of_unknown)
    assert shares.shape == (len(LABEL_KNOTS), len(SIMILARITY_KNOTS))
    known = shares[1:]
    assert (np.diff(known, axis=0) >= 0).all() and (np.diff(known, axis=1) >= 0).all()
    assert known[:, 0].tolist() == [0] * len(known) and known[:, -1].tolist() == [1] * len(known)
    assert shares[0].tolist() == of_unknown.tolist()
    right = made_rows() | {"base": made_rows()["pk"]}
    assert fit_shares(right, np.full(len(right["pk"]), 6.5), of_unknown)[-1, 1] > 0.8
    wrong = right | {"base": -right["pk"]}
    assert fit_shares(wrong, np.full(len(right["pk"]), 6.5), of_unknown)[-1, 1] < 0.1


def test_for_an_unknown_protein_the_base_counts_if_a_similar_compound_is_known() -> None:
    random = np.random.default_rng(6)
    rows = made_rows() | {"base_labels": np.zeros(600), "compound_similarity": random.random(600)}
    near = rows["compound_similarity"] > 0.6
    rows["base"] = np.where(near, rows["pk"], random.normal(0, 2, 600))
    stacked = np.full(600, 6.5)
    share = fit_shares_of_unknown((rows, stacked), [])
    assert share[0] < 0.2 and share[-1] > 0.8 and (np.diff(share) >= 0).all()
    # The folds of the general table weigh as much as all series together, whatever their number of rows.
    wrong = take(rows, np.arange(60)) | {"base": -rows["pk"][:60]}
    assert fit_shares_of_unknown((rows, stacked), [(wrong, stacked[:60])])[-1] < share[-1]
    assert fit_shares_of_unknown((take(rows, np.arange(0)), stacked[:0]), []).tolist() == [0, 0, 0]


def test_shares_for_unknown_proteins_can_be_kept_from_an_earlier_model() -> None:
    rows, kept = made_rows(), np.array([0.1, 0.2, 1.0])
    fitted, refitted = fit_stage(rows, made_rows(2), kept), fit_stage(rows, made_rows(2))
    assert fitted.shares[0].tolist() == kept.tolist() != refitted.shares[0].tolist()
    assert fitted.shares[1:].tolist() == refitted.shares[1:].tolist()


def with_means(rows: Rows, side: str, labels: float) -> Rows:
    """Every target's values lie 1 above what a stack of 6 expects."""
    count = len(rows["pk"])
    means = {f"mean_{name}": np.zeros(count) for name in AVERAGED}
    return (
        rows
        | means
        | {"mean_pk": np.full(count, 7.0), "mostly": np.full(count, side), "labels": np.full(count, labels)}
    )


def test_a_line_moves_towards_the_values_on_a_target_the_more_there_are() -> None:
    line = Line(Stack(6, 0, 0, 0, 0, 0), Level(0.5, 0))
    said = [line.of(with_means(made_rows(), "Ki", labels))[0] for labels in (0, 10, 1e6)]
    assert said == pytest.approx([6, 6.25, 6.5], abs=1e-4)
    # Values of other tables are often of panels, whose level says little of other compounds.
    assert line.of(with_means(made_rows(), "other", 1e6))[0] == 6


def test_a_line_moves_towards_the_kernel_only_on_a_target_with_values() -> None:
    rows = made_rows()
    line = Line(Stack(6, 0, 0, 0, 0, 0), Level(0, 0.4))
    assert line.of(with_means(rows, "Ki", 3)) == pytest.approx(6 + 0.4 * (rows["kernel"] - 6))
    assert line.of(with_means(rows, "Ki", 0)).tolist() == [6] * len(rows["kernel"])


def test_the_level_is_learnt_on_series_and_on_hidden_values_alike() -> None:
    stack = Stack(6, 0, 0, 0, 0, 0)
    rows = with_means(made_rows(), "Ki", 1e6)
    rows["kernel"], rows["pk"] = np.full(600, 6.0), np.full(600, 6.0)
    stacked = np.full(600, 6.0)
    series = rows, stacked, level_steps(stack, stacked, rows)
    # Series say that the level does not count, the others that it counts wholly, however few their rows.
    hidden = take(rows, np.arange(30)) | {"pk": np.full(30, 7.0)}
    assert fit_level(stack, series, [hidden]).values == pytest.approx(0.5, abs=1e-3)
    assert fit_level(stack, series, [hidden, hidden]).values == pytest.approx(2 / 3, abs=1e-3)
    assert fit_level(stack, series, []) == Level()


def test_for_an_identical_compound_only_the_base_counts() -> None:
    rows = take(made_rows(), np.arange(3)) | {"compound_similarity": np.array([0.9, 0.95, 1.0])}
    assert base_share(rows, np.zeros((len(LABEL_KNOTS), len(SIMILARITY_KNOTS)))).tolist() == pytest.approx(
        [0, 0.5, 1]
    )


def test_intervals_cover_95_percent_and_never_narrow_with_fewer_values() -> None:
    random = np.random.default_rng(4)
    count = 20_000
    rows = {
        "labels_on_target": random.choice([0.0, 5.0, 50.0, 5000.0], count),
        "similarity_on_target": random.random(count),
        "mostly": np.full(count, "Ki"),
        "gene": random.integers(0, 10, count),
        "type": np.full(count, "Ki"),
    }
    few = rows["labels_on_target"] < 1000
    errors = np.abs(random.normal(size=count)) * (2 - rows["similarity_on_target"])
    harder, easier = (errors * np.where(few, factor, 1) for factor in (1.5, 0.5))
    widths = fit_half_widths(harder, rows)
    for of in (few, ~few):
        assert np.mean(harder[of] <= widths[strata(rows)][of]) == pytest.approx(0.95, abs=0.02)
    # If rows with few labels happen to be easier, their interval does not get narrower.
    for table in (widths, fit_half_widths(easier, rows)):
        assert (np.diff(table, axis=1) <= 1e-9).all() and (np.diff(table, axis=2) <= 1e-9).all()


def test_the_type_with_the_largest_errors_sets_the_interval_width() -> None:
    rows = {name: np.full(400, 0.5) for name in ("labels_on_target", "similarity_on_target")}
    rows |= {"type": np.repeat(["IC50", "Ki"], [120, 280]), "mostly": np.full(400, "other"), "gene": GENES}
    errors = np.where(rows["type"] == "IC50", 2.0, 0.5)
    assert fit_half_widths(errors, rows)[0].min() == pytest.approx(2)


def test_targets_with_mostly_ic50_values_have_separate_widths() -> None:
    rows = {name: np.full(400, 5.0) for name in ("labels_on_target", "similarity_on_target")}
    rows |= {"type": np.full(400, "IC50"), "mostly": np.repeat(["IC50", "Ki"], 200), "gene": GENES}
    errors = np.where(rows["mostly"] == "IC50", 2.0, 0.5)
    widths = fit_half_widths(errors, rows)
    _, few, near = (values[0] for values in strata(rows))
    assert widths[1:, few, near] == pytest.approx([0.5, 2.0])
    # Without values on the target the type is unknown: the largest width applies.
    assert widths[:, 0] == pytest.approx(np.repeat(widths[2:, 0], 3, axis=0))
    assert (widths[:, 0] >= widths[:, 1]).all()


def test_the_chosen_quantile_covers_left_out_targets() -> None:
    random = np.random.default_rng(5)
    gene = np.repeat(np.arange(25), 80)
    rows = {name: np.full(len(gene), 5.0) for name in ("labels_on_target", "similarity_on_target")}
    rows |= {"type": np.full(len(gene), "Ki"), "mostly": np.full(len(gene), "Ki"), "gene": gene}
    errors = np.abs(random.normal(0, 2, 25)[gene] + random.normal(0, 0.3, len(gene)))
    _, few, near = (values[0] for values in strata(rows))
    assert fit_half_widths(errors, rows)[1, few, near] > width_table(errors, rows, 0.95)[few, near]


def test_predictions_are_capped_by_size_and_intervals_by_the_base() -> None:
    rows = made_rows()
    stage = Stage(
        Stack(20, 0, 0, 0, 0, 0),
        np.zeros((len(LABEL_KNOTS), len(SIMILARITY_KNOTS))),
        fit_half_widths(np.full(len(rows["pk"]), 0.1), rows),
    )
    small = take(rows, np.arange(3)) | {"highest": np.array([2.0, 5.0, 30.0])}
    assert stage.predict(small).tolist() == [2.0, 5.0, 20.0]
    assert stage.half_width(small).tolist() == [0.5, 0.5, 0.5]


def test_the_product_reads_the_fitted_stage(tmp_path) -> None:
    shares = np.linspace(0, 1, len(LABEL_KNOTS) * len(SIMILARITY_KNOTS))
    shares = shares.reshape(len(LABEL_KNOTS), len(SIMILARITY_KNOTS))
    write_stage(
        Stage(
            Stack(1, 2, 3, 4, 5, 6),
            shares,
            np.ones((len(SIDES), len(LABEL_EDGES) + 1, len(SIMILARITY_EDGES) + 1)),
            Level(0.5, 0.25),
        ),
        tmp_path,
    )
    written = json.loads((tmp_path / "final-stage.json").read_text())
    assert written["level"] == {"prior": LEVEL_PRIOR, "values": 0.5, "kernel": 0.25}
    assert read_stage(tmp_path / "final-stage.json").level == Level(0.5, 0.25)
    assert written["stack"] == {
        "constant": 1,
        "heavyAtoms": 2,
        "logp": 3,
        "pooled": 4,
        "analogues": 5,
        "kernel": 6,
    }
    assert np.array(written["base"]["shares"]) == pytest.approx(shares, abs=1e-4)


def test_rows_survive_writing_and_reading_their_table(tmp_path) -> None:
    rows = made_rows()
    write_rows(tmp_path / "rows.tsv", rows)
    read = load_rows(tmp_path / "rows.tsv")
    assert set(read) == set(rows)
    assert read["pk"] == pytest.approx(rows["pk"])
