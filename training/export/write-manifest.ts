/** Records the inputs of an export: the feature spec, the sizes, and the hash of every table. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  compoundBitCount,
  exactKmerCount,
  featureSpec,
  featureSpecHash,
  reducedKmerCount,
} from '@pkdex/biochem'
import { VARIANTS } from './export-targets.ts'
import type { Table } from './read-table.ts'

export function writeManifest(
  out: string,
  counts: { compounds: number; targets: number; crystallised?: number },
  tables: Table[],
): void {
  const manifest = {
    featureSpecHash,
    featureSpec,
    sizes: {
      compoundBits: compoundBitCount,
      exactWords: exactKmerCount,
      reducedWords: reducedKmerCount,
    },
    targetVariants: VARIANTS,
    counts,
    tables: tables.map(({ path, sha256, rows }) => ({ path, sha256, rows: rows.length })),
  }
  writeFileSync(join(out, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
