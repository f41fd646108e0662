"""The network: two encoders whose outputs can be cached, and a small head over a pair of encodings.

The target encoder also learns a null target, which stands for any protein: with it the same network
is a ligand-only model, for targets that resemble nothing it was trained on.
"""

import math

import numpy as np
import torch
from torch import Tensor, nn

from .data import Pairs, cut_variants
from .settings import SEED_OFFSETS, Settings


class Encoder(nn.Module):
    def __init__(self, inputs: int, settings: Settings):
        super().__init__()
        self.spread = nn.Linear(inputs, settings.width)
        self.deepen = nn.Linear(settings.width, settings.width)
        self.out = nn.Linear(settings.width, settings.encoding + settings.head_width + 1)
        self.input_dropout = nn.Dropout(settings.input_dropout)
        self.dropout = nn.Dropout(settings.dropout)

    def forward(self, x: Tensor) -> Tensor:
        """n x inputs to n x (encoding + head_width + 1)."""
        h = self.dropout(torch.relu(self.spread(self.input_dropout(x))))
        h = h + self.dropout(torch.relu(self.deepen(h)))
        return self.out(h)


class Network(nn.Module):
    def __init__(self, compound_inputs: int, target_inputs: int, groups: int, settings: Settings):
        super().__init__()
        self.sizes = (settings.encoding, settings.head_width)
        self.compound = Encoder(compound_inputs, settings)
        self.target = Encoder(target_inputs, settings)
        self.null_target = nn.Parameter(torch.zeros(settings.encoding + settings.head_width + 1))
        self.mix = nn.Linear(settings.encoding, settings.head_width, bias=False)
        self.deepen = nn.Linear(settings.head_width, settings.head_width)
        self.out = nn.Linear(settings.head_width, 1)
        self.offsets = nn.Parameter(torch.zeros(groups))
        self.dropout = nn.Dropout(settings.dropout)
        self.scale = 1 / math.sqrt(settings.encoding)

    def pair(self, compound: Tensor, target: Tensor) -> Tensor:
        """Two encodings of n pairs to n numbers, in deviations from the mean."""
        encoding, head = self.sizes
        product = compound[:, :encoding] * target[:, :encoding]
        hidden = compound[:, encoding : encoding + head] + target[:, encoding : encoding + head]
        hidden = self.dropout(torch.relu(hidden + self.mix(product)))
        hidden = hidden + self.dropout(torch.relu(self.deepen(hidden)))
        own = compound[:, -1] + target[:, -1]
        return own + product.sum(1) * self.scale + self.out(hidden).squeeze(1)


class Batches:
    """Compounds in random order, each with a few of its rows; panels are visited several times."""

    def __init__(self, pairs: Pairs, settings: Settings, generator: np.random.Generator):
        self.settings, self.generator = settings, generator
        self.order = np.argsort(pairs.compound, kind="stable")
        self.used, starts = np.unique(pairs.compound[self.order], return_index=True)
        self.starts, self.stops = starts, np.r_[starts[1:], len(self.order)]
        rows = self.stops - self.starts
        visits = np.minimum(np.ceil(rows / settings.rows_per_compound), settings.visits_max).astype(int)
        self.visits = np.repeat(np.arange(len(self.used)), visits)

    def __len__(self) -> int:
        return math.ceil(len(self.visits) / self.settings.batch_compounds)

    def epoch(self):
        """Yields row numbers of the pairs, one array a batch."""
        visits = self.generator.permutation(self.visits)
        for start in range(0, len(visits), self.settings.batch_compounds):
            chosen = [self._rows_of(index) for index in visits[start : start + self.settings.batch_compounds]]
            yield self.order[np.concatenate(chosen)]

    def _rows_of(self, index: int) -> np.ndarray:
        start, stop = self.starts[index], self.stops[index]
        if stop - start <= self.settings.rows_per_compound:
            return np.arange(start, stop)
        return start + self.generator.choice(stop - start, self.settings.rows_per_compound, replace=False)


