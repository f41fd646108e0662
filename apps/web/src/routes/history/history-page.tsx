/** `/history`: every pair that was predicted on its own, found again by name. */
import { useSearchParams } from 'react-router'
import { HistoryList } from '#web/features/history/history-list.tsx'
import { readHistoryParams } from '#web/features/history/history-query.ts'
import { SaveHistory } from '#web/features/history/save-history.tsx'
import { UnitChoice } from '#web/features/predictions/unit-choice.tsx'
import { PageHead } from '#web/ui/panel.tsx'
import classes from './history-page.module.css'

export function HistoryPage() {
  const { search } = readHistoryParams(useSearchParams()[0])
  return (
    <div className={classes.page}>
      <title>History · pKdex</title>
      <PageHead
        title="History"
        below="Pairs predicted one at a time. Screens have a list of their own."
      >
        <UnitChoice />
        <SaveHistory search={search} />
      </PageHead>
      <HistoryList />
    </div>
  )
}
