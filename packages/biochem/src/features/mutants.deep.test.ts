/** Molecules that nobody drew: changed atoms, branches and rings. Descriptors and fingerprints are those of RDKit. */
import { expect, test } from 'vitest'
import { readCommonMolecules } from '../fixtures/common-molecules.ts'
import { randomFrom } from '../fixtures/random-from.ts'
import { descriptorsOf } from '../smiles/descriptors.ts'
import { descriptorsByRdkit } from '../smiles/fixtures/descriptors-by-rdkit.ts'
import { readGraph } from '../smiles/molecule-graph.ts'
import { openRdkit } from '../smiles/rdkit.ts'
import { bitsByRdkit, ownBits } from './fixtures/bits-by-rdkit.ts'

const rdkit = await openRdkit()
const molecules = readCommonMolecules().map(({ smiles }) => smiles.replaceAll(/[@/\\]/g, ''))
const parts =
  'C N O S P B F Cl Br I [SiH2] [Se] [NH2+] [O-] [SH+] [PH2+] [BH3-] [CH2-] C(=O) S(=O)(=O) P(=O)(O) =N =C =S #N C1CC1'.split(
    ' ',
  )
const MUTANTS = 3000

const random = randomFrom(1)
const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item

/** With another atom, a further branch or a further ring; often not a molecule. */
function mutate(smiles: string): string {
  const at = Math.floor(random() * smiles.length)
  const way = random()
  if (way < 0.4) return smiles.slice(0, at) + pick(parts) + smiles.slice(at + 1)
  if (way < 0.7) return `${smiles.slice(0, at)}(${pick(parts)})${smiles.slice(at)}`
  const to = at + Math.floor(random() * (smiles.length - at))
  return `${smiles.slice(0, at)}%91${smiles.slice(at, to)}%91${smiles.slice(to)}`
}

test('mutants have the descriptors and fingerprints that RDKit gives them', () => {
  let count = 0
  while (count < MUTANTS) {
    let smiles = pick(molecules)
    for (let left = Math.ceil(random() * 3); left > 0; left -= 1) smiles = mutate(smiles)
    using molecule = rdkit.get_mol(smiles)
    if (molecule === null) continue
    const own = descriptorsOf(readGraph(molecule))
    // Left to RDKit.
    if (own === null) continue
    count += 1
    expect([smiles, own]).toEqual([smiles, descriptorsByRdkit(molecule, own)])
    expect([smiles, ownBits(molecule)]).toEqual([smiles, bitsByRdkit(molecule)])
  }
}, 120_000)
