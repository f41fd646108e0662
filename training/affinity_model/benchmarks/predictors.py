"""A predictor takes similarities and visible labels and returns a number for every pair of the table."""

import numpy as np
import torch

from .boosting import BoostSettings, predict_by_boosting
from .external import with_source_priors
from .inputs import Inputs
from .stages import StageSettings, learn_one_stage, predict_in_stages, predict_one_stage

LARGE = 1000  # number of drugs from which a table is trained on subsets, and more coarsely


def predict_known(inputs: Inputs, visible: np.ndarray, novelty: str, seed: int) -> np.ndarray:
    """For pairs whose drug and target are both seen: boosting and the last stage, combined in learnt shares."""
    stages, boosting = settings_for(visible)
    staged = predict_in_stages(
        inputs, torch.from_numpy(visible).to(inputs.drugs.dtype), novelty, seed, stages
    )
    return within_labels(predict_by_boosting(inputs, visible, staged, seed, boosting), visible)


def predict_new(inputs: Inputs, visible: np.ndarray, novelty: str, seed: int) -> np.ndarray:
    """For pairs with a new drug or target, which has no label profile: the first stage alone."""
    y, (settings, _) = torch.from_numpy(visible).to(inputs.drugs.dtype), settings_for(visible)
    inputs = with_source_priors(inputs, visible)
    mixture = learn_one_stage(inputs, y, novelty, seed, settings)
    return within_labels(predict_one_stage(mixture, inputs, y, settings).numpy(), visible)


def settings_for(visible: np.ndarray) -> tuple[StageSettings, BoostSettings]:
    """Settings by number of drugs; visible: drugs x targets."""
    if len(visible) < LARGE:
        return StageSettings(), BoostSettings()
    stages = StageSettings(stages=3, steps=30, later_steps=25, tuning_drugs=600, tolerance=0.02)
    return stages, BoostSettings(rounds_max=2000, leaves=127, learning_rate=0.05, column_share=0.3, seeds=1)


def within_labels(predicted: np.ndarray, visible: np.ndarray) -> np.ndarray:
    """Clips predictions to the range of visible labels: an assay's limits apply to predictions as well."""
    return np.clip(predicted, np.nanmin(visible), np.nanmax(visible))
