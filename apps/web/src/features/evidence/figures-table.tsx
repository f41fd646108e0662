/** The model beside other predictors, on series that were new to it. */
import type { ModelFigures } from '@pkdex/contract'
import { formatNumber } from '#web/lib/format.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import table from '#web/ui/table.module.css'

export function FiguresTable({ series }: { series: NonNullable<ModelFigures['series']> }) {
  return (
    <DataTable
      label="Accuracy on published series"
      isInset
      rows={series.predictors}
      keyOf={({ name }) => name}
      columns={[
        { title: 'Predictor', cellClass: table.wide, cell: ({ name }) => name },
        { title: 'RMSE, pKd', label: true, isNumber: true, cell: ({ rmse }) => rmse.toFixed(2) },
        {
          title: 'Kendall’s tau',
          label: true,
          isNumber: true,
          cell: ({ tau }) => formatNumber(tau, 2),
        },
      ]}
    />
  )
}
