"""The model card: a text that contains every figure."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from conftest import ROOT

from affinity_model.card import LIMITS, limits, read_figures
from affinity_model.card_text import APPENDIX_TEMPLATE, TEMPLATE, appendix, readable

FOLDER = ROOT / "models/current"


def test_the_shipped_text_matches_the_shipped_card() -> None:
    card = read_figures(FOLDER)
    assert (FOLDER / "README.md").read_text() == readable(card)
    assert (FOLDER / "APPENDIX.md").read_text() == appendix(card)


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
    del card["heldBack"]
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
