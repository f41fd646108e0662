/** The four cards of the dashboard: one sheet, four cells. A number that is not known is a dash, never 0. */
import { SkeletonNumber } from '#web/ui/skeleton.tsx'
import type { DatabaseStats } from './database-query.ts'
import classes from './stat-cards.module.css'

type Props = { stats: DatabaseStats | undefined; isLoading: boolean }

const cards: { label: string; read: (stats: DatabaseStats) => number }[] = [
  { label: 'Total Users', read: ({ user_count }) => user_count },
  { label: 'Active API Keys', read: ({ active_api_key_count }) => active_api_key_count },
  { label: 'Total Credits', read: ({ total_credits }) => total_credits },
  { label: 'Database Collections', read: ({ collections }) => Object.keys(collections).length },
]

export function StatCards({ stats, isLoading }: Props) {
  return (
    <dl className={`sheet ${classes.cards}`} aria-busy={isLoading}>
      {cards.map(({ label, read }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Value number={stats && read(stats)} isLoading={isLoading} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({ number, isLoading }: { number: number | undefined; isLoading: boolean }) {
  if (number !== undefined) return number.toLocaleString('en')
  if (isLoading) return <SkeletonNumber />
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">unknown</span>
    </>
  )
}
