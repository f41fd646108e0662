/** `/history`: single predictions, with a search by name. */
import { Link, useSearchParams } from 'react-router'
import { StarButton, useShortlist } from '#web/features/files/shortlist.tsx'
import { HistoryList } from '#web/features/history/history-list.tsx'
import { readHistoryParams } from '#web/features/history/history-query.ts'
import { SaveHistory } from '#web/features/history/save-history.tsx'
import { UnitChoice } from '#web/features/predictions/unit-choice.tsx'
import { StructureSwitch, useDrawSmiles } from '#web/features/previews/structure.tsx'
import { PageHead } from '#web/ui/panel.tsx'

export function HistoryPage() {
  const shortlist = useShortlist()
  const { search } = readHistoryParams(useSearchParams()[0])
  return (
    <div className="page">
      <title>History · pKdex</title>
      <PageHead
        title="History"
        below={
          <>
            Single predictions. <Link to="/screens">Screens</Link> and what was predicted for their
            series are listed separately.
          </>
        }
      >
        <StructureSwitch />
        <UnitChoice />
        <SaveHistory search={search} />
      </PageHead>
      <HistoryList
        useDrawSmiles={useDrawSmiles}
        starCompound={(name) => <StarButton shortlist={shortlist} name={name} />}
      />
    </div>
  )
}
