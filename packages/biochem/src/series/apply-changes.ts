/**
 * New molecules of a series by changing one group: in each compound that has the group, it is replaced by the other. A
 * replaced hydrogen is one on carbon.
 */
import { type RdkitModule, trapped } from '../smiles/rdkit.ts'
import { joinGroups } from './join-groups.ts'
import { HYDROGEN_GROUP } from './matched-pairs.ts'

/** Groups with a star at their attachment point, as matched pairs have them. */
export type AppliedChange = { from: string; to: string }

/** `change`: index of the change; `from`: index of the compound. */
export type ChangedMolecule = { smiles: string; change: number; from: number }

type Changes = {
  /** Standard SMILES; null is skipped. */
  smiles: (string | null)[]
  /** In order of application. */
  changes: AppliedChange[]
  most: number
}

/**
 * Each new molecule once, made by the first change that gives it; compounds of the series are excluded.
 * `skippedChanges`: those not applied to every compound, because there were `most` molecules before.
 */
export function applyChanges(
  rdkit: RdkitModule,
  { smiles, changes, most }: Changes,
  beginStep: () => void = () => undefined,
): { tried: number; known: number; skippedChanges: number; products: ChangedMolecule[] } {
  const isKnown = new Set(smiles)
  const found = new Map<string, ChangedMolecule>()
  let [tried, known, skippedChanges] = [0, 0, 0]
  for (const { smiles: made, change, from } of makeAll(rdkit, { smiles, changes }, beginStep)) {
    if (found.size >= most) {
      skippedChanges = changes.length - change
      break
    }
    tried += 1
    if (isKnown.has(made)) known += 1
    else if (!found.has(made)) found.set(made, { smiles: made, change, from })
  }
  return { tried, known, skippedChanges, products: [...found.values()] }
}

function* makeAll(
  rdkit: RdkitModule,
  { smiles, changes }: Pick<Changes, 'smiles' | 'changes'>,
  beginStep: () => void,
): Generator<ChangedMolecule> {
  // A hydrogen is replaced without cutting anything.
  const isCut = changes.some(({ from }) => from !== HYDROGEN_GROUP)
  const contexts = smiles.map((one) => {
    beginStep()
    return one === null || !isCut ? new Map<string, string[]>() : listContexts(rdkit, one)
  })
  for (const [change, { from, to }] of changes.entries()) {
    const group = canonicalGroup(rdkit, from)
    for (const [place, one] of smiles.entries()) {
      if (one === null) continue
      beginStep()
      const made =
        from === HYDROGEN_GROUP
          ? replaceHydrogens(rdkit, one, to)
          : replaceGroup(rdkit, contexts[place]?.get(group) ?? [], to)
      for (const product of made) yield { smiles: product, change, from: place }
    }
  }
}

/** More bonds than any compound has that can be cut. */
const CUT_BONDS_MAX = 100

/** By removed group: the rest of the molecule, with `[*:1]` at the cut. */
export function listContexts(rdkit: RdkitModule, smiles: string): Map<string, string[]> {
  const contexts = new Map<string, string[]>()
  for (const pair of cutOnce(rdkit, smiles)) {
    const [one = '', other = ''] = pair.split('.')
    for (const [group, rest] of [[one, other] as const, [other, one] as const]) {
      const key = canonicalGroup(rdkit, group)
      contexts.set(key, [...(contexts.get(key) ?? []), rest])
    }
  }
  return contexts
}

/** Both sides of each cut, as `C[*:1].CO[*:1]`. */
function cutOnce(rdkit: RdkitModule, smiles: string): string[] {
  return trapped(() => {
    using molecule = rdkit.get_mol(smiles)
    if (molecule === null) return []
    const { sidechains, cores } = molecule.get_mmpa_frags(1, 1, CUT_BONDS_MAX) as Fragments
    const pairs = sidechains === null ? [] : readList(sidechains)
    sidechains?.delete()
    cores?.delete()
    return pairs
  })
}

function readList(list: FragmentList): string[] {
  return Array.from({ length: list.size() }, (_, at) => {
    using molecule = list.at(at)
    return molecule?.get_smiles() ?? ''
  })
}

/** Both are null if nothing can be cut. */
type Fragments = { cores: FragmentList | null; sidechains: FragmentList | null }
type FragmentList = {
  size(): number
  at(place: number): (Disposable & { get_smiles(): string }) | null
  delete(): void
}

/** With a star, without stereochemistry, which matched pairs ignore. */
export function canonicalGroup(rdkit: RdkitModule, group: string): string {
  const flat = group.replaceAll('[*:1]', '*').replaceAll(/[@/\\]/g, '')
  return trapped(() => {
    using molecule = rdkit.get_mol(flat)
    return molecule?.get_smiles() ?? flat
  })
}

function replaceGroup(rdkit: RdkitModule, contexts: string[], to: string): string[] {
  const group = to.replace(/(?<!\[)\*(?!:)/, '[*:1]')
  const made = contexts.map((core) => joinGroups(rdkit, { core, groups: { R1: group } }))
  return [...new Set(made.filter((smiles) => smiles !== null))]
}

const PRODUCTS_OF_ONE_MAX = 50

function replaceHydrogens(rdkit: RdkitModule, smiles: string, to: string): string[] {
  return trapped(() => {
    using reaction = rdkit.get_rxn(`[#6;!H0:1]>>${to.replace('*', '[#6:1]')}`)
    using molecule = rdkit.get_mol(smiles)
    if (reaction === null || molecule === null) return []
    using reactants = new rdkit.MolList()
    reactants.append(molecule)
    using lists = reaction.run_reactants(reactants, PRODUCTS_OF_ONE_MAX)
    const made: string[] = []
    for (let at = 0; at < lists.size(); at += 1) {
      using list = lists.get(at)
      using product = list?.at(0) ?? null
      if (product === null) continue
      using clean = rdkit.get_mol(product.get_smiles())
      if (clean !== null) made.push(clean.get_smiles())
    }
    return [...new Set(made)]
  })
}
