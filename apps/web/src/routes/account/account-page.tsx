/** `/account`: files, credits, API keys, and the account itself, each as a view. */
import { Link, useSearchParams } from 'react-router'
import { DeleteAccount } from '#web/features/account/delete-account.tsx'
import { DownloadData } from '#web/features/account/download-data.tsx'
import { OwnAlertsSummary } from '#web/features/alerts/own-alerts.tsx'
import { OwnLedger } from '#web/features/credits/ledger.tsx'
import { leaveSession, useSession } from '#web/features/auth/session.ts'
import { SignIns } from '#web/features/auth/sign-ins.tsx'
import { KeptFiles } from '#web/features/files/kept-files.tsx'
import { OwnKeys } from '#web/features/own-keys/own-keys.tsx'
import { ViewLinks } from '#web/ui/view-links.tsx'
import classes from './account-page.module.css'

const VIEWS = [
  { view: 'files', label: 'Files' },
  { view: 'credits', label: 'Credits' },
  { view: 'api', label: 'API' },
  { view: 'account', label: 'Account' },
] as const

export function AccountPage() {
  const asked = useSearchParams()[0].get('view')
  const { view, label } = VIEWS.find((one) => one.view === asked) ?? VIEWS[0]
  return (
    <>
      <title>{`${label} · pKdex`}</title>
      <div className={`page stack ${classes.page}`}>
        <ViewLinks
          link={Link}
          label="Account"
          views={VIEWS}
          shown={view}
          searchOf={(next) => `view=${next}`}
        />
        <h1 className="visually-hidden">{label}</h1>
        <View view={view} />
      </div>
    </>
  )
}

function View({ view }: { view: (typeof VIEWS)[number]['view'] }) {
  const session = useSession()
  switch (view) {
    case 'files':
      return <KeptFiles />
    case 'credits':
      return <OwnLedger />
    case 'api':
      return <OwnKeys />
    case 'account':
      return (
        <>
          <SignIns />
          <OwnAlertsSummary />
          <DownloadData />
          {session.status === 'signed-in' && (
            <DeleteAccount email={session.email} onDeleted={leaveSession} />
          )}
        </>
      )
  }
}
