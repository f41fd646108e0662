/** Properties, alerts and features of an upload's compounds, computed for as long as the client should wait. */
import { type CompoundRecord, unpackRecord } from '@pkdex/biochem'
import type { Database } from '#server/platform/db/schema.ts'
import { toFacts } from './compound-facts.ts'
import { openCompoundRecords, type PackedCompound } from './compound-records.ts'
import { openOwnAlerts, readOwnAlerts } from './own-alerts.ts'
import type { ParsingWorkers, ReadCompound } from './parsing/service.ts'

/** Keyed by standard SMILES; compounds that the user already has are left out. */
export type Packed = ReadonlyMap<string, PackedCompound>

export type RecordedUpload = {
  packed: Packed
  /** Keyed by standard SMILES; null if not every compound was checked against PAINS and Brenk. */
  alerts: ReadonlyMap<string, string[]> | null
  /** False if time ran out before the user's own patterns were checked: `alerts` then lacks them. */
  ownChecked: boolean
  /** Computes the rest in the background, once the upload is stored. */
  finish: () => void
}

/** About 2,000 compounds on an idle machine. */
const WAIT_MS_MAX = 10_000

type Dependencies = {
  db: Database
  parsingWorkers: Pick<ParsingWorkers, 'describeCompounds' | 'checkPatterns' | 'matchPatterns'>
}

export async function recordUpload(
  dependencies: Dependencies,
  {
    userId,
    compounds,
    gone,
  }: { userId: string; compounds: ReadCompound[]; gone: AbortSignal | undefined },
): Promise<RecordedUpload> {
  const records = openCompoundRecords(dependencies)
  const smiles = [...new Set(compounds.map(({ report }) => report.standard_smiles))]
  const stored = await records.readStored(userId, smiles)
  const unknown = smiles.filter((one) => !stored.has(one))
  const until = performance.now() + WAIT_MS_MAX
  const packed = await records.compute(userId, unknown, { until, gone })
  const missing = unknown.filter((one) => !packed.has(one))
  const computed = [...packed].flatMap(([one, described]): [string, CompoundRecord][] => {
    const record = unpackRecord(described.record)
    return record === null ? [] : [[one, record]]
  })
  const own = missing.length === 0 ? await matchOwn(dependencies, { userId, smiles, until }) : null
  const alerts = [...stored, ...computed].map(
    ([one, record]) => [one, toFacts(record, own?.get(one)).alerts] as const,
  )
  return {
    packed,
    alerts: missing.length === 0 ? new Map(alerts) : null,
    ownChecked: own !== null,
    finish: () => {
      // Anything still missing when it is requested is computed then.
      if (missing.length > 0) records.compute(userId, missing).catch(() => undefined)
    },
  }
}

/** Compounds are matched in groups of this size; groups not started when the wait ends are skipped. */
const MATCHED_PORTION = 500

/** The user's own patterns by standard SMILES; null if time ran out. */
async function matchOwn(
  dependencies: Dependencies,
  { userId, smiles, until }: { userId: string; smiles: string[]; until: number },
): Promise<Map<string, string[]> | null> {
  const matched = new Map<string, string[]>()
  if ((await readOwnAlerts(dependencies.db, userId)).length === 0) return matched
  const match = openOwnAlerts(dependencies)
  for (let from = 0; from < smiles.length; from += MATCHED_PORTION) {
    if (performance.now() > until) return null
    const portion = smiles.slice(from, from + MATCHED_PORTION)
    const some = await match(userId, portion, { until })
    if (some.size < portion.length) return null
    for (const [one, names] of some) matched.set(one, names)
  }
  return matched
}
