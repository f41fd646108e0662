/** The endpoints that import, list, change, compare and delete measured values. */
import * as calls from '@pkdex/contract'
import { route } from '#server/auth/guarded-routes.ts'
import { isUuid } from '#server/platform/db/values.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Feature } from '#server/platform/http/route.ts'
import { sharedRoute } from '#server/sharing/service.ts'
import { combineNamed } from './combine.ts'
import { compareMeasurements } from './compare.ts'
import { importMeasurements, type MeasurementDependencies } from './import.ts'
import { readOneValue } from './read-values.ts'
import * as store from './store.ts'
import { expectTarget } from '#server/files/service.ts'

const named = ({ query }: { query: { target: string } }) => query

export function measurementRoutes(dependencies: MeasurementDependencies): Feature {
  const { db } = dependencies
  return (app) => {
    route(app, calls.listMeasurements, async ({ userId, query, reply }) => {
      const target = query.target.normalize('NFC')
      const { total, ...page } = await store.pageOfMeasurements(db, userId, { ...query, target })
      void reply.header(calls.TOTAL_COUNT_HEADER, total)
      return page
    })
    sharedRoute(app, calls.combineMeasurements, named, async ({ userId, query }) => {
      const rows = await store.readValuesOn(db, userId, [query.target.normalize('NFC')])
      return { compounds: combineNamed(rows) }
    })
    route(app, calls.importMeasurements, ({ userId, body, request }) =>
      importMeasurements(dependencies, userId, body, request.id),
    )
    sharedRoute(app, calls.compareMeasurements, named, ({ userId, query }) =>
      compareMeasurements(dependencies, userId, query.target),
    )
    route(app, calls.chooseUseOfMeasurements, async ({ userId, body }) => {
      const { id: targetId } = await expectTarget(db, userId, body.target)
      await store.chooseUseOfOwnValues(db, { userId, targetId }, body.use)
      return { use: body.use }
    })
    route(app, calls.changeMeasurement, async ({ userId, param, body }) => {
      const { id } = await find(userId, param('id'))
      const read = readOneValue(String(body.value), body)
      if (!read.ok) throw new AppError('invalid_request', read.reason)
      await store.changeMeasurement(db, { userId, id }, read.measured)
      return store.toMeasurement(await find(userId, id))
    })
    route(app, calls.deleteMeasurement, async ({ userId, param }) => {
      const { id } = await find(userId, param('id'))
      return { deleted: await store.deleteMeasurements(db, userId, { id }) }
    })
    route(app, calls.deleteMeasurements, async ({ userId, query }) => {
      const { id: targetId } = await expectTarget(db, userId, query.target)
      return { deleted: await store.deleteMeasurements(db, userId, { targetId }) }
    })
  }

  async function find(userId: string, id: string) {
    const found = isUuid(id) ? await store.findMeasurement(db, userId, id) : undefined
    if (found === undefined) throw new AppError('not_found', 'Measured value not found.')
    return found
  }
}
