/** HTTP routes for statistics, exports and the audit log. */
import * as calls from '@pkdex/contract'
import { adminRoute } from '#server/auth/guarded-routes.ts'
import { type Feature } from '#server/platform/http/route.ts'
import { readAudit, readAuditChoices } from '#server/audit/service.ts'
import { mediaTypes } from '#server/platform/db/encode-rows.ts'
import { exportFlatPredictions } from './flat-predictions.ts'
import { exportAll, exportCollection, type ExportDependencies } from './export.ts'
import { readCollections, readStats } from './stats.ts'

export function adminDatabaseRoutes(dependencies: ExportDependencies): Feature {
  const { db, now } = dependencies
  return (app) => {
    adminRoute(app, calls.readDatabaseStats, () => readStats(db))
    adminRoute(app, calls.listCollections, async () => ({ collections: await readCollections(db) }))
    adminRoute(app, calls.exportCollection, async ({ param, query, administrator, reply }) => {
      const name = param('collection')
      const { format } = query
      const request = { administrator: administrator.email, name, format }
      const stream = await exportCollection(dependencies, request)
      void reply.type(mediaTypes[format])
      void reply.header('Content-Disposition', attachment(`${name}_export.${format}`))
      return stream
    })
    adminRoute(app, calls.exportAll, async ({ administrator, reply }) => {
      const stream = await exportAll(dependencies, administrator.email)
      void reply.type('application/zip')
      void reply.header('Content-Disposition', attachment(`pkdex_export_${timestamp(now())}.zip`))
      return stream
    })
    adminRoute(app, calls.exportPredictions, async ({ query, administrator, reply }) => {
      const { format } = query
      const request = { administrator: administrator.email, format }
      const stream = await exportFlatPredictions(dependencies, request)
      void reply.type(mediaTypes[format])
      void reply.header('Content-Disposition', attachment(`predictions_with_names.${format}`))
      return stream
    })
    adminRoute(app, calls.listAudit, async ({ query, reply }) => {
      const { total, entries } = await readAudit(db, query)
      void reply.header(calls.TOTAL_COUNT_HEADER, total)
      return { entries, ...(await readAuditChoices(db)) }
    })
  }
}

function attachment(filename: string): string {
  return `attachment; filename="${filename}"`
}

/** Sortable, and without colons, which Windows does not allow in file names. */
function timestamp(moment: Date): string {
  return moment
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')
}
