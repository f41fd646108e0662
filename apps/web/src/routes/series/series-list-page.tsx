/** `/series`: the screens with enough compounds for a series, newest first, each with its targets. */
import type { Screen } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { screenListQuery, SCREENS_PAGE_SIZE } from '#web/features/screens/screen-queries.ts'
import { seriesOf, titleOfScreen } from '#web/features/screens/screen-words.tsx'
import { loadingReason } from '#web/lib/api.ts'
import { formatMinute } from '#web/lib/format.ts'
import { usePage } from '#web/lib/use-page.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Note } from '#web/ui/note.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { PageHead } from '#web/ui/panel.tsx'
import table from '#web/ui/table.module.css'

export function SeriesListPage() {
  const { page, hrefOf } = usePage('page')
  const series = useQuery(screenListQuery(page, 'series'))
  return (
    <div className="page low">
      <title>Series · pKdex</title>
      <PageHead
        title="Series"
        below="The compounds of a screen on one target: SAR and what to make."
      />
      <section className={`sheet ${table.sheet}`} aria-label="Your series">
        <Loaded
          query={series}
          what="your series"
          failure="Failed to load your series"
          reasonOf={loadingReason}
          lines={4}
          isFlush
        >
          {({ screens, total }) =>
            total === 0 ? (
              <Note tone="info" action={<Link to="/screens/new">New screen</Link>}>
                A series is a screen of at least three compounds.
              </Note>
            ) : (
              <>
                <SeriesTable screens={screens} />
                <Pager
                  label="Pages of series"
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

function SeriesTable({ screens }: { screens: Screen[] }) {
  return (
    <table className={`${table.table} ${table.stacks}`}>
      <thead>
        <tr>
          <th scope="col">Series</th>
          <th scope="col">Targets</th>
          <th scope="col" className={table.number}>
            Compounds
          </th>
          <th scope="col">Started</th>
        </tr>
      </thead>
      <tbody>
        {screens.map((screen) => (
          <tr key={screen.id}>
            <td className={table.wide}>
              <Link to={seriesOf(screen)}>{titleOfScreen(screen)}</Link>
              {screen.note !== '' && <small>{screen.note}</small>}
            </td>
            <td>
              <Targets screen={screen} />
            </td>
            <td className={table.number} data-label="Compounds">
              {screen.compounds.toLocaleString('en')}
            </td>
            <td className={table.once}>{formatMinute(screen.created_at)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

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
