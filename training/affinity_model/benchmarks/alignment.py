"""Aligns kinases to one profile, so that a profile column is the same position in every kinase."""

import re

import numpy as np

LETTERS = "ARNDCQEGHILKMFPSTWYV"
UNKNOWN = len(LETTERS)
BLOSUM62 = np.array(
    [
        [int(score) for score in row.split()]
        for row in """4 -1 -2 -2 0 -1 -1 0 -2 -1 -1 -1 -1 -2 -1 1 0 -3 -2 0
-1 5 0 -2 -3 1 0 -2 0 -3 -2 2 -1 -3 -2 -1 -1 -3 -2 -3
-2 0 6 1 -3 0 0 0 1 -3 -3 0 -2 -3 -2 1 0 -4 -2 -3
-2 -2 1 6 -3 0 2 -1 -1 -3 -4 -1 -3 -3 -1 0 -1 -4 -3 -3
0 -3 -3 -3 9 -3 -4 -3 -3 -1 -1 -3 -1 -2 -3 -1 -1 -2 -2 -1
-1 1 0 0 -3 5 2 -2 0 -3 -2 1 0 -3 -1 0 -1 -2 -1 -2
-1 0 0 2 -4 2 5 -2 0 -3 -3 1 -2 -3 -1 0 -1 -3 -2 -2
0 -2 0 -1 -3 -2 -2 6 -2 -4 -4 -2 -3 -3 -2 0 -2 -2 -3 -3
-2 0 1 -1 -3 0 0 -2 8 -3 -3 -1 -2 -1 -2 -1 -2 -2 2 -3
-1 -3 -3 -3 -1 -3 -3 -4 -3 4 2 -3 1 0 -3 -2 -1 -3 -1 3
-1 -2 -3 -4 -1 -2 -3 -4 -3 2 4 -2 2 0 -3 -2 -1 -2 -1 1
-1 2 0 -1 -3 1 1 -2 -1 -3 -2 5 -1 -3 -1 0 -1 -3 -2 -2
-1 -1 -2 -3 -1 0 -2 -3 -2 1 2 -1 5 0 -2 -1 -1 -1 -1 1
-2 -3 -3 -3 -2 -3 -3 -3 -1 0 0 -3 0 6 -4 -2 -2 1 3 -1
-1 -2 -2 -1 -3 -1 -1 -2 -2 -3 -3 -1 -2 -4 7 -1 -1 -4 -3 -2
1 -1 1 0 -1 0 0 0 -1 -2 -2 0 -1 -2 -1 4 1 -3 -2 -2
0 -1 0 -1 -1 -1 -1 -2 -2 -1 -1 -1 -1 -2 -1 1 5 -2 -2 0
-3 -3 -4 -4 -2 -2 -3 -2 -2 -3 -2 -3 -1 1 -4 -3 -2 11 2 -3
-2 -2 -2 -3 -2 -1 -2 -3 2 -1 -1 -2 -1 3 -3 -2 -2 2 7 -1
0 -3 -3 -3 -1 -2 -2 -3 -3 3 1 -2 1 -1 -2 -2 0 -3 -1 4""".split("\n")
    ],
    np.float32,
)
BLOSUM62_LAMBDA = 0.3176  # nats per half-bit score
BACKGROUND = np.array(
    [.078, .051, .041, .052, .024, .034, .059, .083, .025, .062,
     .092, .056, .024, .043, .043, .059, .055, .014, .034, .072], np.float32,
)  # fmt: skip

# The kinase domain of human ABL1, at which the profile starts.
SEED_DOMAIN = (
    "ITMKHKLGGGQYGEVYEGVWKKYSLTVAVKTLKEDTMEVEEFLKEAAVMKEIKHPNLVQLLGVCTREPPFYIITEFMTYGNLLDYLRECNRQEVNAVVL"
    "LYMATQISSAMEYLEKKNFIHRDLAARNCLVGENHLVKVADFGLSRLMTGDTYTAHAGAKFPIKWTAPESLAYNKFSIKSDVWAFGVLLWEIATYGMSP"
    "YPGIDLSQVYELLEKDYRMERPEGCPEKVYELMRACWQWNPSDRPSFAEIHQAFETMF"
)
# The 85 residues that line the pocket (KLIFS), in that domain's order, segment by segment.
POCKET_STRETCHES = (
    "HKLGGGQYGEVYE", "VAVKTL", "EFLKEAAVMKEIK", "PNLVQLLGV",
    "YIITEFMTYGNLLDYLRE", "YLEKKNFIHRDLAARNCLV", "VADFGLS",
)  # fmt: skip

ROUNDS = 4
GAP_EXTENSION = 0.5
BATCH = 64


def pocket_columns() -> np.ndarray:
    """Positions of the pocket in the seed domain, ascending."""
    columns: list[int] = []
    start = 0
    for stretch in POCKET_STRETCHES:
        start = SEED_DOMAIN.index(stretch, start)
        columns.extend(range(start, start + len(stretch)))
        start += len(stretch)
    return np.array(columns)


def encode(sequence: str) -> np.ndarray:
    """Residues as int8 indices into LETTERS; UNKNOWN for any other letter."""
    # An unknown letter is at -1, which counts as the last.
    return np.array([LETTERS.find(letter) % (UNKNOWN + 1) for letter in sequence], np.int8)


