"""How far what was measured near a pair moves its number: small networks over out-of-fold rows, learnt on what the
blend leaves. They see how far the labels of the nearest measured compounds lie from the blend, and how near they are.

Networks and not trees: both are about as good, but a tree may tip over at the last digit of a number, and product
and PyTorch must say the same.
"""

import numpy as np
import torch
from torch import Tensor, nn

from .data import even_half
from .gating import Rows, take, weights_of
from .model import CORRECTION_KNOTS, NUMBERS, correction_inputs, correction_share

WIDTH, MEMBERS = 64, 3
EPOCHS, BATCH_ROWS, LEARNING_RATE, WEIGHT_DECAY = 12, 2048, 4e-3, 0.01
# In deviations; what lies farther out is rare and teaches little.
INPUT_MAX = 5.0


class Correction(nn.Module):
    """The mean of a few networks."""

    mean: Tensor  # inputs
    deviation: Tensor  # inputs

    def __init__(self, inputs: Tensor):
        super().__init__()
        self.register_buffer("mean", inputs.mean(0))
        self.register_buffer("deviation", inputs.std(0) + 1e-3)
        self.members = nn.ModuleList(_network(inputs.shape[1]) for _ in range(MEMBERS))

    def forward(self, inputs: Tensor) -> Tensor:
        """n x what `correction_inputs` answers, to n numbers in pK."""
        seen = self.scaled(inputs)
        return torch.stack([member(seen)[:, 0] for member in self.members], 1).mean(1)

    def scaled(self, inputs: Tensor) -> Tensor:
        """n x inputs, in deviations from the mean, cut at INPUT_MAX."""
        return ((inputs - self.mean) / self.deviation).clamp(-INPUT_MAX, INPUT_MAX)


def fit_correction(rows: Rows, blended: np.ndarray) -> Correction:
    """blended: what the rows' numbers were blended to."""
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
    """rows: n; blended: n, pKd; answers n, pKd."""
    share = correction_share(_tensor(rows["target_similarity"]))
    with torch.no_grad():
        return blended + (share * correction(_inputs(rows, blended))).numpy()


def cross_corrected(rows: Rows, blended: np.ndarray) -> np.ndarray:
    """Each half of the compounds corrected by what was learnt on the other."""
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
