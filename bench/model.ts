/** Speed of the model on one core: one pair cold, many with cached encodings. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chainSegments, longestProteinChain, openRdkit, readStructure } from '@pkdex/biochem'
// oxlint-disable-next-line no-restricted-imports -- the model is measured as the server's worker runs it
import { openModel } from '../apps/server/src/inference/open-model.ts'
import { type Figure, medianMs } from './figure.ts'

const modelFolder = fileURLToPath(new URL('../models/current', import.meta.url))
const sample = readFileSync(fileURLToPath(new URL('../samples/1hpv.pdb', import.meta.url)), 'utf8')

const COMPOUNDS = 1000
const TARGETS = 10

export async function measureModel(): Promise<Figure[]> {
  const model = await openModel({ directory: modelFolder, rdkit: await openRdkit() })
  const smiles = makeCompounds(COMPOUNDS + 40)
  const targets = makeTargets(sampleSegments())
  const pairs = targets.flatMap((segments) =>
    smiles.slice(0, COMPOUNDS).map((one) => ({ segments, smiles: one })),
  )
  const cold = await medianMs(20, (round) => {
    const segments = [...sampleSegments(), 'A'.repeat(round + 5)]
    return model.predict([{ segments, smiles: smiles[COMPOUNDS + 1 + round] ?? 'C' }])
  })
  const kept = await medianMs(3, () => model.predict(pairs))
  return [
    {
      name: 'one new pair, structure already parsed',
      measured: cold,
      unit: 'ms',
      against: { name: 'limit', value: 150 },
    },
    {
      name: `${COMPOUNDS} compounds × ${TARGETS} targets, encodings cached`,
      measured: (pairs.length / kept) * 1000,
      unit: 'pairs/s',
      against: { name: 'floor', value: 20_000 },
      isFloor: true,
    },
  ]
}

function sampleSegments(): string[] {
  const structure = readStructure(sample)
  const chain = structure.ok ? longestProteinChain(structure.value) : null
  if (chain === null) throw new Error('the sample structure cannot be read')
  return chainSegments(chain)
}

/** Distinct molecules: anilides with chains of different kinds and lengths. */
function makeCompounds(count: number): string[] {
  const links = ['C', 'O', 'N', 'S', 'CC', 'CO', 'CN', 'C(=O)N', 'CCO', 'S(=O)(=O)N']
  return Array.from({ length: count }, (_, index) => {
    const first = links[index % 10] ?? 'C'
    const second = links[Math.floor(index / 10) % 10] ?? 'C'
    const tail = 'C'.repeat(1 + Math.floor(index / 100))
    return `c1ccccc1${first}c1ccc(${second}${tail})nc1`
  })
}

/** Ten constructs of one target: each starts a few residues later. */
function makeTargets(segments: string[]): string[][] {
  const whole = segments.join('')
  return Array.from({ length: TARGETS }, (_, index) => [whole.slice(index * 3)])
}
