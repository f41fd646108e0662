/** The model beside other predictors, on series that were new to it. */
import type { ModelFigures } from '@pkdex/contract'
import { formatNumber } from '#web/lib/format.ts'
import table from '#web/ui/table.module.css'

export function FiguresTable({ series }: { series: NonNullable<ModelFigures['series']> }) {
  return (
    <table className={`${table.table} ${table.inset}`} aria-label="Accuracy on published series">
      <thead>
        <tr>
          <th scope="col">Predictor</th>
          <th scope="col" className={table.number}>
            RMSE, pKd
          </th>
          <th scope="col" className={table.number}>
            Kendall’s tau
          </th>
        </tr>
      </thead>
      <tbody>
        {series.predictors.map(({ name, rmse, tau }) => (
          <tr key={name}>
            <td>{name}</td>
            <td className={table.number}>{rmse.toFixed(2)}</td>
            <td className={table.number}>{formatNumber(tau, 2)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
