import { expect, test } from 'vitest'
import { openRdkit } from '../smiles/rdkit.ts'
import { findCliffs, findClusters, pickDiverse, readFingerprints } from './cluster.ts'

const rdkit = await openRdkit()

const quinazolines = ['CNc1ncnc2cc(F)ccc12', 'CNc1ncnc2cc(Cl)ccc12', 'CNc1ncnc2cc(Br)ccc12']
const alcohols = ['CCCCCCCO', 'CCCCCCCCO']
const inOrder = (places: number[]) => places.toSorted((a, b) => a - b)
const alone = 'c1ccsc1C(=O)O'

test('SPEC 33.1: similar compounds are one cluster, largest first; a compound without neighbours is a singleton', () => {
  const smiles = [alone, ...alcohols, ...quinazolines, null]
  const clusters = findClusters(readFingerprints(rdkit, smiles), 0.6)
  expect(clusters.map(({ members }) => inOrder(members))).toEqual([[3, 4, 5], [1, 2], [0]])
  for (const { centre, members } of clusters) expect(members[0]).toBe(centre)
})

test('every compound is in one cluster, however high the similarity', () => {
  const smiles = [...quinazolines, ...alcohols, alone]
  for (const similarity of [0, 0.3, 0.8, 1]) {
    const clusters = findClusters(readFingerprints(rdkit, smiles), similarity)
    const members = clusters.flatMap((cluster) => cluster.members)
    expect(inOrder(members)).toEqual([0, 1, 2, 3, 4, 5])
  }
})

test('SPEC 33.2: a diverse choice takes one compound of each kind before a second one', () => {
  const smiles = [...quinazolines, ...alcohols, alone]
  const picked = pickDiverse(readFingerprints(rdkit, smiles), 3, 0)
  expect(picked[0]).toBe(0)
  const kinds = picked.map((place) => (place < 3 ? 'quinazoline' : place < 5 ? 'alcohol' : 'acid'))
  expect(new Set(kinds).size).toBe(3)
})

test('a diverse choice contains no duplicates and no unreadable compound', () => {
  const fingerprints = readFingerprints(rdkit, ['CCO', null, 'OCC', 'CCN'])
  expect(pickDiverse(fingerprints, 10, 0)).toEqual([0, 3])
})

test('SPEC 33.3: similar compounds with different values are cliffs, the largest difference first', () => {
  const smiles = [...quinazolines, ...alcohols]
  const fingerprints = readFingerprints(rdkit, smiles)
  const cliffs = findCliffs(fingerprints, [6, 8.5, 7.2, 3, null], {
    similarityMin: 0.6,
    changeMin: 1,
  })
  expect(cliffs.map(({ weaker, stronger }) => [weaker, stronger])).toEqual([
    [0, 1],
    [2, 1],
    [0, 2],
  ])
  expect(cliffs[0]?.change).toBe(2.5)
})