def train_network(
    compounds: Tensor,
    targets: Tensor,
    variants: int,
    pairs: Pairs,
    settings: Settings,
    member: int = 0,
    report=None,
) -> tuple[Network, float, float]:
    """Answers the network, in evaluation mode, with the mean and deviation that its numbers count in."""
    seed = settings.seed + 100 * member
    torch.manual_seed(seed + SEED_OFFSETS["network"])
    generator = np.random.default_rng(seed + SEED_OFFSETS["rows"])
    exact = pairs.y[~pairs.is_below]
    mean, deviation = float(exact.mean()), float(exact.std())
    network = Network(compounds.shape[1], targets.shape[1], pairs.groups.shape[1], settings)
    batches = Batches(pairs, settings, generator)
    optimizer = torch.optim.AdamW(
        _parameter_groups(network, settings), lr=settings.learning_rate, betas=(0.9, 0.98)
    )
    steps = settings.epochs * len(batches)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _rate(step, steps))
    wanted = torch.from_numpy((pairs.y - mean) / deviation)
    for epoch in range(settings.epochs):
        network.train()
        total = 0.0
        for rows in batches.epoch():
            loss = _loss(network, compounds, targets, variants, pairs, rows, wanted, settings, generator)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 2.0)
            optimizer.step()
            schedule.step()
            total += float(loss.detach())
        if report is not None:
            report(epoch, total / len(batches), network.eval(), mean, deviation)
    return network.eval(), mean, deviation


def predict_network(
    network: Network, compounds: Tensor, targets: Tensor, rows: tuple[np.ndarray, np.ndarray | None]
) -> np.ndarray:
    """Answers in deviations; the null target stands in where the second array is None."""
    with torch.no_grad():
        used, compound = np.unique(rows[0], return_inverse=True)
        encoded = network.compound(compounds[torch.from_numpy(used).long()])[torch.from_numpy(compound)]
        if rows[1] is None:
            return network.pair(encoded, network.null_target.expand(len(encoded), -1)).numpy()
        used, target = np.unique(rows[1], return_inverse=True)
        return network.pair(
            encoded, network.target(targets[torch.from_numpy(used).long()])[torch.from_numpy(target)]
        ).numpy()


def _loss(network, compounds, targets, variants, pairs, rows, wanted, settings, generator) -> Tensor:
    used, compound = np.unique(pairs.compound[rows], return_inverse=True)
    encoded_compounds = network.compound(compounds[torch.from_numpy(used).long()])
    used, target = np.unique(pairs.target[rows], return_inverse=True)
    # Half of the targets are shown in full, half as a cut of themselves.
    shown = cut_variants(used, variants, generator, 0.5)
    encoded_targets = network.target(targets[torch.from_numpy(shown)])
    of_pair = encoded_targets[torch.from_numpy(target)]
    is_null = torch.from_numpy(generator.random(len(rows)) < settings.null_share)[:, None]
    of_pair = torch.where(is_null, network.null_target[None], of_pair)
    predicted = network.pair(encoded_compounds[torch.from_numpy(compound)], of_pair)
    predicted = predicted + torch.from_numpy(pairs.groups[rows]) @ network.offsets
    residual = predicted - wanted[torch.from_numpy(rows)]
    is_below = torch.from_numpy(pairs.is_below[rows])
    return torch.where(is_below, torch.relu(residual), residual).square().mean()


def _parameter_groups(network: Network, settings: Settings) -> list[dict]:
    matrices = [p for p in network.parameters() if p.dim() > 1]
    others = [p for p in network.parameters() if p.dim() <= 1]
    return [
        {"params": matrices, "weight_decay": settings.weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]


def _rate(step: int, steps: int) -> float:
    return min(1.0, (step + 1) / 100) * (0.5 * (1 + math.cos(math.pi * step / steps)) + 0.01)
