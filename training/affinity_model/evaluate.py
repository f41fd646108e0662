"""Scores the model where it was not trained: random rows, new scaffolds, new members of known target
families, new target clusters, and new scaffold with new cluster.
"""

import multiprocessing
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from .baselines import predict_additive, predict_mean
from .data import SPLITS, Features, Pairs, cut_variants
from .fit import PARTS, Inputs, fit, predict, predict_boosted, prepare
from .measured import describe, gather, nearest_known
from .metrics import rmse
from .model import NUMBERS, Affinity, blend_kernel
from .neighbours import folded_fingerprints, nearest_compound, target_similarities
from .settings import SEED_OFFSETS, Settings
from .trust import Rows

# The folds of the first table, those of earlier work: fold 0 of the target split is one cluster of
# aminergic receptors. Trust and intervals learn from every fold, and a second table shows each.
REGIMES = {"random": (0,), "scaffold": (0,), "relative": (0,), "target": (1, 2, 3), "both": (1, 2, 3)}
FOLDS = {name: range(1 if name == "relative" else 5) for name in REGIMES}
RELATIVE_FOLDS = 8
# What is kept of every fold: its rows, and what each part of the model says of them.
SCORED = ("rows", "measured", *PARTS)
PREDICTORS = ("mean", "additive", *NUMBERS, "kernel", "kernel_ligand", "networks", "networks_ligand")


