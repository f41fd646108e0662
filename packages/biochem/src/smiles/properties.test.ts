import { expect, test } from 'vitest'
import { readProperties } from './properties.ts'
import { openRdkit } from './rdkit.ts'

const rdkit = await openRdkit()

test.each([
  ['aspirin', 'CC(=O)Oc1ccccc1C(=O)O', 1.3101, 63.6],
  ['imatinib', 'Cc1ccc(NC(=O)c2ccc(CN3CCN(C)CC3)cc2)cc1Nc1nccc(-c2cccnc2)n1', 4.5903, 86.28],
  ['ethane', 'CC', 1.0262, 0],
])('%s has the logP and the polar surface that RDKit publishes', (_, smiles, logP, tpsa) => {
  const read = readProperties(rdkit, smiles)
  expect(read).toEqual({
    ok: true,
    value: { logP: expect.closeTo(logP, 3), tpsa: expect.closeTo(tpsa, 2) },
  })
})

test('what is no molecule has no properties', () => {
  expect(readProperties(rdkit, 'C1CC')).toMatchObject({ ok: false })
})
