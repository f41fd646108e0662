import { describe, expect, test } from 'vitest'
import { cpuMsSince } from '../fixtures/results.ts'
import { smilesLimits } from './rdkit.ts'
import { scanSmiles } from './scan-smiles.ts'

function reasonFor(smiles: string): string {
  const scan = scanSmiles(smiles)
  return scan.ok ? 'accepted' : scan.reason
}

describe('accepts common SMILES', () => {
  test.each([
    ['CCO', 3],
    ['CC(=O)Oc1ccccc1C(=O)O', 13],
    ['[Na+].[Cl-]', 2],
    ['C%12CCCC%12', 5],
    ['C%(100)CCCC%(100)', 5],
    ['C%99CC%99', 3],
    ['N[C@@H](C)C(=O)O', 6],
    ['F/C=C\\F', 4],
    ['[13CH3][N+](=O)[O-]', 4],
    ['[2H]OC([2H])([2H])C', 3],
    ['c1ccc2[nH]ccc2c1', 9],
    ['[Fe+2].[se]1cccc1', 6],
    ['C(C)1CC1', 4],
    ['C1.C1', 2],
    ['[Pt@SP1](F)(Cl)(Br)I', 5],
    ['[CH3:1][OH:2]', 2],
    ['N->[Pt]', 2],
    ['[Pt]<-N', 2],
  ])('%s with %i heavy atoms', (smiles, heavyAtoms) => {
    expect(scanSmiles(smiles)).toEqual({ ok: true, heavyAtoms })
  })
})

describe('rejects, with what is wrong and where', () => {
  test.each([
    ['', 'The SMILES is missing.'],
    ['C1CC', 'Ring 1 is opened here but never closed (character 2).'],
    ['C11', 'Ring 1 closes on the atom that opened it (character 3).'],
    ['C12CC12', 'Ring 2 closes between two atoms that are already bonded (character 7).'],
    ['C1C1', 'Ring 1 closes between two atoms that are already bonded (character 4).'],
    ['CC(=O', 'The branch opened here is never closed (character 3).'],
    ['CC)C', 'This ")" closes a branch that was never opened (character 3).'],
    ['C()C', 'The branch "()" is empty (character 3).'],
    ['(C)C', 'The branch "(" has no atom before it (character 1).'],
    ['C=(O)C', 'Put the bond after “(”, not before it (character 3).'],
    ['C(C=)C', 'This bond has no atom after it (character 4).'],
    ['CC=', 'This bond has no atom after it (character 3).'],
    ['=CC', 'The bond "=" has no atom before it (character 1).'],
    ['C==C', 'Two bonds in a row: "=" follows a bond (character 3).'],
    ['CC.', 'Nothing comes after this dot (character 3).'],
    ['.CC', 'Nothing comes before this dot (character 1).'],
    ['1CC1', 'The ring number 1 has no atom before it (character 1).'],
    ['C(1CC1)', 'A branch must start with an atom, not a ring number (character 3).'],
    ['C(=1CC1)', 'A branch must start with an atom, not a ring number (character 4).'],
    ['C%1CC', '“%” must be followed by a two-digit ring number (character 2).'],
    ['C[NH', 'This “[” is never closed (character 2).'],
    ['CN]C', 'This “]” was never opened (character 3).'],
    ['C[]C', 'The brackets “[]” are empty (character 2).'],
    ['C[Xx]', '“Xx” is not an element (character 2).'],
    ['C[D]', 'Write deuterium as [2H] (character 2).'],
    ['C[R1]', '[R1] means any atom; this is not a single compound (character 2).'],
    ['C*', 'The wildcard “*” means any atom; this is not a single compound (character 2).'],
    ['[*]C', '[*] means any atom; this is not a single compound (character 1).'],
    ['[#6]C', '[#6] is a search pattern (SMARTS), not an atom (character 1).'],
    ['[C;H3]', '[C;H3] is a search pattern (SMARTS), not an atom (character 1).'],
    ['CC>>CO', '“>” makes this a reaction; only single compounds are accepted (character 3).'],
    ['CXC', '“X” needs brackets (character 2).'],
    ['C😀', '“😀” is not allowed; SMILES is plain ASCII (character 2).'],
    ['C−C', '“−” is not allowed; SMILES is plain ASCII (character 2).'],
    ['CCO\nCCN', 'SMILES cannot contain spaces or line breaks (character 4).'],
    ['CC O', 'SMILES cannot contain spaces or line breaks (character 3).'],
    ['C\u0000N', 'There is a control character in the SMILES (character 2).'],
    ['"CCO"', 'Quotation marks are not part of a SMILES (character 1).'],
  ])('%j', (smiles, reason) => {
    expect(reasonFor(smiles)).toBe(reason)
  })

  test('gives the position separately from the message as well', () => {
    expect(scanSmiles('CC$$C')).toMatchObject({ ok: false, position: 4 })
    expect(scanSmiles('C'.repeat(300))).toMatchObject({ ok: false, position: 0 })
  })
})

