/** Counts the compounds of a plan that differ from another only in stereochemistry, which the model ignores. */
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import type { Plan } from './plan.ts'

export type Flattener = Pick<ParsingWorkers, 'flattenCompounds'>

const isIsomeric = /[@/\\]/

type Wanted = { userId: string; plan: Plan; until: number }

/** Null if not all could be compared until then. */
export async function countStereoisomers(
  parsingWorkers: Flattener,
  { userId, plan, until }: Wanted,
): Promise<number | null> {
  const smiles = [...new Set(plan.rows.flatMap(({ standard }) => standard ?? []))]
  const isomeric = smiles.filter((one) => isIsomeric.test(one))
  const flat =
    isomeric.length === 0 ? [] : await parsingWorkers.flattenCompounds(userId, isomeric, until)
  if (flat.includes(null)) return null
  // A SMILES without stereochemistry is flat.
  const others = smiles.filter((one) => !isIsomeric.test(one))
  return smiles.length - new Set([...flat, ...others]).size
}
