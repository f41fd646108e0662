"""Seeds, sizes and shares of a training run in one frozen dataclass, saved next to the results."""

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """Settings of one run; saved with its results and in its checkpoint."""

    seed: int = 0
    threads: int = 1
    # Compound featurizer: number of Nystroem landmarks and directions kept.
    landmarks: int = 1200
    compound_rank: int = 600
    descriptor_share: float = 0.2
    descriptor_width: float = 6.0
    # Target featurizer: principal directions of the k-mer profiles.
    target_rank: int = 400
    # Kernel ridge over pairs.
    kernel_interaction: float = 2.0
    kernel_ligand: float = 1.0
    kernel_noise: float = 0.5
    kernel_iterations: int = 40
    kernel_rounds: int = 2
    # Share of rows whose target is shown cut, as in a construct.
    kernel_cut_share: float = 0.25
    # The kernel without the protein leaves more unexplained variance.
    ligand_noise_factor: float = 4.0
    # Weight of the kernel relative to the networks.
    kernel_share: float = 0.35
    # Network.
    width: int = 384
    encoding: int = 192
    head_width: int = 192
    dropout: float = 0.3
    input_dropout: float = 0.15
    epochs: int = 14
    batch_compounds: int = 768
    rows_per_compound: int = 12
    visits_max: int = 8
    null_share: float = 0.15
    learning_rate: float = 2e-3
    weight_decay: float = 0.1
    members: int = 2
    # Boosted trees. A row's weight decreases with the number of rows of its compound, or, over pairs, of its target.
    boosting_compound_discount: float = 0.25
    boosting_target_discount: float = 0.25
    # Number of forests averaged.
    boosting_members: int = 2
    # On the compound alone; bits set in fewer compounds are ignored.
    boosting_rounds: int = 200
    boosting_bit_min: int = 300
    boosting_leaves: int = 63
    boosting_leaf_compounds: int = 20
    # On pairs; the target is represented by its first directions and its composition.
    boosting_cut_share: float = 0.5
    boosting_pair_rounds: int = 80
    boosting_pair_depth: int = 4
    boosting_leaf_pairs: int = 50
    boosting_target_rank: int = 24


def read_settings(path: Path) -> Settings:
    """The defaults, or what the file says in their place if it exists."""
    return Settings(**json.loads(path.read_text())) if path.exists() else Settings()


SEED_OFFSETS = {
    "landmarks": 1,
    "network": 2,
    "rows": 3,
    "boosting": 4,
    "cuts": 5,
    "kernel cuts": 6,
    "shown": 7,
}
