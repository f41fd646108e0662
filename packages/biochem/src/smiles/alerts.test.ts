import { expect, test } from 'vitest'
import { alertCatalogue, checkSmarts, findAlerts, locateAlerts, openAlerts } from './alerts.ts'
import golden from './fixtures/python-rdkit.json' with { type: 'json' }
import { readGraph } from './molecule-graph.ts'
import { openRdkit, type RdkitMolecule } from './rdkit.ts'

const rdkit = await openRdkit()

function withMolecule<T>(smiles: string, work: (molecule: RdkitMolecule) => T): T {
  using molecule = rdkit.get_mol(smiles)
  if (molecule === null) throw new Error(`${smiles} cannot be read`)
  return work(molecule)
}

test.each(golden)('$smiles has the PAINS and Brenk alerts that RDKit finds in Python', (row) => {
  const names = withMolecule(row.smiles, (molecule) => findAlerts(readGraph(molecule))).map(
    (at) => `${alertCatalogue[at]?.catalogue} ${alertCatalogue[at]?.name}`,
  )
  expect(names.toSorted()).toEqual(row.alerts)
})

test('lists the atoms of a match in SMILES order, of the catalogue and of a user’s own pattern', () => {
  const smiles = 'Cc1ccccc1[N+](=O)[O-]'
  const nitro = openAlerts(rdkit, ['[N+](=O)[O-]'])
  expect(locateAlerts(rdkit, smiles, nitro)).toEqual({
    ok: true,
    value: [{ pattern: 0, atoms: [7, 8, 9] }],
  })
  nitro.delete()
  const found = locateAlerts(rdkit, smiles)
  if (!found.ok) throw new Error(found.reason)
  const [alert] = found.value
  expect(alertCatalogue[alert?.pattern ?? -1]?.name).toBe('nitro group')
  expect(alert?.atoms).toEqual([7, 8, 9])
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
