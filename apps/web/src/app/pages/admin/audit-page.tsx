/** `/admin/audit`: who changed what, and when. */
import { AuditList } from '#web/features/admin-database/audit-list.tsx'
import { ExportAudit } from '#web/features/admin-database/export-audit.tsx'
import { PageHead } from '#web/ui/page-head.tsx'

export function AuditPage() {
  return (
    <>
      <title>Audit Log · pKdex</title>
      <PageHead title="Audit Log" below="Every action of an administrator, newest first">
        <ExportAudit />
      </PageHead>
      <AuditList />
    </>
  )
}
