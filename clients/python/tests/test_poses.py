"""Poses through the client, against the running product."""

from __future__ import annotations

from pathlib import Path

import pytest

from pkdex import Client, InvalidRequest, ScreenTarget

samples = Path(__file__).resolve().parents[3] / "samples"
amprenavir = "CC(C)CN(C[C@H]([C@H](Cc1ccccc1)NC(=O)O[C@H]2CCOC2)O)S(=O)(=O)c3ccc(cc3)N"


def test_a_compound_is_placed_with_its_contacts_or_the_reason(client: Client) -> None:
    client.add_compounds({"amprenavir": amprenavir, "chloroform": "ClC(Cl)Cl"})
    found = client.pose("1hpv", "amprenavir")
    assert found.pose is not None and found.reason is None
    assert found.reference == "478 200 _" and found.own_ligand is None
    assert found.pose.core_atoms == found.pose.heavy_atoms == 35
    assert found.pose.relative == pytest.approx(
        found.pose.reference_energy - found.pose.mean_energy, abs=0.01
    )
    assert any(contact.kind == "hydrogen bond" and contact.distance < 4 for contact in found.pose.contacts)
    assert "V2000" in found.pose.sdf
    different = client.pose("1hpv", "chloroform")
    assert different.pose is None and different.reason


def test_your_own_ligand_is_suggested_until_it_is_removed(client: Client) -> None:
    client.add_compounds({"amprenavir": amprenavir})
    with pytest.raises(InvalidRequest, match="A SMILES has no coordinates"):
        client.set_ligand("1hpv", smiles="CCOc1ccccc1")
    given = client.set_ligand("1hpv", smiles=amprenavir)
    assert [one.id for one in given.references] == ["own ligand", "478 200 _"]
    assert given.own is not None and given.own.coordinates_of == "478 200 _"
    assert client.pose_references("1hpv") == given
    own = client.pose("1hpv", "amprenavir")
    assert own.reference == "own ligand" and own.own_ligand
    assert client.pose("1hpv", "amprenavir", reference="478 200 _").own_ligand is None
    assert client.remove_ligand("1hpv").own is None


def test_a_screen_is_placed_on_the_chosen_ligand_and_its_poses_are_read_as_sdf(client: Client) -> None:
    client.add_compounds({"amprenavir": amprenavir})
    client.set_ligand("1hpv", smiles=amprenavir)
    target = ScreenTarget("1hpv", "A", reference="478 200 _")
    quote = client.quote(target, structure=True)
    assert quote.structure is not None
    assert [one.reference for one in quote.structure.ligands] == ["478 200 _"]
    screen = client.screen(target, structure=True).screen
    sdf = client.screen_poses(screen.id)
    assert sdf.count("$$$$") == 1 and "478 200 _" in sdf
    assert client.screen_poses(screen.id, "1hpv") == sdf
