/** Whether own values help on a target: predicted against measured, each value left out in turn, and the verdict. */
import type { Agreement, MeasurementComparison } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#web/lib/api.ts'
import { countOf } from '#web/lib/format.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Note } from '#web/ui/note.tsx'
import { Panel } from '#web/ui/panel.tsx'
import table from '#web/ui/table.module.css'
import { comparisonQuery } from './measurement-queries.ts'
import classes from './measurements.module.css'
import { Scatter } from './scatter.tsx'

export function Comparison({ target }: { target: string }) {
  const query = useQuery(comparisonQuery(target))
  return (
    <Panel title="Predicted against measured">
      <Loaded
        query={query}
        what="the comparison"
        failure="Failed to compare"
        reasonOf={(error) => messageOf(error, 'Please try again.')}
        lines={4}
      >
        {(comparison) => <Compared comparison={comparison} />}
      </Loaded>
    </Panel>
  )
}

const verdictTones = {
  helps: 'success',
  harms: 'warning',
  'no difference': 'info',
  'too few': 'info',
} as const

function Compared({ comparison }: { comparison: MeasurementComparison }) {
  const { compared, waiting, verdict, summary } = comparison
  if (compared.length === 0 && waiting === 0) {
    return <p className="quiet">Import values of this target to see how the numbers do on them.</p>
  }
  return (
    <div className={classes.compared}>
      {waiting > 0 && (
        <output className="small quiet">
          {`The model is being asked about ${countOf(waiting, 'compound')}.`}
        </output>
      )}
      {compared.length > 0 && (
        <>
          <Note tone={verdictTones[verdict]}>{summary}</Note>
          <Scatter compared={compared} />
          <Figures before={comparison.without_own} after={comparison.with_own} />
          <p className="small quiet">
            Each value is predicted from all others. Bounds count in neither figure. Ki and IC50 are
            compared with the pKd as they are; an IC50 depends on its assay.
          </p>
        </>
      )}
    </div>
  )
}

function Figures({ before, after }: { before: Agreement; after: Agreement }) {
  const shown = (value: number | null) => value?.toFixed(2).replace('-', '−') ?? '–'
  return (
    <table
      className={`${table.table} ${table.inset}`}
      aria-label="Agreement with what was measured"
    >
      <thead>
        <tr>
          <th scope="col">Agreement</th>
          <th scope="col" className={table.number}>
            Without
          </th>
          <th scope="col" className={table.number}>
            With your values
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>Root mean square error, pK</td>
          <td className={table.number}>{shown(before.rmse)}</td>
          <td className={table.number}>{shown(after.rmse)}</td>
        </tr>
        <tr>
          <td>Order (Kendall’s tau)</td>
          <td className={table.number}>{shown(before.tau)}</td>
          <td className={table.number}>{shown(after.tau)}</td>
        </tr>
      </tbody>
    </table>
  )
}
