/** `/history`: single predictions, with a search by name. */
import type { PastPrediction } from '@pkdex/contract'
import { Link, useSearchParams } from 'react-router'
import { NewScreenOf } from '#web/features/files/new-screen-of.tsx'
import {
  type Shortlist,
  StarAll,
  StarButton,
  useShortlist,
} from '#web/features/files/shortlist.tsx'
import { HistoryList } from '#web/features/history/history-list.tsx'
import { readHistoryParams } from '#web/features/history/history-query.ts'
import { SaveHistory } from '#web/features/history/save-history.tsx'
import { UnitChoice } from '#web/features/predictions/unit-choice.tsx'
import { drawForCopy, StructureSwitch, useDrawSmiles } from '#web/features/previews/structure.tsx'
import { SelectionBar } from '#web/features/selection/selection-bar.tsx'
import { type Ticked, useTicked } from '#web/features/selection/use-ticked.ts'
import { AddToMakeList } from '#web/features/series/add-to-make-list.tsx'
import { PageHead } from '#web/ui/panel.tsx'

export function HistoryPage() {
  const shortlist = useShortlist()
  const ticked = useTicked(keyOfPrediction)
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
        ticked={ticked}
        selection={<HistorySelection {...{ ticked, shortlist }} />}
        useDrawSmiles={useDrawSmiles}
        starCompound={(name) => <StarButton shortlist={shortlist} name={name} />}
      />
    </div>
  )
}

const NONE: string[] = []
const keyOfPrediction = ({ task_id: id }: PastPrediction) => id

type HistorySelectionProps = { ticked: Ticked<PastPrediction>; shortlist: Shortlist }

/** The ticked predictions of all pages. */
function HistorySelection({ ticked, shortlist }: HistorySelectionProps) {
  const rows = [...ticked.rows.values()]
  const draw = useDrawSmiles(NONE)
  const namesOf = (name: 'compound' | 'target') => [
    ...new Set(rows.flatMap((row) => row[name] ?? [])),
  ]
  const known = namesOf('compound').filter((name) => shortlist.has(name))
  const targets = namesOf('target')
  const table = () => ({
    head: ['Compound', 'SMILES', 'Target', 'pKd', 'Lower 95%', 'Upper 95%', 'Measured pK'],
    rows: rows.map(({ compound, smiles, target, ...row }) => [
      compound ?? '',
      smiles ?? '',
      target ?? '',
      ...[row.best_kd, row.best_lower, row.best_upper, row.measured_pk].map(
        (number) => number?.toFixed(2) ?? '',
      ),
    ]),
    smiles: rows.map(({ smiles }) => smiles ?? ''),
    draw: drawForCopy,
  })
  return (
    <SelectionBar
      count={rows.length}
      noun="prediction"
      table={table}
      draw={draw}
      onClear={ticked.clear}
    >
      <StarAll shortlist={shortlist} names={known} />
      <NewScreenOf targets={targets} compounds={known} />
      <AddToMakeList targets={targets} moleculesOn={(target) => listing(rows, target)} />
    </SelectionBar>
  )
}

function listing(rows: PastPrediction[], target: string) {
  const own = rows.flatMap(({ smiles, ...row }) =>
    row.target === target && smiles !== null ? [{ smiles, ...row }] : [],
  )
  const added_with = own.map(({ best_kd: predicted_kd, best_lower: lower, best_upper: upper }) =>
    predicted_kd === null || lower === null || upper === null
      ? null
      : { predicted_kd, lower, upper },
  )
  return { smiles: own.map(({ smiles }) => smiles), added_with }
}
