/** `/admin/database/export`: the whole database, or one collection. */
import { ExportAll } from '#web/features/admin-database/export-all.tsx'
import { ExportCollections } from '#web/features/admin-database/export-collections.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import classes from './export-page.module.css'

export function ExportPage() {
  return (
    <>
      <title>Export Data · pKdex</title>
      <PageHead title="Export Data" />
      <div className={classes.stack}>
        <ExportAll />
        <ExportCollections />
      </div>
    </>
  )
}
