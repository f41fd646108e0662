/** Matched pairs: compounds that differ in one group, for example F instead of H. */
import type { RdkitModule } from '../smiles/rdkit.ts'
import { type Cut, cutMolecule, type MoleculeCuts, type WrittenFragments } from './cut-molecule.ts'

export type MatchedPair = {
  /** Indices of the compounds in the input. */
  from: number
  to: number
  /** The group of each, for example `*[H]` and `*F`. */
  fromGroup: string
  toGroup: string
}

export const HYDROGEN_GROUP = '[H]*'

/** What the compounds of a series have in each context: the rest of a molecule with one open atom. */
export type Contexts = ReadonlyMap<string, Member[]>

/** Null is skipped. */
export function readContexts(
  rdkit: RdkitModule,
  smiles: (string | null)[],
  beginStep: () => void = () => undefined,
): Contexts {
  const written: WrittenFragments = new Map()
  const cut = smiles.map((one) => {
    beginStep()
    return one === null ? null : cutMolecule(rdkit, one, written)
  })
  return groupByContext(cut)
}

/** Each pair of compounds once, by the smallest groups in which they differ. */
export function findMatchedPairs(contexts: Contexts): MatchedPair[] {
  const smallest = new Map<string, SizedPair>()
  for (const members of contexts.values()) {
    for (const pair of pairMembers(members)) {
      const key = `${Math.min(pair.from, pair.to)} ${Math.max(pair.from, pair.to)}`
      const known = smallest.get(key)
      if (known === undefined || pair.atoms < known.atoms) smallest.set(key, pair)
    }
  }
  return [...smallest.values()].map(({ from, to, fromGroup, toGroup }) => {
    return { from, to, fromGroup, toGroup }
  })
}

/**
 * Number of contexts that occur with the first group but never with the second: the molecules that a change would add.
 * Null for hydrogen, because not all of its positions are contexts.
 */
export function countGaps(contexts: Contexts, from: string, to: string): number | null {
  if (from === HYDROGEN_GROUP) return null
  const has = (members: Member[], group: string) =>
    members.some(({ fragment }) => fragment === group)
  return [...contexts.values()].filter((members) => has(members, from) && !has(members, to)).length
}

/** `atoms`: of both groups. */
type SizedPair = MatchedPair & { atoms: number }

function pairMembers(members: Member[]): SizedPair[] {
  return members.flatMap((member, at) =>
    members
      .slice(at + 1)
      .filter((other) => member.compound !== other.compound && member.fragment !== other.fragment)
      .map((other) => ({ ...orient(member, other), atoms: member.atoms + other.atoms })),
  )
}

/** A fragment of a compound in one context. */
type Member = Pick<Cut, 'fragment' | 'atoms'> & { compound: number }

/** By context; a compound equal to a context with a hydrogen belongs to it with the group H. */
function groupByContext(cut: (MoleculeCuts | null)[]): Map<string, Member[]> {
  const contexts = new Map<string, Member[]>()
  const filledBy = new Map<string, Set<string>>()
  for (const [compound, one] of cut.entries()) {
    for (const { context, withHydrogen, fragment, atoms } of one?.cuts ?? []) {
      push(contexts, context, { compound, fragment, atoms })
      const known = filledBy.get(withHydrogen) ?? new Set()
      filledBy.set(withHydrogen, known.add(context))
    }
  }
  for (const [compound, one] of cut.entries()) {
    for (const context of (one && filledBy.get(one.whole)) ?? []) {
      push(contexts, context, { compound, fragment: HYDROGEN_GROUP, atoms: 0 })
    }
  }
  return contexts
}

function push<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

/** A change is written in one direction only: hydrogen first, otherwise the group that sorts first. */
export function orient(one: Omit<Member, 'atoms'>, other: Omit<Member, 'atoms'>): MatchedPair {
  const isFirst =
    one.fragment === HYDROGEN_GROUP ||
    (other.fragment !== HYDROGEN_GROUP && one.fragment < other.fragment)
  const [first, second] = isFirst ? [one, other] : [other, one]
  return {
    from: first.compound,
    to: second.compound,
    fromGroup: first.fragment,
    toGroup: second.fragment,
  }
}