def split_rows(pairs: Pairs, regime: str, fold: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows to train on and rows to test on.

    `relative` leaves out single targets, wherever their relatives stand; for `both` neither compound
    group nor target group is shared.
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


def describe_fold(
    fingerprints: np.ndarray, similarities: np.ndarray, pairs: Pairs, regime: str, fold: int
) -> Rows:
    """One row for every exact test row, with all that baselines and calibration need; fingerprints: of all compounds."""
    train, test, test_rows = _train_and_test(pairs, regime, fold)
    known = np.unique(train.target)
    used, at = np.unique(test.compound, return_inverse=True)
    near = nearest_compound(fingerprints[used], fingerprints[np.unique(train.compound)])
    return {
        "row": test_rows,
        "y": test.y,
        "mean": predict_mean(train, test),
        "additive": predict_additive(train, test),
        "compound": test.compound,
        "target": test.target,
        "target_fold": test.folds[:, SPLITS.index("target_fold")],
        "fold": np.full(len(test), fold),
        "compound_similarity": near[at],
        "target_similarity": similarities[:, known].max(1)[test.target],
        "is_reference": test.is_reference,
    }


def describe_measured(
    fingerprints: np.ndarray, similarities: np.ndarray, pairs: Pairs, regime: str, fold: int
) -> Rows:
    """For the same rows, what compounds near theirs were measured at in training."""
    train, test, _ = _train_and_test(pairs, regime, fold)
    known = gather(fingerprints, train.compound, train.target, train.y, train.is_below, len(similarities))
    trained = np.flatnonzero(known.counts)
    nearest = nearest_known(similarities, trained, known.counts[trained])
    return {"measured": describe(known, fingerprints, test.compound, nearest[test.target])}


def score_fold(
    model: Affinity,
    inputs: Inputs,
    variants: int,
    pairs: Pairs,
    regime: str,
    fold: int,
    settings: Settings,
    part: str,
) -> Rows:
    """What one part of the model, alone and trained on the fold's training rows, says of the same rows,
    and what it says where each target is shown as one of its cuts (`_cut`)."""
    train, test, _ = _train_and_test(pairs, regime, fold)
    alone = replace(settings, kernel_share=0.0)
    fitted = fit(model, inputs, variants, train, alone, [part])
    whole = test.target.astype(np.int64) * variants
    cut = cut_variants(test.target, variants, np.random.default_rng(settings.seed + SEED_OFFSETS["shown"]), 1)
    if part == "boosting":
        boosted, pair = predict_boosted(fitted, inputs, test.compound, whole)
        _, of_cut = predict_boosted(fitted, inputs, test.compound, cut)
        return {"boosted": boosted, "boosted_pair": pair, "boosted_pair_cut": of_cut}
    full, ligand = predict(fitted, inputs, test.compound, whole)
    of_cut, _ = predict(fitted, inputs, test.compound, cut)
    return {part: full, f"{part}_ligand": ligand, f"{part}_cut": of_cut}


def evaluate(
    features: Features, pairs: Pairs, settings: Settings, parts: Sequence[str], processes: int, out: Path
) -> dict[str, int]:
    """Writes what the named of SCORED are or say in every regime and fold; answers their seconds,
    added up over the processes that the folds were shared out to."""
    global _shared
    similarities, every = target_similarities(features), np.arange(len(features.compound_ids))
    fingerprints = folded_fingerprints(features, every)
    _shared = Shared(features, pairs, settings, *prepare(features, pairs, settings), similarities, fingerprints)
    seconds = dict.fromkeys(parts, 0.0)
    # Forked, so that every process sees the same inputs without a copy of its own.
    # A fork does not inherit the threads of torch: one that expected them would wait for ever.
    how = multiprocessing.get_context("fork"), torch.set_num_threads, (settings.threads,)
    with ProcessPoolExecutor(processes, *how) as pool:
        waiting = {pool.submit(_score, *job): job for job in _jobs(parts)}
        for done in as_completed(waiting):
            regime, fold, part = waiting[done]
            scored, took = done.result()
            _save(out, part, regime, fold, scored)
            seconds[part] += took
            _report(pairs, regime, fold, part, scored, took)
    return {part: round(value) for part, value in seconds.items()}


@dataclass
class Shared:
    """What every process of an evaluation reads."""

    features: Features
    pairs: Pairs
    settings: Settings
    model: Affinity
    inputs: Inputs
    similarities: np.ndarray
    fingerprints: np.ndarray


_shared: Shared | None = None


def _jobs(parts: Sequence[str]) -> Iterator[tuple[str, int, str]]:
    """The slow ones first, so that no process waits for another at the end."""
    for part in sorted(parts, key=lambda part: part != "networks"):
        for regime, folds in FOLDS.items():
            yield from ((regime, fold, part) for fold in folds)


def _score(regime: str, fold: int, part: str) -> tuple[Rows, float]:
    started, s = time.time(), _shared
    if part == "rows":
        scored = describe_fold(s.fingerprints, s.similarities, s.pairs, regime, fold)
    elif part == "measured":
        scored = describe_measured(s.fingerprints, s.similarities, s.pairs, regime, fold)
    else:
        scored = score_fold(
            s.model, s.inputs, s.features.variants, s.pairs, regime, fold, s.settings, part
        )
    return scored, time.time() - started


def load_rows(folder: Path, kernel_share: float) -> Rows:
    """The rows of all regimes, with the NUMBERS that the parts make."""
    gathered = []
    for regime, folds in FOLDS.items():
        for fold in folds:
            rows = {}
            for part in SCORED:
                with np.load(folder / part / f"{regime}-{fold}.npz") as scored:
                    rows |= {name: scored[name] for name in scored.files}
            rows["regime"] = np.full(len(rows["y"]), regime)
            for name, ending in (("full", ""), ("ligand", "_ligand"), ("full_cut", "_cut")):
                rows[name] = blend_kernel(rows[f"kernel{ending}"], rows[f"networks{ending}"], kernel_share)
            gathered.append(rows)
    return {name: np.concatenate([rows[name] for rows in gathered]) for name in gathered[0]}


def _train_and_test(pairs: Pairs, regime: str, fold: int) -> tuple[Pairs, Pairs, np.ndarray]:
    train, test = split_rows(pairs, regime, fold)
    test = test[~pairs.is_below[test]]
    return pairs.take(train), pairs.take(test), test


def _report(pairs: Pairs, regime: str, fold: int, part: str, scored: Rows, seconds: float) -> None:
    _, test, _ = _train_and_test(pairs, regime, fold)
    errors = {name: round(rmse(test.y, scored[name]), 3) for name in PREDICTORS if name in scored}
    print(regime, fold, len(test), part, errors, f"{seconds:.0f} s", flush=True)


def _save(out: Path, part: str, regime: str, fold: int, rows: Rows) -> None:
    (out / part).mkdir(parents=True, exist_ok=True)
    np.savez_compressed(out / part / f"{regime}-{fold}.npz", **rows)
