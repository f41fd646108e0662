import { expect, test } from 'vitest'
import golden from './fixtures/python-rdkit.json' with { type: 'json' }
import { readProperties } from './properties.ts'
import { openRdkit } from './rdkit.ts'

const rdkit = await openRdkit()

test.each(golden)('$smiles has the properties that RDKit computes in Python', (row) => {
  const { smiles, alerts: _, ...expected } = row
  const read = readProperties(rdkit, smiles)
  expect(read).toEqual({
    ok: true,
    value: {
      ...expected,
      mass: expect.closeTo(expected.mass, 2),
      log_p: expect.closeTo(expected.log_p, 3),
      tpsa: expect.closeTo(expected.tpsa, 2),
      fsp3: expect.closeTo(expected.fsp3, 3),
    },
  })
})

test('an invalid molecule has no properties', () => {
  expect(readProperties(rdkit, 'C1CC')).toMatchObject({ ok: false })
})
