/** `/series`: the screens with enough compounds for a series, newest first, each with its targets. */
import type { Screen } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { Link, useSearchParams } from 'react-router'
import { screenListQuery, SCREENS_PAGE_SIZE } from '#web/features/screens/screen-queries.ts'
import { seriesOf, titleOfScreen } from '#web/features/screens/screen-words.tsx'
import { loadingReason } from '#web/lib/api.ts'
import { formatMinute } from '#web/lib/format.ts'
import { usePage } from '#web/lib/use-page.ts'
import { type Column, PagedTable } from '#web/ui/data-table.tsx'
import { Note } from '#web/ui/note.tsx'
import { PageHead } from '#web/ui/panel.tsx'
import { NoneTagged, TagFilter, TagLinks } from '#web/ui/tags.tsx'
import table from '#web/ui/table.module.css'

export function SeriesListPage() {
  const { page, hrefOf } = usePage('page')
  const tag = useSearchParams()[0].get('tag')
  const series = useQuery(screenListQuery(page, tag, 'series'))
  return (
    <div className="page low">
      <title>Series · pKdex</title>
      <PageHead
        title="Series"
        below="The compounds of a screen on one target: SAR and what to make."
      />
      <TagFilter tag={tag} list="/series" />
      <section className={`sheet ${table.sheet}`} aria-label="Your series">
        <PagedTable
          query={series}
          what="your series"
          failure="Failed to load your series"
          reasonOf={loadingReason}
          lines={4}
          isFlush
          label="Series"
          columns={columns}
          keyOf={({ id }) => id}
          pageOf={({ screens, total }) => ({ rows: screens, total })}
          paging={{ page, pageSize: SCREENS_PAGE_SIZE, hrefOf }}
          empty={
            tag === null ? (
              <Note tone="info" action={<Link to="/screens/new">New screen</Link>}>
                A series is a screen of at least three compounds.
              </Note>
            ) : (
              <NoneTagged tag={tag} />
            )
          }
        />
      </section>
    </div>
  )
}

const columns: Column<Screen>[] = [
  {
    title: 'Series',
    cellClass: table.wide,
    cell: (screen) => (
      <>
        <Link to={seriesOf(screen)}>{titleOfScreen(screen)}</Link>
        {screen.note !== '' && <small>{screen.note}</small>}
        <TagLinks tags={screen.tags} list="/series" />
      </>
    ),
  },
  { title: 'Targets', cell: (screen) => <Targets screen={screen} /> },
  {
    title: 'Compounds',
    label: true,
    isNumber: true,
    cell: ({ compounds }) => compounds.toLocaleString('en'),
  },
  {
    title: 'Started',
    cellClass: table.once,
    cell: ({ created_at: moment }) => formatMinute(moment),
  },
]

/** A list of screens names the first targets only. */
function Targets({ screen }: { screen: Screen }) {
  const { targets, target_count: count } = screen
  return (
    <>
      {targets.map(({ name, chain }, place) => (
        <Fragment key={`${name} ${chain}`}>
          {place > 0 && ', '}
          <Link to={`${seriesOf(screen)}?target=${place}`}>{name}</Link>
        </Fragment>
      ))}
      {count > targets.length && ` and ${(count - targets.length).toLocaleString('en')} more`}
    </>
  )
}