describe('keeps SMILES from RDKit that would hang it or corrupt its memory', () => {
  const { characters, heavyAtoms, atoms, ringClosures } = smilesLimits

  test('a chain with the maximum number of heavy atoms is accepted, one more is not', () => {
    expect(scanSmiles('C'.repeat(heavyAtoms)).ok).toBe(true)
    expect(reasonFor('C'.repeat(heavyAtoms + 1))).toBe(
      'The molecule has more than 250 heavy atoms.',
    )
  })

  test('a SMILES that is too long', () => {
    const reason = 'The SMILES is 100000 characters long; the maximum is 2000.'
    expect(reasonFor('C'.repeat(100_000))).toBe(reason)
    expect(reasonFor('[CH3]'.repeat(characters / 5 + 1))).toMatch(/characters long/)
  })

  test('more explicit hydrogens than RDKit has room for', () => {
    const hydrogens = (count: number) => `${'[H].'.repeat(count)}C`
    expect(scanSmiles(hydrogens(atoms - 1)).ok).toBe(true)
    expect(reasonFor(hydrogens(atoms))).toMatch(/^The SMILES has more than 400 atoms/)
  })

  test('thousands of ring closures, and ladders of rings', () => {
    const rings = (count: number) => 'C1CC1'.repeat(count)
    expect(scanSmiles(rings(ringClosures)).ok).toBe(true)
    expect(reasonFor(rings(ringClosures + 1))).toBe('The molecule has more than 40 rings.')
    expect(reasonFor('C12C3'.repeat(390))).not.toBe('accepted')
  })

  test('an atom with too many bonds, for which RDKit overruns its memory', () => {
    const hub = (bonds: number) => `[Fe]${'(C)'.repeat(bonds)}`
    expect(scanSmiles(hub(12)).ok).toBe(true)
    expect(reasonFor(hub(13))).toBe('Atom 1 has more than 12 bonds (character 42).')
    const closures = '.C1.C2.C3.C4.C5.C6.C7.C8.C9'
    expect(reasonFor(`[Fe]123456789(C)(C)(C)C${closures}`)).toMatch(
      /^Atom 1 has more than 12 bonds/,
    )
  })

  test('branches nested a thousand deep', () => {
    expect(reasonFor(`${'C('.repeat(600)}C${')'.repeat(600)}`)).toBe(
      'The molecule has more than 250 heavy atoms.',
    )
    expect(reasonFor('C' + '('.repeat(1000))).toBe(
      'The branch "(" has no atom before it (character 3).',
    )
  })

  test('any text gets a result in less than a second', () => {
    const started = process.threadCpuUsage()
    for (const piece of ['[', 'C(', '%', 'C1', '[C@', 'C/', '((', '[[]', '%(9', 'C%(99999)']) {
      scanSmiles(piece.repeat(Math.floor(characters / piece.length)))
    }
    expect(cpuMsSince(started)).toBeLessThan(1000)
  })
})
