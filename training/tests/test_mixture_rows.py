"""What a mixture is chosen on is hidden from the parts, and is not what is reported."""

from pathlib import Path

import numpy as np
import pytest
from test_regimes import wide as wide

from affinity_model import mixture_rows
from affinity_model.mixture_rows import few_known, hide, rows_of
from affinity_model.regimes import only, rare_targets
from affinity_model.wide_data import Wide
from affinity_model.wide_parts import fit_wide_parts

KEPT = (1, 2, 4)


@pytest.fixture(autouse=True)
def _few_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mixture_rows, "KEPT", KEPT)


def test_every_target_is_asked_with_every_number_of_values(wide: Wide) -> None:
    targets = rare_targets(wide, np.random.default_rng(0), 4)
    counts = np.array([[asked.kept for asked in few_known(targets, turn)] for turn in range(len(KEPT))])
    assert all(sorted(column) == list(KEPT) for column in counts.T)


def test_values_of_rare_targets_are_hidden_but_for_the_kept_ones(wide: Wide, tmp_path: Path) -> None:
    shown, targets = hide(wide, tmp_path, "few-1")
    assert targets
    for asked in targets:
        of_it = wide.stands[wide.pairs.target] == asked.rare.stand
        assert set(wide.pairs.compound[of_it & shown]) == set(asked.rare.known[: asked.kept])


def test_rows_come_with_the_means_over_the_kept_values(wide: Wide, settings, tmp_path: Path) -> None:
    shown, targets = hide(wide, tmp_path, "few-0")
    seen = only(wide, shown)
    rows = rows_of(fit_wide_parts(seen, settings), wide, targets[:2])
    for asked in targets[:2]:
        of = rows["target"] == asked.rare.target
        assert rows["pk"][of].tolist() == asked.rare.of_asked.tolist()
        kept = asked.rare.of_known[: asked.kept]
        assert rows["mean_pk"][of] == pytest.approx(kept.mean())
