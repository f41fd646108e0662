"""The model card: a small well-formed figure, and a text that contains every figure."""

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from conftest import ROOT

from affinity_model.card import LIMITS, limits, read_figures
from affinity_model.card_text import APPENDIX_TEMPLATE, FIGURE, REGIME_TITLES, TEMPLATE, appendix, readable
from affinity_model.plot import calibration_figure
from affinity_model.scores import LEVELS

FIGURE_BYTES_MAX = 200_000
FOLDER = ROOT / "models/current"


def test_the_figure_shows_every_regime_and_is_small() -> None:
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


def test_the_shipped_text_matches_the_shipped_card() -> None:
    card = read_figures(FOLDER)
    assert (FOLDER / "README.md").read_text() == readable(card)
    assert (FOLDER / "APPENDIX.md").read_text() == appendix(card)
    assert f"({FIGURE})" in appendix(card)
    assert (FOLDER / FIGURE).stat().st_size < FIGURE_BYTES_MAX


def test_the_tables_of_the_card_fit_on_three_screens() -> None:
    """A screen of a usual window shows some thirty rows."""
    rows = [line for line in (FOLDER / "README.md").read_text().split("\n") if line.startswith("|")]
    assert len(rows) <= 3 * 30


def test_links_from_the_card_to_its_appendix_have_a_section() -> None:
    links = re.findall(r"\(APPENDIX\.md#([\w-]+)\)", (FOLDER / "README.md").read_text())
    sections = re.findall(r"^## (.+)$", (FOLDER / "APPENDIX.md").read_text(), re.M)
    assert links
    assert set(links) <= {title.lower().replace(",", "").replace(" ", "-") for title in sections}


def test_the_templates_contain_no_figures() -> None:
    """A number typed into a template would not come from a run."""
    templates = [TEMPLATE.read_text(), APPENDIX_TEMPLATE.read_text()]
    prose = re.sub(r"\{[^}]*\}", "", "\n".join([*templates, *LIMITS]))
    assert re.findall(r"\d+", prose) == []


def test_the_card_names_the_version_that_kept_figures_are_from() -> None:
    card = read_figures(FOLDER)
    for text in (readable, appendix):
        assert "version 1.2.3" in text(card | {"keptFrom": "1.2.3"})
        assert "has the same base model" not in text(card | {"keptFrom": None})


def test_a_missing_figure_stops_the_card() -> None:
    card = json.loads((FOLDER / "model-card.json").read_text())
    del card["decoys"]["medianSpan"]
    with pytest.raises(KeyError):
        appendix(card)


def test_compound_sizes_come_from_the_training_compounds(features) -> None:
    column = features.manifest["featureSpec"]["compound"]["descriptors"].index("NumHeavyAtoms")
    descriptors = features.descriptors.copy()
    descriptors[:, column] = np.r_[np.full(30, 20), np.full(30, 900)]
    [size] = [
        text for text in limits(replace(features, descriptors=descriptors), np.arange(30)) if "heavy" in text
    ]
    assert "98% of the training compounds have 20 to 20 heavy atoms" in size


def test_intervals_of_the_shipped_model_reach_their_coverage() -> None:
    card = json.loads((FOLDER / "model-card.json").read_text())
    for name, regime in card["scores"].items():
        assert abs(regime["coverage"] - card["calibration"]["level"]) <= 0.015, name
