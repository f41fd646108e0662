/** `/account`: keys, credits, files, data and deletion of the user's account. */
import { DeleteAccount } from '#web/features/account/delete-account.tsx'
import { DownloadData } from '#web/features/account/download-data.tsx'
import { OwnAlertsSummary } from '#web/features/alerts/own-alerts.tsx'
import { OwnLedger } from '#web/features/credits/ledger.tsx'
import { leaveSession, useSession } from '#web/features/auth/session.ts'
import { KeptFiles } from '#web/features/files/kept-files.tsx'
import { OwnKeys } from '#web/features/own-keys/own-keys.tsx'
import classes from './account-page.module.css'

export function AccountPage() {
  const session = useSession()
  return (
    <>
      <title>API keys and data · pKdex</title>
      <div className={`page stack ${classes.page}`}>
        <h1>API keys and data</h1>
        <KeptFiles />
        <OwnLedger />
        <OwnAlertsSummary />
        <OwnKeys />
        <DownloadData />
        {session.status === 'signed-in' && (
          <DeleteAccount email={session.email} onDeleted={leaveSession} />
        )}
      </div>
    </>
  )
}
