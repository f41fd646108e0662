/** Properties and structural alerts of compounds, computed from the structure alone. */
import { alertCatalogue, type CompoundRecord, unpackRecord } from '@pkdex/biochem'
import type { CompoundProperties } from '@pkdex/contract'
import type { Database } from '#server/platform/db/schema.ts'
import { openCompoundRecords, type Patience } from './compound-records.ts'
import { openOwnAlerts } from './own-alerts.ts'
import type { ParsingWorkers } from './parsing/service.ts'

/** `alerts`: as displayed, for example `PAINS azo_A(324)`; the user's own patterns by name only. */
export type CompoundFacts = {
  properties: CompoundProperties
  alerts: string[]
  /** The lists that alerts come from. */
  lists: ReadonlySet<AlertListName>
}

type AlertListName = 'PAINS' | 'Brenk' | 'own'

export type ReadFacts = (
  userId: string,
  smiles: Iterable<string>,
  patience?: Patience,
) => Promise<Map<string, CompoundFacts>>

type Dependencies = {
  db: Database
  parsingWorkers: Pick<ParsingWorkers, 'describeCompounds' | 'checkPatterns' | 'matchPatterns'>
}

/** Keyed by standard SMILES; compounds that cannot be read safely, or for which time ran out, are missing. */
export function openCompoundFacts(dependencies: Dependencies): ReadFacts {
  const records = openCompoundRecords(dependencies)
  const matchOwn = openOwnAlerts(dependencies)
  return async (userId, smiles, patience) => {
    const wanted = [...new Set(smiles)]
    const found = await records.read(userId, wanted, patience)
    const own = await matchOwn(userId, [...found.keys()], patience)
    return new Map(
      [...found].flatMap(([one, record]): [string, CompoundFacts][] => {
        const names = own.get(one)
        return names === undefined ? [] : [[one, toFacts(record, names)]]
      }),
    )
  }
}

/** The stored part, without the user's own patterns. */
export function toFacts(record: CompoundRecord, own: string[] = []): CompoundFacts {
  const alerts = record.alerts.flatMap((at) => alertCatalogue[at] ?? [])
  const lists = alerts.map(({ catalogue }) => catalogue as AlertListName)
  return {
    properties: record.properties,
    alerts: [...alerts.map(({ catalogue, name }) => `${catalogue} ${name}`), ...own],
    lists: new Set(own.length > 0 ? [...lists, 'own'] : lists),
  }
}

/** From a packed record, without the user's own patterns; null for a record of another version. */
export function readFacts(packed: Uint8Array): CompoundFacts | null {
  const record = unpackRecord(packed)
  return record === null ? null : toFacts(record)
}
