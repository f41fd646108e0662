"""Target-swap control: do predictions follow the protein? The same compounds against unrelated targets."""

import numpy as np
import torch

from .data import Features
from .golden import compounds_of, targets_of
from .measured import Measured, describe
from .model import Affinity
from .neighbours import folded_fingerprints, target_similarities

COMPOUNDS, TARGETS = 200, 50
UNRELATED_BELOW = 0.1
SAME_BELOW = 0.1


def measure_target_swap(
    model: Affinity,
    features: Features,
    measured: Measured,
    compounds: np.ndarray,
    targets: np.ndarray,
    seed: int,
) -> dict:
    """Predicts some training compounds for mutually unrelated training targets, and returns the spread of each
    compound's predictions in pK. targets: all of `measured`, in its order."""
    trained_on = targets
    random = np.random.default_rng(seed)
    compounds = random.choice(compounds, min(COMPOUNDS, len(compounds)), replace=False)
    targets = _unrelated(random.permutation(targets), target_similarities(features))[:TARGETS]
    with torch.no_grad():
        encoded = model.encode_compounds(*compounds_of(features, compounds))
        against = model.encode_targets(*targets_of(features, targets))
        compound, target = (grid.ravel() for grid in np.mgrid[: len(compounds), : len(targets)])
        place = np.searchsorted(trained_on, targets)
        known = describe(measured, folded_fingerprints(features, compounds), compound, place[target])
        c, t = torch.from_numpy(compound), torch.from_numpy(target)
        # Both are training entries, so each is its own closest one.
        near = torch.ones(len(c)), torch.ones(len(c)), torch.from_numpy(known)
        answers = model.pair(encoded[c], against[t], *near)[:, 0]
    numbers = answers.view(len(compounds), len(targets)).numpy()
    deviation, span = numbers.std(1), np.ptp(numbers, axis=1)
    return {
        "compounds": len(compounds),
        "targets": len(targets),
        "medianDeviation": round(float(np.median(deviation)), 2),
        "smallestDeviation": round(float(deviation.min()), 2),
        "medianSpan": round(float(np.median(span)), 2),
        "shareThatHardlyVaries": round(float(np.mean(span < SAME_BELOW)), 3),
    }


def _unrelated(targets: np.ndarray, similarities: np.ndarray) -> np.ndarray:
    """Picks targets greedily: the first, then each one not similar to any chosen before."""
    chosen: list[int] = []
    for target in targets:
        others = similarities[target, chosen], similarities[chosen, target]
        if all((similar < UNRELATED_BELOW).all() for similar in others):
            chosen.append(int(target))
    return np.array(chosen)
