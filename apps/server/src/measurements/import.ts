/** Keeps the values of an import, as many as there is room for, and says which lines cannot be used. */
import type { ImportedMeasurements, MeasurementImport } from '@pkdex/contract'
import { IMPORTED_LINES_MAX, MEASUREMENTS_MAX, TARGET_MEASUREMENTS_MAX } from '@pkdex/contract'
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import { findTarget } from '#server/files/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { holdLock, inTransaction } from '#server/platform/db/transaction.ts'
import { AppError } from '#server/platform/errors.ts'
import { findMolecules } from './find-molecules.ts'
import { readImport } from './read-values.ts'
import { countMeasurements, holdTarget, keepMeasurements } from './store.ts'

export type MeasurementDependencies = {
  db: Database
  parsingWorkers: Pick<ParsingWorkers, 'readCompounds' | 'readFingerprints'>
  modelVersion: string
  /** Tells the worker of this process, if it has one, that there is work. */
  wakeWorker: () => void
  now: () => Date
}

export async function importMeasurements(
  dependencies: MeasurementDependencies,
  userId: string,
  request: MeasurementImport,
): Promise<ImportedMeasurements> {
  const { db, now } = dependencies
  const target = await expectTarget(db, userId, request.target)
  const read = readImport(request)
  const count = read.lines.length + read.rejected.length
  if (count === 0) throw new AppError('invalid_request', 'There is no value in what was sent.')
  if (count > IMPORTED_LINES_MAX) {
    const most = IMPORTED_LINES_MAX.toLocaleString('en')
    throw new AppError('invalid_request', `These are more than ${most} lines: send them in parts.`)
  }
  const { found, rejected } = await findMolecules(dependencies, userId, read)
  const isNew = await inTransaction(db, async (trx) => {
    await holdLock(trx, 'measurements', userId)
    if (!(await holdTarget(trx, userId, target.id))) throw noTarget(request.target)
    const kept = await keepMeasurements(trx, { userId, targetId: target.id, now: now() }, found)
    expectRoom(await countMeasurements(trx, userId, target.id))
    return kept
  })
  dependencies.wakeWorker()
  const added = isNew.filter(Boolean).length
  return { added, replaced: isNew.length - added, rejected }
}

export async function expectTarget(db: Database, userId: string, name: string) {
  const target = await findTarget(db, userId, name)
  if (target === null) throw noTarget(name)
  return target
}

function noTarget(name: string): AppError {
  return new AppError('not_found', `You have no target named “${name}”.`)
}

function expectRoom({ ofUser, ofTarget }: { ofUser: number; ofTarget: number }): void {
  const most = (count: number) => count.toLocaleString('en')
  if (ofTarget > TARGET_MEASUREMENTS_MAX) {
    const told = `A target can have ${most(TARGET_MEASUREMENTS_MAX)} measured values at most`
    throw new AppError('conflict', `${told}; with these it would have ${most(ofTarget)}.`)
  }
  if (ofUser > MEASUREMENTS_MAX) {
    const told = `${most(MEASUREMENTS_MAX)} measured values can be kept at most`
    throw new AppError('conflict', `${told}; with these there would be ${most(ofUser)}.`)
  }
}
