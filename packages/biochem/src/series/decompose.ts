/** R-group decomposition: the group of each compound of a series at each position of the core. */
import { type RdkitModule, type RdkitMolecule, trapped } from '../smiles/rdkit.ts'

/** A group as SMILES with its attachment point, for example `F[*:1]`. */
export type SeriesRow = {
  /** Index of the compound in the input. */
  compound: number
  /** The core with its attachment points, with the compound's stereo and bond orders. */
  core: string
  /** By label, `R1` to `Rn`. */
  groups: Record<string, string>
}

export type Decomposition = {
  rows: SeriesRow[]
  /** Labels at which compounds have different groups, most varied first. */
  varying: string[]
  /** Indices of compounds without the core. */
  unmatched: number[]
}

/** Symmetrical positions are matched by trying combinations up to this number; beyond, in canonical order. */
const SYMMETRISED_MAX = 300

/**
 * Null if the core cannot be read. `smiles` are standard ones, null is unmatched. Throws an `RdkitTrap` if RDKit
 * breaks.
 */
export function decompose(
  rdkit: RdkitModule,
  { core, smiles }: { core: string; smiles: (string | null)[] },
  beginStep: () => void = () => undefined,
): Decomposition | null {
  // Labels depend on the input order; sorting makes them reproducible.
  const sorted = smiles
    .flatMap((one, compound) => (one === null ? [] : [{ compound, one }]))
    .toSorted((a, b) => (a.one < b.one ? -1 : Number(a.one > b.one)))
  return trapped(() => {
    using coreMolecule = rdkit.get_mol(core)
    if (coreMolecule === null) return null
    using decomposition = rdkit.get_rgd(coreMolecule, optionsFor(smiles.length))
    if (decomposition === null) return null
    const matched: number[] = []
    for (const { compound, one } of sorted) {
      beginStep()
      using molecule = rdkit.get_mol(one)
      if (molecule !== null && decomposition.add(molecule) >= 0) matched.push(compound)
    }
    beginStep()
    if (matched.length > 0) decomposition.process()
    const found = decomposition.get_rgroups_as_rows() as Record<string, RdkitMolecule>[]
    const rows = found.map((row, place) => readRow(row, matched[place] ?? 0))
    rows.sort((a, b) => a.compound - b.compound)
    const isMatched = new Set(matched)
    const unmatched = [...smiles.keys()].filter((compound) => !isMatched.has(compound))
    return { rows, varying: varyingLabels(rows), unmatched }
  })
}

function optionsFor(count: number): string {
  return JSON.stringify({
    // Otherwise two groups on one atom would become one text, and centres of the core would lose their stereo.
    allowMultipleRGroupsOnUnlabelled: true,
    // At symmetrical positions, similar groups get the same label.
    scoreMethod: 'FingerprintVariance',
    // A pyrazole has its hydrogen on either nitrogen.
    doTautomers: true,
    matchingStrategy: count <= SYMMETRISED_MAX ? 'Greedy' : 'NoSymmetrization',
  })
}

function readRow(row: Record<string, RdkitMolecule>, compound: number): SeriesRow {
  const texts = Object.entries(row).map(([label, molecule]) => {
    const smiles = molecule.get_smiles()
    molecule.delete()
    return [label, smiles] as const
  })
  const { Core: core = '', ...groups } = Object.fromEntries(texts)
  return { compound, core, groups }
}

function varyingLabels(rows: SeriesRow[]): string[] {
  const labels = new Set(rows.flatMap(({ groups }) => Object.keys(groups)))
  const counts = [...labels].map((label) => {
    const different = new Set(rows.map(({ groups }) => groups[label] ?? ''))
    return { label, count: different.size }
  })
  return counts
    .filter(({ count }) => count > 1)
    .toSorted(
      (a, b) => b.count - a.count || a.label.localeCompare(b.label, 'en', { numeric: true }),
    )
    .map(({ label }) => label)
}

/** A group that forms a ring with another position is listed at both. */
export function isBridged(group: string): boolean {
  return (group.match(/\[\*:\d+\]/g) ?? []).length > 1
}
