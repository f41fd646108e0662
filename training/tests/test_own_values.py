"""Own values move and narrow the numbers of a series as the product does it."""

import numpy as np
import pytest

from affinity_model.own_values import CANDIDATES, ErrorShares, Series, choose, draw, update


def made_series(shift: float, seed: int) -> Series:
    random = np.random.default_rng(seed)
    predicted = random.normal(6.5, 0.3, 24)
    y = predicted + shift + random.normal(0, 0.2, 24)
    return Series(0, y, predicted, np.full(24, 2.0), np.eye(24))


def test_own_values_answer_what_the_product_answers() -> None:
    similarity = np.array([[1, 0.6, 0], [0.6, 1, 0], [0, 0, 1]])
    series = Series(0, np.array([8.0, 0, 0]), np.full(3, 6.0), np.full(3, 2.0), similarity)
    shares = ErrorShares(shift=0.3, alike=0.5, chance=0.2, size=1)
    numbers, widths = update(series, np.array([0]), np.array([1, 2]), shares)
    assert numbers == pytest.approx([6 + 2 * 0.6, 6 + 2 * 0.3])
    assert widths[0] < widths[1] < 2 * 1.96


def test_shares_follow_the_errors_that_were_made() -> None:
    shifted = [made_series(shift, seed) for seed, shift in enumerate([2.0, -2.0, 1.5, -1.5])]
    chosen = choose(shifted)
    assert chosen in CANDIDATES
    assert chosen.shift == max(candidate.shift for candidate in CANDIDATES)
    one, five = (
        np.abs(scored.y - scored.predicted).mean()
        for scored in (draw(shifted, 1, chosen), draw(shifted, 5, chosen))
    )
    assert five < one < 1.5
