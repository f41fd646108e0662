"""Scores the model where it was not trained: random rows, new scaffolds, new members of known target
families, new target clusters, and new scaffold with new cluster.
"""

import multiprocessing
import time
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from .baselines import predict_additive, predict_mean
from .data import SPLITS, Features, Pairs, cut_variants
from .fit import PARTS, Inputs, fit, predict, predict_boosted, prepare
from .gating import Rows
from .measured import describe, gather, nearest_known
from .metrics import rmse
from .model import NUMBERS, Affinity, blend_kernel
from .neighbours import folded_fingerprints, nearest_compound, target_similarities
from .retrain import end_with_parent
from .settings import SEED_OFFSETS, Settings

# Folds of the first table, as in earlier versions: fold 0 of the target split is one cluster of aminergic receptors.
# Domain and intervals are learnt from every fold, and a second table shows each.
REGIMES = {"random": (0,), "scaffold": (0,), "relative": (0,), "target": (1, 2, 3), "both": (1, 2, 3)}
FOLDS = {name: range(1 if name == "relative" else 5) for name in REGIMES}
FOLD_NAMES = tuple(f"{name}-{fold}" for name, folds in FOLDS.items() for fold in folds)
RELATIVE_FOLDS = 8
# Kept for every fold: its rows and the predictions of each part of the model.
SCORED = ("rows", "measured", *PARTS)
PREDICTORS = ("mean", "additive", *NUMBERS, "kernel", "kernel_ligand", "networks", "networks_ligand")


