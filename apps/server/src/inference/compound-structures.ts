/**
 * Structures and sources of the training compounds: an optional file of the model folder. It contains the hashes of the
 * files it describes, and is ignored if they do not match.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'

export type CompoundStructures = {
  /** By row of the fingerprints; null if unknown. */
  compound(row: number): { smiles: string; name: string | null } | null
  /** By index in the file of labels; null if unknown. */
  origin(label: number): Origin | null
}

const Origin = z.object({ types: z.array(z.string()), sources: z.array(z.string()) })
type Origin = z.infer<typeof Origin>

/** Written by `training/export/compound-structures.ts`. */
const StructuresFile = z.object({
  /** SHA-256 of the files it describes. */
  fingerprints: z.string(),
  measured: z.string(),
  /** Per row: SMILES, and after a tab the name, if there is one. Empty if unknown. */
  compounds: z.array(z.string()),
  origins: z.array(Origin),
  /** Per label, an index into `origins`; -1 if unknown. */
  originOf: z.array(z.number()),
})

const nothing: CompoundStructures = { compound: () => null, origin: () => null }

export function openCompoundStructures(directory: string): CompoundStructures {
  const file = join(directory, 'compound-structures.json.gz')
  if (!existsSync(file)) return nothing
  const text = gunzipSync(readFileSync(file)).toString('utf8')
  const { fingerprints, measured, ...known } = StructuresFile.parse(JSON.parse(text))
  const isOfThisModel =
    fingerprints === hashOf(join(directory, 'compound-fingerprints.bin.gz')) &&
    measured === hashOf(join(directory, 'measured.bin.gz'))
  if (!isOfThisModel) return nothing
  return {
    compound(row) {
      const [smiles = '', name = ''] = known.compounds[row]?.split('\t') ?? []
      return smiles === '' ? null : { smiles, name: name === '' ? null : name }
    },
    origin: (label) => known.origins[known.originOf[label] ?? -1] ?? null,
  }
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
