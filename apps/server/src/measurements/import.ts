/** Stores the values of an import, up to the limits, and reports invalid lines. */
import type { ImportedMeasurements, MeasurementImport } from '@pkdex/contract'
import { IMPORTED_LINES_MAX, MEASUREMENTS_MAX, TARGET_MEASUREMENTS_MAX } from '@pkdex/contract'
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import { expectTarget, holdTarget, notFound } from '#server/files/service.ts'
import type { OwnValuesSettings } from '#server/inference/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { holdLock, inTransaction } from '#server/platform/db/transaction.ts'
import { AppError } from '#server/platform/errors.ts'
import { findMolecules } from './find-molecules.ts'
import { readImport } from './read-values.ts'
import { countMeasurements, keepMeasurements, type OfTarget } from './store.ts'

/** Finds the molecules whose prediction on these segments the user has paid for. */
export type FindPredicted = (
  userId: string,
  pairs: { segments: string[]; smiles: string[] },
) => Promise<Set<string>>

export type MeasurementDependencies = {
  db: Database
  parsingWorkers: Pick<ParsingWorkers, 'readMolecules' | 'readFingerprints' | 'readValueText'>
  modelVersion: string
  ownValuesSettings: OwnValuesSettings
  findPredicted: FindPredicted
  /** Orders predictions for the values of a target that have none yet. */
  orderPredictions: (of: OfTarget & { reqId: string }) => Promise<void>
  now: () => Date
}

export async function importMeasurements(
  dependencies: MeasurementDependencies,
  userId: string,
  request: MeasurementImport,
  reqId: string,
): Promise<ImportedMeasurements> {
  const { db, now } = dependencies
  const target = await expectTarget(db, userId, request.target)
  const read = readImport(request, await readText(dependencies, userId, request))
  const count = read.lines.length + read.rejected.length
  if (count === 0) throw new AppError('invalid_request', 'No values to import.')
  if (count > IMPORTED_LINES_MAX) {
    const most = IMPORTED_LINES_MAX.toLocaleString('en')
    throw new AppError('invalid_request', `More than ${most} lines. Import them in several parts.`)
  }
  const { found, rejected } = await findMolecules(dependencies, userId, read)
  const { replace } = request
  const counts = await inTransaction(db, async (trx) => {
    await holdLock(trx, 'measurements', userId)
    if (!(await holdTarget(trx, userId, target.id))) throw notFound('targets', request.target)
    const of = { userId, targetId: target.id, now: now(), replace }
    const outcome = await keepMeasurements(trx, of, found)
    expectRoom(await countMeasurements(trx, userId, target.id))
    return outcome
  })
  await dependencies.orderPredictions({ userId, targetId: target.id, reqId })
  return { ...counts, rejected, has_header: read.hasHeader }
}

/** On a thread: a text may take half a second. */
async function readText(
  { parsingWorkers }: MeasurementDependencies,
  userId: string,
  { text, type, unit }: MeasurementImport,
) {
  if (text === undefined) return null
  const otherwise = { type, unit }
  const read = await parsingWorkers.readValueText(userId, { text, otherwise })
  if (!read.ok) throw new AppError('invalid_request', read.reason)
  return read.value
}

function expectRoom({ ofUser, ofTarget }: { ofUser: number; ofTarget: number }): void {
  const most = (count: number) => count.toLocaleString('en')
  if (ofTarget > TARGET_MEASUREMENTS_MAX) {
    const told = `A target can have at most ${most(TARGET_MEASUREMENTS_MAX)} measured values`
    throw new AppError('conflict', `${told}; this import would make ${most(ofTarget)}.`)
  }
  if (ofUser > MEASUREMENTS_MAX) {
    const told = `You can store at most ${most(MEASUREMENTS_MAX)} measured values`
    throw new AppError('conflict', `${told}; this import would make ${most(ofUser)}.`)
  }
}
