/** `/account/alerts`: the user's own structural alerts, and where they are used. */
import { Link } from 'react-router'
import { OwnAlerts } from '#web/features/alerts/own-alerts.tsx'
import { PageHead } from '#web/ui/panel.tsx'
import classes from './account-page.module.css'

export function AlertsPage() {
  return (
    <>
      <title>Structural alerts · pKdex</title>
      <div className={`page stack ${classes.page}`}>
        <PageHead
          above={<Link to="/account?view=account">Account</Link>}
          title="Structural alerts"
          below="Compounds are checked against PAINS, Brenk and your own patterns. The Alerts column of a screen names what matches; its quote can leave flagged compounds out."
        />
        <OwnAlerts />
      </div>
    </>
  )
}
