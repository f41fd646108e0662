import { expect, test } from 'vitest'
import { succeeded } from '../fixtures/results.ts'
import { openRdkit } from '../smiles/rdkit.ts'
import { searchStructure } from './structure-search.ts'

const rdkit = await openRdkit()

const step = () => undefined
const smiles = ['CNc1ncnc2cc(F)ccc12', 'CNc1ncnc2cc(Cl)ccc12', 'CCCCCCCO', 'NS(=O)(=O)c1ccccc1']

function search(kind: 'similarity' | 'substructure', query: string) {
  return succeeded(searchStructure(rdkit, { kind, query, smiles }, step)).value
}

test('SPEC 19.17: a compound is fully similar to itself, and more similar to an analogue than to another series', () => {
  const [itself, analogue, alcohol] = search('similarity', 'CNc1ncnc2cc(F)ccc12')
  expect(itself).toBe(1)
  expect(analogue).toBeGreaterThan(0.5)
  expect(alcohol).toBeLessThan(0.2)
})

test('a drawing with alternating bonds or charges is read as compounds are stored', () => {
  expect(search('similarity', 'CNC1=NC=NC2=CC(F)=CC=C12')[0]).toBe(1)
  expect(search('similarity', 'CNc1ncnc2cc(F)ccc12.Cl')[0]).toBe(1)
  expect(search('substructure', 'C[NH2+]c1ncnc2cc(F)ccc12').map((one) => one !== null)).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test('SPEC 19.17: a substructure is found in every compound that contains it', () => {
  const holders = (query: string) =>
    search('substructure', query).flatMap((one, place) => (one === null ? [] : place))
  expect(holders('C1=CC2=NC=NC=C2C=C1')).toEqual([0, 1])
  expect(holders('CCO')).toEqual([2])
  expect(holders('NS(=O)=O')).toEqual([3])
  expect(holders('CN.F')).toEqual([0])
  expect(holders('C1CCC1')).toEqual([])
})

test('a query that is not a molecule is refused with the reason', () => {
  const read = (query: string) =>
    searchStructure(rdkit, { kind: 'similarity', query, smiles }, step)
  expect(read('C1CC')).toMatchObject({ ok: false, reason: expect.stringContaining('Ring 1') })
  expect(read('C(C)(C)(C)(C)C')).toMatchObject({ ok: false })
  expect(read('hello')).toMatchObject({ ok: false })
})
