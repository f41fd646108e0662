"""Adds the sequences of a model's targets to its folder, for aligning uploaded chains.

python3 -m affinity_model sequences --tables <folder of tables> --model models/current

Run it once the final stage is fitted: it adds `target-sequences.txt.gz`, a line per entry of `targets.json`, and its hash to the card. Each
sequence is found by the k-mers that the model stores for the target, so it cannot be the wrong one.
"""

import gzip
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .data import read_tsv
from .folders import options

NAME = "target-sequences.txt.gz"
LETTERS = "ACDEFGHIKLMNPQRSTVWY"
KMER = 4


def main(words: Sequence[str]) -> None:
    """The command."""
    chosen = options(__doc__, "tables").parse_args(words)
    known = [row["sequence"] for row in read_tsv(chosen.tables / "general/targets.tsv.gz")]
    print(f"{add_sequences(chosen.model, known):,} sequences")


def add_sequences(model: Path, known: list[str]) -> int:
    """Writes the file and its hash; raises KeyError if a target's sequence is not among `known`."""
    by_kmers = {kmers_of(sequence): sequence for sequence in known}
    packed = np.frombuffer(gzip.decompress((model / "target-words.bin.gz").read_bytes()), "<u4")
    counts = [target["words"] for target in json.loads((model / "targets.json").read_text())]
    parts = np.split(packed, np.cumsum(counts)[:-1])
    sequences = [by_kmers[np.sort(part).tobytes()] for part in parts]
    content = gzip.compress("".join(f"{sequence}\n" for sequence in sequences).encode(), 9, mtime=0)
    (model / NAME).write_bytes(content)
    card = json.loads((model / "model-card.json").read_text())
    card["files"] = dict(sorted({**card["files"], NAME: hashlib.sha256(content).hexdigest()}.items()))
    (model / "model-card.json").write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n")
    return len(sequences)


def kmers_of(sequence: str) -> bytes:
    """The set of its k-mers, ascending, as stored in the model; a non-standard letter breaks a k-mer."""
    codes = np.array([LETTERS.find(letter) for letter in sequence])
    windows = np.lib.stride_tricks.sliding_window_view(codes, KMER) if len(codes) >= KMER else codes[:0]
    whole = windows[(windows >= 0).all(1)] if len(windows) else np.zeros((0, KMER), int)
    return np.unique(whole @ len(LETTERS) ** np.arange(KMER - 1, -1, -1)).astype("<u4").tobytes()
