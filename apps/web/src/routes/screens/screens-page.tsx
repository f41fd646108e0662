/** `/screens`: the user's screens, newest first, each with its progress. */
import { Stack } from '#web/ui/layout.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { NewsList } from './news-list.tsx'
import { SampleButton } from './sample-button.tsx'
import { screenListQuery, SCREENS_PAGE_SIZE } from '#web/features/screens/screen-queries.ts'
import {
  ProgressBar,
  seriesOf,
  statusWord,
  titleOfScreen,
} from '#web/features/screens/screen-words.tsx'
import { SharedList } from '#web/features/sharing/shared-list.tsx'
import { loadingReason } from '#web/lib/api.ts'
import { formatMinute } from '#web/lib/format.ts'
import { usePage } from '#web/lib/use-page.ts'
import { Button } from '#web/ui/button.ts'
import { type Column, PagedTable } from '#web/ui/data-table.tsx'
import { PageHead } from '#web/ui/panel.tsx'
import { NoneTagged, TagFilter, TagLinks } from '#web/ui/tags.tsx'
import table from '#web/ui/table.module.css'
import type { Screen } from '@pkdex/contract'
import classes from './screens.module.css'

export function ScreensPage() {
  const { page, hrefOf } = usePage('page')
  const tag = useSearchParams()[0].get('tag')
  const screens = useQuery(screenListQuery(page, tag))
  return (
    <div className="page low">
      <title>Screens · pKdex</title>
      <PageHead title="Screens" below="Many compounds against many targets.">
        <Button component={Link} to="/screens/new">
          New screen
        </Button>
      </PageHead>
      <NewsList />
      <TagFilter tag={tag} list="/screens" />
      <section className={`sheet ${table.sheet}`} aria-label="Your screens">
        <PagedTable
          query={screens}
          what="your screens"
          failure="Failed to load your screens"
          reasonOf={loadingReason}
          lines={4}
          isFlush
          label="Screens"
          columns={columns}
          keyOf={({ id }) => id}
          pageOf={({ screens: rows, total }) => ({ rows, total })}
          paging={{ page, pageSize: SCREENS_PAGE_SIZE, hrefOf }}
          empty={tag === null ? <NoScreens /> : <NoneTagged tag={tag} />}
        />
      </section>
      <SharedList />
    </div>
  )
}

/** For a new user, a ranked table is two clicks away: this button, and Start screen. */
function NoScreens() {
  return (
    <Stack className={classes.none} align="flex-start" py="xl" px="lg">
      <h2>No screens yet</h2>
      <p className="quiet">
        A screen predicts every selected compound against every selected target. You see the cost
        before it starts.
      </p>
      <SampleButton />
    </Stack>
  )
}

const columns: Column<Screen>[] = [
  {
    title: 'Screen',
    cellClass: table.wide,
    cell: (screen) => (
      <>
        <Link to={`/screens/${screen.id}`}>{titleOfScreen(screen)}</Link>
        {screen.note !== '' && <small>{screen.note}</small>}
        <TagLinks tags={screen.tags} list="/screens" />
        {screen.follow_up_of !== null && (
          <small>
            <Link to={seriesOf(screen)}>For a series</Link>
          </small>
        )}
      </>
    ),
  },
  { title: 'Status', cell: ({ status }) => statusWord(status) },
  {
    title: 'Progress',
    cellClass: classes.progress,
    cell: (screen) => <ProgressBar screen={screen} />,
  },
  {
    title: 'Credits',
    label: true,
    isNumber: true,
    cell: ({ credits_charged: credits }) => credits.toLocaleString('en'),
  },
  {
    title: 'Started',
    cellClass: table.once,
    cell: ({ created_at: moment }) => formatMinute(moment),
  },
]
