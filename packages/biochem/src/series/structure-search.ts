/**
 * Compares molecules with a drawn one: how similar they are to it, or which of them contain it. Similarity is the one of
 * `cluster.ts`.
 */
import { type Parsed, parsed, unreadable } from '../parsed.ts'
import { explainRefusal } from '../smiles/explain-smiles.ts'
import { type RdkitModule, trapped } from '../smiles/rdkit.ts'
import { scanSmiles } from '../smiles/scan-smiles.ts'
import { standardise } from '../smiles/standardise.ts'
import { matchDrawn } from '../smiles/substructure.ts'
import { readFingerprints, tanimoto } from './cluster.ts'

export type StructureSearch = {
  kind: 'similarity' | 'substructure'
  /** SMILES as drawn. */
  query: string
  /** Standard SMILES to search. */
  smiles: string[]
}

/**
 * The similarity of each molecule, in order; null for one that cannot be read or does not contain the substructure.
 * `beginStep` is called before each molecule, because a search may hang.
 */
export function searchStructure(
  rdkit: RdkitModule,
  { kind, query, smiles }: StructureSearch,
  beginStep: () => void,
): Parsed<(number | null)[]> {
  beginStep()
  const read = readQuery(rdkit, kind, query)
  if (!read.ok) return read
  const drawn = read.value
  const isIn = kind === 'substructure' ? matchDrawn(rdkit, { drawn, smiles }, beginStep) : null
  const wanted = smiles.map((one, place) => (isIn === null || isIn[place] === true ? one : null))
  const [own, ...others] = readFingerprints(rdkit, [drawn, ...wanted], beginStep)
  return parsed(others.map((bits) => (bits === null ? null : tanimoto(own, bits))))
}

/**
 * Neutral and in amide form, as compounds are stored. A substructure of several fragments, or without carbon, stays as
 * drawn.
 */
function readQuery(
  rdkit: RdkitModule,
  kind: StructureSearch['kind'],
  query: string,
): Parsed<string> {
  const standard = standardise(rdkit, query)
  if (standard.ok && (kind === 'similarity' || standard.stripped.length === 0)) {
    return parsed(standard.standardSmiles)
  }
  const scan = scanSmiles(query)
  if (!scan.ok) return unreadable(0, scan.reason)
  return trapped(() => {
    using molecule = rdkit.get_mol(query)
    return molecule === null ? unreadable(0, explainRefusal(rdkit, query)) : parsed(query)
  })
}
