/** The charts of a screen: a histogram of the predictions, and any two columns against each other. */
import { ColumnGrid } from '#web/ui/layout.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { loadingReason } from '#web/lib/api.ts'
import { domainStates } from '#web/lib/domain-states.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { DomainKey } from './domain-mark.tsx'
import { Histogram } from './histogram.tsx'
import { ScatterPlot } from './scatter-plot.tsx'
import { detailsQuery } from './screen-queries.ts'

type Props = {
  id: string
  isRunning: boolean
  drawSmiles: ((smiles: string) => ReactNode) | null
}

export function ScreenCharts({ id, isRunning, drawSmiles }: Props) {
  const details = useQuery(detailsQuery(id, isRunning))
  return (
    <Loaded
      query={details}
      what="the charts"
      failure="Failed to load the charts"
      reasonOf={loadingReason}
      lines={6}
    >
      {(data) => (
        <>
          <ColumnGrid template="repeat(2, minmax(0, 1fr))" below={1000} mb="sm">
            <ScatterPlot details={data} drawSmiles={drawSmiles} />
            <Histogram grid={data.grid} />
          </ColumnGrid>
          <DomainKey states={domainStates} />
        </>
      )}
    </Loaded>
  )
}
