"""Hidden values are never learnt from, and scored compounds are unlike the kept ones."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from affinity_model import regimes
from affinity_model.data import GROUPS, Features, Pairs
from affinity_model.final_stage import Level, Line, Stack
from affinity_model.measured import tanimoto
from affinity_model.neighbours import folded_fingerprints
from affinity_model.regimes import LINE, OWN_VALUES, Rare, groups_of_alike, only, rare_targets, score_few
from affinity_model.wide_data import FURTHER_GROUPS, Wide
from affinity_model.wide_parts import fit_wide_parts

KEPT = (0, 2, 6)


@pytest.fixture
def wide(features: Features, pairs: Pairs, monkeypatch: pytest.MonkeyPatch) -> Wide:
    monkeypatch.setattr(regimes, "KEPT", KEPT)
    monkeypatch.setattr(regimes, "COMPOUNDS_MIN", 20)
    monkeypatch.setattr(regimes, "SCORED_MAX", 15)
    full = slice(None, None, features.variants)
    shown = replace(
        features,
        variants=1,
        kmers=sp.csr_matrix(features.kmers[full]),
        composition=features.composition[full],
        lengths=features.lengths[full],
        identity_kmers=sp.csr_matrix(features.identity_kmers[full]),
    )
    count = len(pairs)
    groups = np.zeros((count, len(GROUPS) + len(FURTHER_GROUPS)), np.float32)
    return Wide(
        shown,
        np.arange(len(features.target_ids)),
        replace(pairs, groups=groups),
        np.full(count, ""),
        ~pairs.is_below,
        np.arange(len(features.compound_ids)),
    )


@pytest.fixture
def targets(wide: Wide) -> list[Rare]:
    return rare_targets(wide, np.random.default_rng(0), 4)


def test_scored_and_kept_compounds_share_no_group(wide: Wide, targets: list[Rare]) -> None:
    assert len(targets) == 4
    for rare in targets:
        assert (len(rare.known), len(np.unique(rare.known))) == (max(KEPT), max(KEPT))
        assert not set(rare.known) & set(rare.asked)


def test_similar_compounds_share_a_group(wide: Wide) -> None:
    once = folded_fingerprints(wide.features, np.arange(5))
    assert groups_of_alike(np.concatenate([once, once])).tolist() == [0, 1, 2, 3, 4] * 2
    assert tanimoto(once, once)[0, 1:].max() < regimes.ALIKE_FROM


def test_every_fit_sees_only_the_kept_values_of_a_rare_target(
    wide: Wide, targets: list[Rare], settings
) -> None:
    seen = []

    def fit(shown: np.ndarray):
        seen.append(shown)
        return fit_wide_parts(only(wide, shown), settings)

    scores = score_few(wide, targets, fit, Line(Stack(6, 0, 0, 0, 0, 0), Level()))
    assert len(seen) == len(KEPT)
    for rare in targets:
        of_it = wide.pairs.target == rare.target
        kept = [set(wide.pairs.compound[of_it & shown]) for shown in seen]
        assert sorted(map(len, kept)) == list(KEPT)
        assert all(some <= set(rare.known) for some in kept)
    others = ~np.isin(wide.pairs.target, [rare.target for rare in targets])
    assert all(shown[others].all() for shown in seen)
    assert list(scores) == [str(kept) for kept in KEPT]
    assert scores["0"][LINE]["compounds"] == sum(len(rare.asked) for rare in targets)
    assert OWN_VALUES in scores["6"] and OWN_VALUES not in scores["0"]


def test_a_constant_line_has_the_values_spread_as_its_error(
    wide: Wide, targets: list[Rare], settings
) -> None:
    def fit(shown: np.ndarray):
        return fit_wide_parts(only(wide, shown), settings)

    [first] = targets[:1]
    scores = score_few(wide, [first], fit, Line(Stack(6, 0, 0, 0, 0, 0), Level()))
    expected = np.sqrt(np.mean((first.of_asked - 6) ** 2))
    assert scores["2"][LINE]["macroRmse"] == pytest.approx(expected, abs=1e-3)
    assert scores["2"][LINE]["bias"] == pytest.approx(6 - first.of_asked.mean(), abs=1e-3)
