import { afterAll, expect, test } from 'vitest'
import { alertCatalogue, checkSmarts, locateAlerts, openAlerts } from './alerts.ts'
import golden from './fixtures/python-rdkit.json' with { type: 'json' }
import { openRdkit } from './rdkit.ts'

const rdkit = await openRdkit()
const alerts = openAlerts(rdkit, alertCatalogue)
afterAll(() => alerts.delete())

test.each(golden)('$smiles has the PAINS and Brenk alerts that RDKit finds in Python', (row) => {
  using molecule = rdkit.get_mol(row.smiles)
  if (molecule === null) throw new Error('the fixture cannot be read')
  const names = alerts.find(molecule).map((at) => {
    return `${alertCatalogue[at]?.catalogue} ${alertCatalogue[at]?.name}`
  })
  expect(names.toSorted()).toEqual(row.alerts)
})

test('the fingerprint screen skips no pattern that matches', () => {
  for (const { smiles } of golden) {
    using molecule = rdkit.get_mol(smiles)
    if (molecule === null) throw new Error('the fixture cannot be read')
    const all = alertCatalogue.flatMap(({ smarts }, at) => {
      using pattern = rdkit.get_qmol(smarts)
      return pattern !== null && molecule.get_substruct_match(pattern) !== '{}' ? [at] : []
    })
    expect(alerts.find(molecule)).toEqual(all)
  }
})

test('lists the atoms of a match in SMILES order', () => {
  const nitro = openAlerts(rdkit, [{ smarts: '[N+](=O)[O-]' }])
  expect(locateAlerts(rdkit, nitro, 'Cc1ccccc1[N+](=O)[O-]')).toEqual({
    ok: true,
    value: [{ pattern: 0, atoms: [7, 8, 9] }],
  })
  nitro.delete()
})

test.each([
  ['c1ccccc1[', 'This is not valid SMARTS.'],
  ['', 'The SMARTS is missing.'],
  ['[OX2H1] acid', 'A SMARTS contains no spaces.'],
  ['C[H]', 'Write hydrogens as a count, for example [OX2H1] instead of [O][H] or [#1].'],
  ['[#8]-[#1]', 'Write hydrogens as a count, for example [OX2H1] instead of [O][H] or [#1].'],
])('rejects the pattern “%s” and says why', (smarts, reason) => {
  expect(checkSmarts(rdkit, smarts)).toBe(reason)
})

test.each(['[!#1]-[OX2H1]', '[#17]', 'C(=O)[OH]', '[#6&!H0]', '[nH]'])('accepts %s', (smarts) => {
  expect(checkSmarts(rdkit, smarts)).toBeNull()
})
