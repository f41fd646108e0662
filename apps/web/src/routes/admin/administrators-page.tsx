/** `/admin/administrators`: the administrators, and your own password. */
import { ColumnGrid } from '#web/ui/layout.ts'
import { Administrators } from '#web/features/admin-auth/administrators.tsx'
import { OwnPassword } from '#web/features/admin-auth/own-password.tsx'
import { PageHead } from '#web/ui/panel.tsx'

export function AdministratorsPage() {
  return (
    <>
      <title>Administrators · pKdex</title>
      <PageHead title="Administrators" below="Separate from user accounts" />
      <ColumnGrid template="minmax(0, 1.35fr) minmax(0, 1fr)" below={1080}>
        <Administrators />
        <OwnPassword />
      </ColumnGrid>
    </>
  )
}
