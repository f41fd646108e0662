/** Screens with comments by others, or that have finished, since the user last looked. */
import { Box } from '#web/ui/layout.ts'
import type { News } from '@pkdex/contract'
import { Link } from 'react-router'
import { useClearNews, useNews } from '#web/features/credits/news.ts'
import { countOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { Panel } from '#web/ui/panel.tsx'
import table from '#web/ui/table.module.css'

/** Nothing if nothing is new. */
export function NewsList() {
  const news = useNews()
  const clear = useClearNews()
  if (news.length === 0) return null
  return (
    <Box mb="lg">
      <Panel
        title="New"
        isFlush
        action={
          <Button variant="subtle" onClick={clear}>
            Clear
          </Button>
        }
      >
        <DataTable label="New" columns={columns} rows={news} keyOf={(one) => one.screen_id} />
      </Panel>
    </Box>
  )
}

const columns: Column<News>[] = [
  {
    title: 'Screen',
    cellClass: table.wide,
    cell: ({ screen_id: id, screen }) => (
      <Link to={`/screens/${id}`}>{screen ?? 'Unnamed screen'}</Link>
    ),
  },
  { title: 'What', cell: describe },
]

function describe({ comments, has_finished: hasFinished }: News): string {
  const parts = [hasFinished && 'Finished', comments > 0 && countOf(comments, 'new comment')]
  return parts.filter((part) => part !== false).join(', ')
}