def split_rows(pairs: Pairs, regime: str, fold: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows to train on and rows to test on.

    `relative` leaves out single targets but keeps their relatives; for `both`, test rows share neither compound
    group nor target group with training rows.
    """
    if regime == "relative":
        column = pairs.target % RELATIVE_FOLDS
        return np.flatnonzero(column != fold), np.flatnonzero(column == fold)
    if regime == "both":
        scaffold, target = (pairs.folds[:, SPLITS.index(f"{name}_fold")] for name in ("scaffold", "target"))
        return np.flatnonzero((scaffold != fold) & (target != fold)), np.flatnonzero(
            (scaffold == fold) & (target == fold)
        )
    column = pairs.folds[:, SPLITS.index(f"{regime}_fold")]
    return np.flatnonzero(column != fold), np.flatnonzero(column == fold)


@dataclass(frozen=True)
class Fold:
    """One fold of one regime."""

    regime: str
    number: int
    train: Pairs
    test: Pairs  # exact rows only
    test_rows: np.ndarray  # their row numbers among all pairs


def make_fold(pairs: Pairs, regime: str, number: int) -> Fold:
    """Upper bounds are used for training, not for scoring."""
    train, test = split_rows(pairs, regime, number)
    test = test[~pairs.is_below[test]]
    return Fold(regime, number, pairs.take(train), pairs.take(test), test)


@dataclass(frozen=True)
class Experiment:
    """Inputs shared by all folds of an evaluation."""

    settings: Settings
    pairs: Pairs
    model: Affinity  # featurizers, before training
    inputs: Inputs
    similarities: np.ndarray  # targets x targets: containment of k-mers, 0 to 1
    fingerprints: np.ndarray  # compounds x folded bits, true or false


def prepare_experiment(features: Features, pairs: Pairs, settings: Settings) -> Experiment:
    """Featurizes everything once. Labels are used only to count measurements per target."""
    model, inputs = prepare(features, pairs, settings)
    fingerprints = folded_fingerprints(features, np.arange(len(features.compound_ids)))
    return Experiment(settings, pairs, model, inputs, target_similarities(features), fingerprints)


def describe_fold(experiment: Experiment, fold: Fold) -> Rows:
    """One row per exact test row, with everything that baselines, gating and calibration need."""
    train, test = fold.train, fold.test
    known = np.unique(train.target)
    used, at = np.unique(test.compound, return_inverse=True)
    fingerprints = experiment.fingerprints
    nearest = nearest_compound(fingerprints[used], fingerprints[np.unique(train.compound)])
    return {
        "row": fold.test_rows,
        "y": test.y,
        "mean": predict_mean(train, test),
        "additive": predict_additive(train, test),
        "compound": test.compound,
        "target": test.target,
        "target_fold": test.folds[:, SPLITS.index("target_fold")],
        "fold": np.full(len(test), fold.number),
        "compound_similarity": nearest[at],
        "target_similarity": experiment.similarities[:, known].max(1)[test.target],
        "is_reference": test.is_reference,
    }


def describe_measured(experiment: Experiment, fold: Fold) -> Rows:
    """Training labels of compounds near the same rows."""
    train, test, similarities = fold.train, fold.test, experiment.similarities
    labels = train.compound, train.target, train.y, train.is_below
    known = gather(experiment.fingerprints, *labels, len(similarities))
    measured_targets = np.flatnonzero(known.counts)
    nearest = nearest_known(similarities, measured_targets, known.counts[measured_targets])
    return {"measured": describe(known, experiment.fingerprints, test.compound, nearest[test.target])}


def score_fold(experiment: Experiment, fold: Fold, part: str) -> Rows:
    """Predictions in pKd of one of PARTS, trained on the fold's training rows, for the test rows, and again with each
    target shown as one of its cuts (`_cut`)."""
    settings, inputs, test = experiment.settings, experiment.inputs, fold.test
    alone = replace(settings, kernel_share=0.0)
    fitted = fit(experiment.model, inputs, fold.train, alone, [part])
    whole = inputs.full_sequence(test.target)
    generator = np.random.default_rng(settings.seed + SEED_OFFSETS["shown"])
    cut = cut_variants(test.target, inputs.variants, generator, 1)
    if part == "boosting":
        boosted, pair = predict_boosted(fitted, inputs, test.compound, whole)
        _, of_cut = predict_boosted(fitted, inputs, test.compound, cut)
        return {"boosted": boosted, "boosted_pair": pair, "boosted_pair_cut": of_cut}
    full, ligand = predict(fitted, inputs, test.compound, whole)
    of_cut, _ = predict(fitted, inputs, test.compound, cut)
    return {part: full, f"{part}_ligand": ligand, f"{part}_cut": of_cut}


def evaluate(
    experiment: Experiment,
    parts: Sequence[str],
    processes: int,
    out: Path,
    folds: Collection[str] = FOLD_NAMES,
) -> dict[str, int]:
    """Writes the named entries of SCORED for the named folds; returns the seconds each took, summed over processes."""
    global _experiment
    _experiment = experiment
    seconds = dict.fromkeys(parts, 0.0)
    # Forked, so that processes share the inputs without copying them. Torch's threads do not survive a fork: a process
    # that expects them would wait for ever.
    context, threads = multiprocessing.get_context("fork"), experiment.settings.threads
    with ProcessPoolExecutor(processes, context, _start, (threads,)) as pool:
        waiting = {pool.submit(_score, *job): job for job in _jobs(parts, folds)}
        for done in as_completed(waiting):
            regime, number, part = waiting[done]
            scored, took = done.result()
            _save(out, part, regime, number, scored)
            seconds[part] += took
            _report(make_fold(experiment.pairs, regime, number), part, scored, took)
    return {part: round(value) for part, value in seconds.items()}


# Inputs of the running evaluation. Forked processes read them here, because arguments would be copied.
_experiment: Experiment | None = None


def _jobs(parts: Sequence[str], folds: Collection[str]) -> Iterator[tuple[str, int, str]]:
    """Slow tasks first, so that no process is left waiting at the end."""
    for part in sorted(parts, key=lambda part: part != "networks"):
        for name in FOLD_NAMES:
            if name in folds:
                regime, number = name.split("-")
                yield regime, int(number), part


def _start(threads: int) -> None:
    torch.set_num_threads(threads)
    end_with_parent()


def _score(regime: str, number: int, part: str) -> tuple[Rows, float]:
    assert _experiment is not None
    started, fold = time.time(), make_fold(_experiment.pairs, regime, number)
    if part == "rows":
        scored = describe_fold(_experiment, fold)
    elif part == "measured":
        scored = describe_measured(_experiment, fold)
    else:
        scored = score_fold(_experiment, fold, part)
    return scored, time.time() - started


def load_rows(folder: Path, kernel_share: float, folds: Sequence[str] = FOLD_NAMES) -> Rows:
    """Reads what `evaluate` wrote: the rows of the named folds, concatenated, with the NUMBERS computed from the parts.
    kernel_share: 0 to 1. FileNotFoundError if a fold or part is missing."""
    gathered = []
    for fold in folds:
        rows: Rows = {}
        for part in SCORED:
            with np.load(folder / part / f"{fold}.npz") as scored:
                rows |= {name: scored[name] for name in scored.files}
        rows["regime"] = np.full(len(rows["y"]), fold.split("-")[0])
        for name, ending in (("full", ""), ("ligand", "_ligand"), ("full_cut", "_cut")):
            rows[name] = blend_kernel(rows[f"kernel{ending}"], rows[f"networks{ending}"], kernel_share)
        gathered.append(rows)
    return {name: np.concatenate([rows[name] for rows in gathered]) for name in gathered[0]}


def _report(fold: Fold, part: str, scored: Rows, seconds: float) -> None:
    errors = {name: round(rmse(fold.test.y, scored[name]), 3) for name in PREDICTORS if name in scored}
    print(fold.regime, fold.number, len(fold.test), part, errors, f"{seconds:.0f} s", flush=True)


def _save(out: Path, part: str, regime: str, number: int, rows: Rows) -> None:
    (out / part).mkdir(parents=True, exist_ok=True)
    np.savez_compressed(out / part / f"{regime}-{number}.npz", allow_pickle=False, **rows)
