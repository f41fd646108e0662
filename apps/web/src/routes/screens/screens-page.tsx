/** `/screens`: the user's screens, newest first, each with its progress. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { SampleButton } from './sample-button.tsx'
import { screenListQuery, SCREENS_PAGE_SIZE } from '#web/features/screens/screen-queries.ts'
import {
  ProgressBar,
  seriesOf,
  statusWord,
  titleOfScreen,
} from '#web/features/screens/screen-words.tsx'
import { loadingReason } from '#web/lib/api.ts'
import { formatMinute } from '#web/lib/format.ts'
import { usePage } from '#web/lib/use-page.ts'
import { Button } from '#web/ui/button.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { PageHead } from '#web/ui/panel.tsx'
import table from '#web/ui/table.module.css'
import type { Screen } from '@pkdex/contract'
import classes from './screens.module.css'

export function ScreensPage() {
  const { page, hrefOf } = usePage('page')
  const screens = useQuery(screenListQuery(page))
  return (
    <div className="page low">
      <title>Screens · pKdex</title>
      <PageHead title="Screens" below="Many compounds against many targets.">
        <Button component={Link} to="/screens/new">
          New screen
        </Button>
      </PageHead>
      <section className={`sheet ${table.sheet}`} aria-label="Your screens">
        <Loaded
          query={screens}
          what="your screens"
          failure="Failed to load your screens"
          reasonOf={loadingReason}
          lines={4}
          isFlush
        >
          {({ screens: rows, total }) =>
            total === 0 ? (
              <NoScreens />
            ) : (
              <>
                <ScreenTable screens={rows} />
                <Pager
                  label="Pages of screens"
                  page={page}
                  pageSize={SCREENS_PAGE_SIZE}
                  total={total}
                  hrefOf={hrefOf}
                />
              </>
            )
          }
        </Loaded>
      </section>
    </div>
  )
}

/** For a new user, a ranked table is two clicks away: this button, and Start screen. */
function NoScreens() {
  return (
    <div className={classes.none}>
      <h2>No screens yet</h2>
      <p className="quiet">
        A screen predicts every selected compound against every selected target. You see the cost
        before it starts.
      </p>
      <SampleButton />
    </div>
  )
}

function ScreenTable({ screens }: { screens: Screen[] }) {
  return (
    <table className={`${table.table} ${table.stacks}`}>
      <thead>
        <tr>
          <th scope="col">Screen</th>
          <th scope="col">Status</th>
          <th scope="col">Progress</th>
          <th scope="col" className={table.number}>
            Credits
          </th>
          <th scope="col">Started</th>
        </tr>
      </thead>
      <tbody>
        {screens.map((screen) => (
          <tr key={screen.id}>
            <td className={table.wide}>
              <Link to={`/screens/${screen.id}`}>{titleOfScreen(screen)}</Link>
              {screen.note !== '' && <small>{screen.note}</small>}
              {screen.follow_up_of !== null && (
                <small>
                  <Link to={seriesOf(screen)}>For a series</Link>
                </small>
              )}
            </td>
            <td>{statusWord(screen.status)}</td>
            <td className={classes.progress}>
              <ProgressBar screen={screen} />
            </td>
            <td className={table.number} data-label="Credits">
              {screen.credits_charged.toLocaleString('en')}
            </td>
            <td className={table.once}>{formatMinute(screen.created_at)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
