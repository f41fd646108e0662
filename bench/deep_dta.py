"""Throughput of the DeepDTA network on one thread, in pairs per second: published layout, random weights, integer
inputs.

Öztürk et al., Bioinformatics 34 (2018) i821: SMILES of 100 and sequences of 1,000 letters, three convolutions on
each side, global maximum pooling, four dense layers.
"""

import time

import torch
from torch import Tensor, nn

FILTERS = (32, 64, 96)
BATCH, BATCHES = 256, 8


def side(letters: int, kernels: tuple[int, int, int]) -> nn.Sequential:
    """n x length to n x 96."""
    sizes = (128, *FILTERS)
    layers: list[nn.Module] = []
    for given, answered, kernel in zip(sizes, FILTERS, kernels):
        layers += [nn.Conv1d(given, answered, kernel), nn.ReLU()]
    return nn.Sequential(
        Turned(letters), *layers, nn.AdaptiveMaxPool1d(1), nn.Flatten()
    )


class Turned(nn.Embedding):
    """Embeds each letter in 128 dimensions, channels first."""

    def __init__(self, letters: int):
        super().__init__(letters + 1, 128)

    def forward(self, text: Tensor) -> Tensor:
        """n x length to n x 128 x length."""
        return super().forward(text).transpose(1, 2)


def main() -> None:
    """Prints pairs per second."""
    torch.set_num_threads(1)
    compounds, proteins = side(64, (4, 6, 8)), side(25, (4, 8, 12))
    head = nn.Sequential(
        nn.Linear(192, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 512), nn.ReLU(), nn.Linear(512, 1)
    )  # fmt: skip
    smiles, sequences = (
        torch.randint(1, 64, (BATCH, 100)),
        torch.randint(1, 25, (BATCH, 1000)),
    )
    with torch.inference_mode():
        head(torch.cat([compounds(smiles), proteins(sequences)], 1))
        started = time.perf_counter()
        for _ in range(BATCHES):
            head(torch.cat([compounds(smiles), proteins(sequences)], 1))
        print(BATCH * BATCHES / (time.perf_counter() - started))


if __name__ == "__main__":
    main()