def align_kinases(names: list[str], sequences: list[str]) -> np.ndarray:
    """targets x columns of the seed domain: the residue there, UNKNOWN for a gap.

    The profile is rebuilt from the aligned kinases; labels are not used.
    """
    encoded = [encode(sequence) for sequence in sequences]
    profile = 0.5 * BLOSUM62[encode(SEED_DOMAIN)]
    gap_opening = np.full(len(profile), 5.5, np.float32)
    for _ in range(ROUNDS):
        residues, scores = _align_all(profile, gap_opening, names, encoded)
        profile, gap_opening = _rebuild(residues[scores > 30])
    return residues


def _align_all(profile, gap_opening, names, encoded) -> tuple[np.ndarray, np.ndarray]:
    residues = np.full((len(encoded), len(profile)), UNKNOWN, np.int8)
    scores = np.zeros(len(encoded), np.float32)
    order = np.argsort([len(sequence) for sequence in encoded], kind="stable")
    for start in range(0, len(order), BATCH):
        rows = order[start : start + BATCH]
        best = align_to_profile(profile, gap_opening, [encoded[row] for row in rows])
        for row, (score, positions) in zip(rows, best):
            score, positions = _choose_domain(
                names[row], encoded[row], score, positions, profile, gap_opening
            )
            found = positions >= 0
            residues[row, found] = encoded[row][positions[found]]
            scores[row] = score
    return residues, scores


def _choose_domain(name, sequence, score, positions, profile, gap_opening):
    """Some kinases have two domains and the name says which one; domain 1 and JH2 come first in the sequence."""
    named = re.search(r"JH1|JH2|Kin\.Dom\.[12]", name)
    if named is None:
        return score, positions
    masked = sequence.copy()
    masked[positions[positions >= 0].min() : positions.max() + 1] = UNKNOWN
    other = align_to_profile(profile, gap_opening, [masked])[0]
    if other[0] < 0.25 * score:
        return score, positions
    both = sorted([(score, positions), other], key=lambda hit: hit[1][hit[1] >= 0].min())
    return both[1] if named[0] in ("JH1", "Kin.Dom.2") else both[0]


def align_to_profile(profile, gap_opening, sequences: list[np.ndarray]) -> list[tuple[float, np.ndarray]]:
    """Best local alignment of each sequence with affine gaps: score, and position per column (-1 for a gap).

    profile: columns x 20, bits; gap_opening: columns. One row of the table at a time for all sequences; an insertion
    within a row is a running maximum.
    """
    width = max(len(sequence) for sequence in sequences)
    letters = np.full((len(sequences), width), UNKNOWN, np.int8)
    for row, sequence in enumerate(sequences):
        letters[row, : len(sequence)] = sequence
    scored = np.concatenate([profile, np.full((len(profile), 1), -1, np.float32)], 1).astype(np.float32)
    shape = (len(profile) + 1, len(sequences), width + 1)
    match, skip, insert = (np.full(shape, low, np.float32) for low in (0.0, -1e9, -1e9))
    ramp = GAP_EXTENSION * np.arange(width + 1, dtype=np.float32)
    for column in range(1, len(profile) + 1):
        before = np.maximum(np.maximum(match[column - 1], skip[column - 1]), insert[column - 1])
        match[column, :, 1:] = np.maximum(before[:, :-1] + scored[column - 1][letters], 0)
        opening = gap_opening[column - 1]
        skip[column] = np.maximum(match[column - 1] - opening, skip[column - 1] - GAP_EXTENSION)
        reach = np.maximum.accumulate(match[column] + ramp, axis=1)
        insert[column, :, 1:] = reach[:, :-1] - opening - ramp[:-1]
    return [_trace(match[:, row], skip[:, row], insert[:, row], gap_opening) for row in range(len(sequences))]


def _trace(match, skip, insert, gap_opening) -> tuple[float, np.ndarray]:
    positions = np.full(len(match) - 1, -1, np.int64)
    column, place = np.unravel_index(np.argmax(match), match.shape)
    score, state = float(match[column, place]), 0
    while column > 0 and place > 0:
        if state == 0:
            if match[column, place] <= 0:
                break
            positions[column - 1] = place - 1
            column, place = column - 1, place - 1
            state = int(np.argmax([match[column, place], skip[column, place], insert[column, place]]))
        elif state == 1:
            opened = match[column - 1, place] - gap_opening[column - 1]
            state = 0 if opened >= skip[column - 1, place] - GAP_EXTENSION else 1
            column -= 1
        else:
            opened = match[column, place - 1] - gap_opening[column - 1]
            state = 0 if opened >= insert[column, place - 1] - GAP_EXTENSION else 2
            place -= 1
    return score, positions


def _rebuild(residues: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Log odds of weighted counts with pseudo-counts; gaps cost more where few sequences have one."""
    known = residues < UNKNOWN
    both = (known[:, None] & known[None]).sum(2)
    alike = ((residues[:, None] == residues[None]) & known[:, None]).sum(2)
    weights = 1 / (alike > 0.7 * both).sum(1)
    counts = np.stack([weights @ (residues == letter) for letter in range(UNKNOWN)], 1)
    total = counts.sum(1, keepdims=True)
    swaps = np.exp(BLOSUM62 * BLOSUM62_LAMBDA) * BACKGROUND
    swaps /= swaps.sum(1, keepdims=True)
    shares = counts / np.maximum(total, 1e-9)
    smoothed = (total * shares + 8 * shares @ swaps) / (total + 8)
    profile = np.log2(np.maximum(smoothed, 1e-6) / BACKGROUND)
    occupied = total[:, 0] / weights.sum()
    return profile.astype(np.float32), np.clip(1 + 5 * occupied, 2, 6).astype(np.float32)
