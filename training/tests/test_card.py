"""What the card shows: a small well-formed figure, and text that a person finds all figures in."""

import json
from xml.etree import ElementTree

import numpy as np
from conftest import ROOT

from affinity_model.card_text import FIGURE, REGIME_TITLES, readable
from affinity_model.scores import LEVELS
from affinity_model.plot import calibration_figure

FIGURE_BYTES_MAX = 200_000
FOLDER = ROOT / "models/current"


def test_figure_shows_every_regime_and_is_small() -> None:
    random = np.random.default_rng(2)
    measured = random.normal(6.5, 1.3, 50_000)
    panels = [
        {"regime": name, "measured": measured, "predicted": random.permutation(measured), "covered": LEVELS}
        for name in REGIME_TITLES
    ]
    drawn = calibration_figure(panels, LEVELS, REGIME_TITLES)
    texts = [element.text for element in ElementTree.fromstring(drawn).iter() if element.text]
    assert set(REGIME_TITLES.values()) < set(texts)
    assert len(drawn) < FIGURE_BYTES_MAX


def test_shipped_text_is_that_of_the_shipped_card() -> None:
    card = json.loads((FOLDER / "model-card.json").read_text())
    assert (FOLDER / "README.md").read_text() == readable(card)
    assert f"({FIGURE})" in readable(card)
    assert (FOLDER / FIGURE).stat().st_size < FIGURE_BYTES_MAX


def test_intervals_of_the_shipped_model_cover_what_they_promise() -> None:
    card = json.loads((FOLDER / "model-card.json").read_text())
    for name, regime in card["scores"].items():
        assert abs(regime["coverage"] - card["calibration"]["level"]) <= 0.015, name
