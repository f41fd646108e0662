import { expect, test } from 'vitest'
import { describeCompound } from '../features/describe-compound.ts'
import { succeeded } from '../fixtures/results.ts'
import { alertCatalogue } from './alerts.ts'
import { packRecord, unpackRecord } from './compound-record.ts'
import { readProperties } from './properties.ts'
import { openRdkit } from './rdkit.ts'

const rdkit = await openRdkit()

test('a stored record contains the computed properties, the charge and all alerts', () => {
  const smiles = 'C[N+](C)(C)Cc1cc(N=Nc2ccccc2)ccc1O'
  const described = describeCompound(rdkit, smiles)
  if (described === null) throw new Error('the compound cannot be read')
  const record = unpackRecord(described.record)
  const computed = readProperties(rdkit, smiles)
  if (!computed.ok || record === null) throw new Error('the compound cannot be read')
  expect(record.properties.charge).toBe(1)
  for (const [name, value] of Object.entries(computed.value)) {
    expect(record.properties).toHaveProperty(name, expect.closeTo(value, 3))
  }
  expect(record.alerts.map((at) => alertCatalogue[at]?.name)).toContain('diazo group')
})

test('SPEC 32.1: a record with forty alerts stays below 120 bytes', () => {
  const properties = succeeded(readProperties(rdkit, 'CC')).value
  const alerts = Array.from({ length: 40 }, (_, at) => at)
  expect(packRecord({ properties, alerts }).length).toBeLessThanOrEqual(120)
})

test('a record of another version is ignored', () => {
  const properties = succeeded(readProperties(rdkit, 'CC')).value
  const bytes = packRecord({ properties, alerts: [] })
  bytes[0] = 255
  expect(unpackRecord(bytes)).toBeNull()
})
