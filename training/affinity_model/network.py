"""The network: two encoders whose outputs can be cached, and a small head over a pair of encodings.

The target encoder also learns a null target, which represents any protein: with it the same network is a ligand-only
model, for targets unlike all training targets.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from .data import Pairs, consecutive, cut_variants
from .settings import SEED_OFFSETS, Settings


@dataclass(frozen=True)
class EncodingColumns:
    """Column layout of an encoding, the same for compounds and targets."""

    product: slice  # multiplied with the other's
    hidden: slice  # added to the other's, in the head
    own: slice  # 1: contribution of this side alone
    size: int


def encoding_columns(settings: Settings) -> EncodingColumns:
    """Layout of encodings for networks with these settings."""
    product, hidden, own = consecutive([settings.encoding, settings.head_width, 1])
    return EncodingColumns(product, hidden, own, own.stop)


class Encoder(nn.Module):
    """Two layers, the second with a residual connection, and a linear one."""

    def __init__(self, inputs: int, settings: Settings):
        super().__init__()
        self.spread = nn.Linear(inputs, settings.width)
        self.deepen = nn.Linear(settings.width, settings.width)
        self.out = nn.Linear(settings.width, encoding_columns(settings).size)
        self.input_dropout = nn.Dropout(settings.input_dropout)
        self.dropout = nn.Dropout(settings.dropout)

    def forward(self, x: Tensor) -> Tensor:
        """n x inputs to n x `encoding_columns`."""
        h = self.dropout(torch.relu(self.spread(self.input_dropout(x))))
        h = h + self.dropout(torch.relu(self.deepen(h)))
        return self.out(h)


class Network(nn.Module):
    """Encoders of compounds and targets, and a head over a pair of their encodings."""

    def __init__(self, compound_inputs: int, target_inputs: int, groups: int, settings: Settings):
        """groups: offset groups of the labels."""
        super().__init__()
        self.columns = encoding_columns(settings)
        self.inputs = compound_inputs, target_inputs, groups
        self.compound = Encoder(compound_inputs, settings)
        self.target = Encoder(target_inputs, settings)
        self.null_target = nn.Parameter(torch.zeros(self.columns.size))
        self.mix = nn.Linear(settings.encoding, settings.head_width, bias=False)
        self.deepen = nn.Linear(settings.head_width, settings.head_width)
        self.out = nn.Linear(settings.head_width, 1)
        self.offsets = nn.Parameter(torch.zeros(groups))
        self.dropout = nn.Dropout(settings.dropout)
        self.scale = 1 / math.sqrt(settings.encoding)

    def pair(self, compound: Tensor, target: Tensor) -> Tensor:
        """Two encodings of n pairs to n outputs, in standard deviations from the mean."""
        columns = self.columns
        product = compound[:, columns.product] * target[:, columns.product]
        hidden = compound[:, columns.hidden] + target[:, columns.hidden]
        hidden = self.dropout(torch.relu(hidden + self.mix(product)))
        hidden = hidden + self.dropout(torch.relu(self.deepen(hidden)))
        own = compound[:, columns.own] + target[:, columns.own]
        return own[:, 0] + product.sum(1) * self.scale + self.out(hidden).squeeze(1)


class Batches:
    """Compounds in random order, each with a few of its rows; panels come up several times."""

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

    def epoch(self) -> Iterator[np.ndarray]:
        """Yields row numbers of the pairs, one array per batch."""
        visits = self.generator.permutation(self.visits)
        for start in range(0, len(visits), self.settings.batch_compounds):
            chosen = [self._rows_of(index) for index in visits[start : start + self.settings.batch_compounds]]
            yield self.order[np.concatenate(chosen)]

    def _rows_of(self, index: int) -> np.ndarray:
        start, stop = self.starts[index], self.stops[index]
        if stop - start <= self.settings.rows_per_compound:
            return np.arange(start, stop)
        return start + self.generator.choice(stop - start, self.settings.rows_per_compound, replace=False)


@dataclass(frozen=True)
class Lesson:
    """Training data of the networks of one fit."""

    compounds: Tensor  # compounds x inputs
    targets: Tensor  # (targets * variants) x inputs
    variants: int  # rows of `targets` per target
    pairs: Pairs


def train_network(lesson: Lesson, settings: Settings, member: int = 0) -> tuple[Network, float, float]:
    """Returns the network in evaluation mode, with the mean and deviation (pK) of its outputs.

    member: number of the network; members differ in their seed only.
    """
    pairs, seed = lesson.pairs, settings.seed + 100 * member
    torch.manual_seed(seed + SEED_OFFSETS["network"])
    generator = np.random.default_rng(seed + SEED_OFFSETS["rows"])
    exact = pairs.y[~pairs.is_below]
    mean, deviation = float(exact.mean()), float(exact.std())
    network = Network(lesson.compounds.shape[1], lesson.targets.shape[1], pairs.groups.shape[1], settings)
    batches = Batches(pairs, settings, generator)
    optimizer = torch.optim.AdamW(
        _parameter_groups(network, settings), lr=settings.learning_rate, betas=(0.9, 0.98)
    )
    steps = settings.epochs * len(batches)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _rate(step, steps))
    wanted = torch.from_numpy((pairs.y - mean) / deviation)
    network.train()
    for _ in range(settings.epochs):
        for rows in batches.epoch():
            predicted = _predict_batch(network, lesson, rows, settings.null_share, generator)
            residual = predicted - wanted[torch.from_numpy(rows)]
            is_below = torch.from_numpy(pairs.is_below[rows])
            loss = torch.where(is_below, torch.relu(residual), residual).square().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 2.0)
            optimizer.step()
            schedule.step()
    return network.eval(), mean, deviation


def predict_network(
    network: Network, compounds: Tensor, targets: Tensor, rows: tuple[np.ndarray, np.ndarray | None]
) -> np.ndarray:
    """rows: compounds and target variants. Returns one output per row, in standard deviations from the mean; uses the
    null target if the second array is None."""
    with torch.no_grad():
        used, compound = np.unique(rows[0], return_inverse=True)
        encoded = network.compound(compounds[torch.from_numpy(used).long()])[torch.from_numpy(compound)]
        if rows[1] is None:
            return network.pair(encoded, network.null_target.expand(len(encoded), -1)).numpy()
        used, target = np.unique(rows[1], return_inverse=True)
        return network.pair(
            encoded, network.target(targets[torch.from_numpy(used).long()])[torch.from_numpy(target)]
        ).numpy()


def _predict_batch(
    network: Network, lesson: Lesson, rows: np.ndarray, null_share: float, generator: np.random.Generator
) -> Tensor:
    """Loss on these rows, with the offsets of their groups, in standard deviations; some rows use the null target."""
    pairs = lesson.pairs
    used, compound = np.unique(pairs.compound[rows], return_inverse=True)
    encoded_compounds = network.compound(lesson.compounds[torch.from_numpy(used).long()])
    used, target = np.unique(pairs.target[rows], return_inverse=True)
    # Half of the targets are shown in full, half as a random cut.
    shown = cut_variants(used, lesson.variants, generator, 0.5)
    encoded_targets = network.target(lesson.targets[torch.from_numpy(shown)])
    of_pair = encoded_targets[torch.from_numpy(target)]
    is_null = torch.from_numpy(generator.random(len(rows)) < null_share)[:, None]
    of_pair = torch.where(is_null, network.null_target[None], of_pair)
    predicted = network.pair(encoded_compounds[torch.from_numpy(compound)], of_pair)
    return predicted + torch.from_numpy(pairs.groups[rows]) @ network.offsets


def _parameter_groups(network: Network, settings: Settings) -> list[dict]:
    matrices = [p for p in network.parameters() if p.dim() > 1]
    others = [p for p in network.parameters() if p.dim() <= 1]
    return [
        {"params": matrices, "weight_decay": settings.weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]


def _rate(step: int, steps: int) -> float:
    return min(1.0, (step + 1) / 100) * (0.5 * (1 + math.cos(math.pi * step / steps)) + 0.01)
