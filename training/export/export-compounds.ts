/** Exports compounds of the tables to arrays: fingerprint bits, descriptors, and the row of each compound. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  compoundFeatures,
  featureSpec,
  type CompoundFeatures,
  type RdkitModule,
} from '@pkdex/biochem'
import { offsetsOf, writeArray } from './write-array.ts'

export type NamedSmiles = { id: string; smiles: string }

const PROGRESS_EVERY = 10_000

export function exportCompounds(out: string, rdkit: RdkitModule, compounds: NamedSmiles[]): void {
  const features = compounds.map(({ smiles }, index) => {
    if (index > 0 && index % PROGRESS_EVERY === 0) console.log(`${index} compounds`)
    return compoundFeatures(rdkit, smiles)
  })
  writeFileSync(
    join(out, 'compounds.tsv'),
    `id\tsmiles\n${compounds.map(({ id, smiles }) => `${id}\t${smiles}\n`).join('')}`,
  )
  writeFeatures(out, features)
}

function writeFeatures(out: string, features: CompoundFeatures[]): void {
  const bits = features.map((compound) => compound.bits)
  const descriptors = features.map((compound) => compound.descriptors)
  writeArray(join(out, 'compound-offsets.npy'), [offsetsOf(bits)])
  writeArray(join(out, 'compound-bits.npy'), bits)
  writeArray(
    join(out, 'compound-descriptors.npy'),
    descriptors,
    featureSpec.compound.descriptors.length,
  )
}
