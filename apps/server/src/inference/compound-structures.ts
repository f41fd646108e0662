/**
 * What the training compounds are and where their values come from: a file beside the model that it does without.
 * It names the files whose rows it describes by their hashes; beside any others it says nothing.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'

export type CompoundStructures = {
  /** Of a row of the fingerprints; null where it is not known. */
  compound(row: number): { smiles: string; name: string | null } | null
  /** Of a label, by its place in the file of labels; null where it is not known. */
  origin(label: number): Origin | null
}

const Origin = z.object({ types: z.array(z.string()), sources: z.array(z.string()) })
type Origin = z.infer<typeof Origin>

/** Written by `tools/compound-structures.ts`. */
const StructuresFile = z.object({
  /** SHA-256 of the files whose rows these are. */
  fingerprints: z.string(),
  measured: z.string(),
  /** Row by row: SMILES, and behind a tab the name where there is one. Empty: not known. */
  compounds: z.array(z.string()),
  origins: z.array(Origin),
  /** Label by label, a place in `origins`; -1: not known. */
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
