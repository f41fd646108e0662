/**
 * The segments of a target observed in real structures. BindingDB's table lists the PDB entries of each target; the
 * structures are in a folder next to the tables.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  chainSegments,
  readStructure,
  targetFeatures,
  kmerContainment,
  type Structure,
} from '@pkdex/biochem'
import type { CrystallisedChains, NamedSequence } from './export-targets.ts'
import { cell, type Table } from './read-table.ts'

/** A chain that shares fewer k-mers with the target is another molecule of the same entry. */
const CONTAINMENT_MIN = 0.5

export function crystallisedChains(
  folder: string,
  { entries, sequences }: { entries: Table; sequences: Table },
  targets: NamedSequence[],
): CrystallisedChains {
  const targetsOf = targetsByEntry(entries, sequences, targets)
  const found: CrystallisedChains = new Map()
  for (const file of readdirSync(folder).filter((name) => /\.(pdb|ent)$/i.test(name))) {
    const shown = targetsOf.get(file.slice(0, 4).toUpperCase()) ?? []
    const read =
      shown.length === 0 ? null : readStructure(readFileSync(join(folder, file), 'latin1'))
    if (!read?.ok) continue
    for (const target of shown) {
      const segments = chainThatShows(read.value, target.sequence)
      if (segments) found.set(target.id, [...(found.get(target.id) ?? []), segments])
    }
  }
  return found
}

/** BindingDB uses its own target names, so targets are matched by sequence. */
function targetsByEntry(entries: Table, sequences: Table, targets: NamedSequence[]) {
  const bySequence = new Map(targets.map((target) => [target.sequence, target]))
  const byId = new Map(
    sequences.rows.map((row) => [cell(row, 'target_id'), bySequence.get(cell(row, 'sequence'))]),
  )
  return new Map(
    entries.rows.map((row) => [
      cell(row, 'pdb_id'),
      cell(row, 'target_ids')
        .split(',')
        .map((id) => byId.get(id))
        .filter((target) => target !== undefined),
    ]),
  )
}

function chainThatShows({ chains }: Structure, sequence: string): string[] | null {
  const whole = targetFeatures([sequence]).identity
  const known = new Set(whole)
  const shown = chains
    .filter(({ kind }) => kind === 'protein')
    .map((chain) => {
      const segments = chainSegments(chain)
      const kmers = targetFeatures(segments).identity
      const shared = kmers.filter((kmer) => known.has(kmer)).length
      return { segments, containment: kmerContainment(shared, kmers.length, whole.length) }
    })
    .toSorted((a, b) => b.containment - a.containment)[0]
  return shown && shown.containment > CONTAINMENT_MIN ? shown.segments : null
}
