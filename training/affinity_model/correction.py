"""Corrects predictions by values measured near the pair: small networks trained on the residuals of out-of-fold rows.
Inputs are the differences between the labels of the closest measured compounds and the blend, and their
similarities.

Networks rather than trees: accuracy is about equal, but a tree can switch branches on the last digit of an input,
and product and PyTorch must agree.
"""

import numpy as np
import torch
from torch import Tensor, nn

from .data import even_half
from .gating import Rows, take, weights_of
from .model import CORRECTION_KNOTS, NUMBERS, correction_inputs, correction_share

WIDTH, MEMBERS = 64, 3
EPOCHS, BATCH_ROWS, LEARNING_RATE, WEIGHT_DECAY = 12, 2048, 4e-3, 0.01
# In standard deviations; values farther out are rare and carry little information.
INPUT_MAX = 5.0


class Correction(nn.Module):
    """The mean of several networks."""

    mean: Tensor  # inputs
    deviation: Tensor  # inputs

    def __init__(self, inputs: Tensor):
        super().__init__()
        self.register_buffer("mean", inputs.mean(0))
        self.register_buffer("deviation", inputs.std(0) + 1e-3)
        self.members = nn.ModuleList(_network(inputs.shape[1]) for _ in range(MEMBERS))

    def forward(self, inputs: Tensor) -> Tensor:
        """n x `correction_inputs` to n corrections in pK."""
        seen = self.scaled(inputs)
        return torch.stack([member(seen)[:, 0] for member in self.members], 1).mean(1)

    def scaled(self, inputs: Tensor) -> Tensor:
        """n x inputs, in standard deviations from the mean, clipped at INPUT_MAX."""
        return ((inputs - self.mean) / self.deviation).clamp(-INPUT_MAX, INPUT_MAX)


def fit_correction(rows: Rows, blended: np.ndarray) -> Correction:
    """blended: the blend's prediction for the rows."""
    near = rows["target_similarity"] >= CORRECTION_KNOTS[-1]
    known, weight = take(rows, near), _tensor(weights_of(rows)[near])
    inputs, wanted = _inputs(known, blended[near]), _tensor(known["y"] - blended[near])
    torch.manual_seed(0)
    correction = Correction(inputs)
    seen, weight = correction.scaled(inputs), weight / weight.mean()
    for member in correction.members:
        _train(member, seen, wanted, weight)
    return correction.eval()


def correct(rows: Rows, blended: np.ndarray, correction: Correction) -> np.ndarray:
    """rows: n; blended: n, pKd; returns n, pKd."""
    share = correction_share(_tensor(rows["target_similarity"]))
    with torch.no_grad():
        return blended + (share * correction(_inputs(rows, blended))).numpy()


def cross_corrected(rows: Rows, blended: np.ndarray) -> np.ndarray:
    """Corrects each half of the compounds with networks trained on the other half."""
    half, answer = even_half(rows["compound"], 1), blended.copy()
    for side in (0, 1):
        asked = half == side
        correction = fit_correction(take(rows, ~asked), blended[~asked])
        answer[asked] = correct(take(rows, asked), blended[asked], correction)
    return answer


def _network(inputs: int) -> nn.Module:
    return nn.Sequential(
        nn.Linear(inputs, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 1)
    )


def _train(member: nn.Module, seen: Tensor, wanted: Tensor, weight: Tensor) -> None:
    batches = max(len(seen) // BATCH_ROWS, 1)
    optimizer = torch.optim.AdamW(member.parameters(), lr=LEARNING_RATE, weight_decay=WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, LEARNING_RATE, total_steps=EPOCHS * batches + 1)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(seen)).tensor_split(batches):
            error = member(seen[rows])[:, 0] - wanted[rows]
            loss = (weight[rows] * error.square()).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()


def _inputs(rows: Rows, blended: np.ndarray) -> Tensor:
    numbers = torch.stack([_tensor(rows[name]) for name in NUMBERS], 1)
    compound, target = (_tensor(rows[f"{name}_similarity"]) for name in ("compound", "target"))
    return correction_inputs(_tensor(blended), numbers, compound, target, _tensor(rows["measured"]))


def _tensor(values: np.ndarray) -> Tensor:
    return torch.from_numpy(np.asarray(values, np.float32))
