/** Places the compounds of a block in the structure of its target. */
import { findTargets, readStructure } from '#server/files/service.ts'
import type { Predictor } from '#server/inference/service.ts'
import type { Placer } from '#server/poses/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { sequenceKey } from './pair-key.ts'
import type { PlacedRow, PoseWork } from './pose-blocks.ts'

export type PlaceDependencies = {
  db: Database
  placer: Pick<Placer, 'place' | 'threads'>
  predictor: Pick<Predictor, 'compare'>
}

const goneReason = 'The structure was deleted or replaced.'

/** An entry per row; fewer if the turn ended before. */
export async function placeBlock(
  dependencies: PlaceDependencies,
  work: PoseWork,
): Promise<PlacedRow[]> {
  const { userId, target, rows } = work
  const all = (reason: string) => rows.map(({ standard }) => (standard === null ? null : reason))
  const [found] = await findTargets(dependencies.db, userId, [target.name])
  if (found === undefined || !sequenceKey(found.segments[target.chain] ?? []).equals(target.key)) {
    return all(goneReason)
  }
  const { content } = await readStructure(dependencies.db, userId, target.name)
  const answer = await placeMolecules(dependencies, content, work)
  if ('reason' in answer) return all(answer.reason)
  const placed: PlacedRow[] = []
  const compounds = answer.compounds.values()
  for (const { standard } of rows) {
    const compound = standard === null ? null : compounds.next().value
    if (compound === undefined) break
    placed.push(compound)
  }
  return placed
}

/** One entry per row that has a molecule, until the turn ended, or the reason why none can be placed. */
async function placeMolecules(
  { placer, predictor }: PlaceDependencies,
  content: string,
  { target: { chain }, reference, own, anchors, rows }: PoseWork,
): Promise<{ reason: string } | { compounds: PlacedRow[] }> {
  const smiles = rows.flatMap(({ standard }) => standard ?? [])
  const answer = await placer.place({ content, chain, reference, own, smiles })
  if ('reason' in answer) return answer
  const tried = smiles.slice(0, answer.compounds.length)
  const placed = tried.filter((_, at) => typeof answer.compounds[at] !== 'string')
  const isCompared = anchors.length > 0 && placed.length > 0
  const differences = isCompared ? await predictor.compare({ smiles: placed, anchors }) : []
  let next = 0
  const compounds = answer.compounds.map((found) => {
    if (typeof found === 'string') return found
    const { relative, ...features } = found
    return { ...features, pose: relative, difference: differences[next++] ?? null }
  })
  return { compounds }
}
