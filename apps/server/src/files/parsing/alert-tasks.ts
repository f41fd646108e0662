/** Parsing-thread tasks for properties, structural alerts and features. */
import {
  type AlertSearch,
  checkSmarts,
  type DescribedCompound,
  describeCompound,
  drawPlaced,
  locateAlerts,
  openAlerts,
  parsed,
  type Parsed,
  type PlacedDrawing,
  type RdkitModule,
  readSmiles,
} from '@pkdex/biochem'
import type { Theme } from '@pkdex/contract'
import { beginStep, type TaskCall } from '#server/platform/jobs/thread-pool.ts'
import { withRdkit } from './rdkit-thread.ts'

/** Properties, alerts and features of standard SMILES; null for one that cannot be read. */
export function describeCompounds({
  input,
  steps,
}: TaskCall<string[]>): Promise<(DescribedCompound | null)[]> {
  return withRdkit((rdkit) => {
    beginStep(steps)
    return input.map((smiles) => {
      beginStep(steps)
      return describeCompound(rdkit, smiles)
    })
  })
}

/** Per pattern: null, or why it cannot be used. */
export function checkPatterns(call: TaskCall<string[]>): Promise<(string | null)[]> {
  return withRdkit((rdkit) =>
    call.input.map((smarts) => {
      beginStep(call.steps)
      return checkSmarts(rdkit, smarts)
    }),
  )
}

/** Per compound: the positions of the user's own patterns that match it. */
export function matchPatterns(
  call: TaskCall<{ patterns: string[]; smiles: string[] }>,
): Promise<number[][]> {
  const { patterns, smiles } = call.input
  return withRdkit((rdkit) =>
    withPatterns(rdkit, patterns, (own) =>
      smiles.map((one) => {
        beginStep(call.steps)
        using molecule = readSmiles(rdkit, one)
        return molecule === null ? [] : own.find(molecule)
      }),
    ),
  )
}

type PlacedPicture = Extract<PlacedDrawing, { ok: true }>

export type LocatedAlerts = {
  /** Null if the compound is too large to draw. */
  picture: (Omit<PlacedPicture, 'ok'> & typeof PICTURE) | null
  /** Positions in the catalogue and in the user's own list. */
  catalogue: { pattern: number; atoms: number[] }[]
  own: { pattern: number; atoms: number[] }[]
}

const PICTURE = { width: 300, height: 200 }

/** The alerts of one compound with their atoms, and its picture with the positions of the atoms. */
export function locateCompoundAlerts(
  call: TaskCall<{ smiles: string; patterns: string[]; theme: Theme }>,
): Promise<Parsed<LocatedAlerts>> {
  const { smiles, patterns, theme } = call.input
  return withRdkit((rdkit) => {
    beginStep(call.steps)
    const catalogue = locateAlerts(rdkit, smiles)
    if (!catalogue.ok) return catalogue
    const own = withPatterns(rdkit, patterns, (search) => locateAlerts(rdkit, smiles, search))
    if (!own.ok) return own
    beginStep(call.steps)
    const drawn = drawPlaced(rdkit, smiles, { ...PICTURE, theme })
    const picture = drawn.ok
      ? { ...PICTURE, svg: drawn.svg, alt: drawn.alt, atoms: drawn.atoms }
      : null
    return parsed({ picture, catalogue: catalogue.value, own: own.value })
  })
}

function withPatterns<T>(
  rdkit: RdkitModule,
  smarts: string[],
  work: (search: AlertSearch) => T,
): T {
  const search = openAlerts(rdkit, smarts)
  const result = work(search)
  search.delete()
  return result
}
