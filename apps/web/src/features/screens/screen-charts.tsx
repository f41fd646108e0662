/** All numbers of a screen as a histogram, and any two of its columns against each other. */
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#web/lib/api.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import classes from './screen-charts.module.css'
import { Histogram } from './histogram.tsx'
import { ScatterPlot } from './scatter-plot.tsx'
import { detailsQuery } from './screen-queries.ts'

export function ScreenCharts({ id, isRunning }: { id: string; isRunning: boolean }) {
  const details = useQuery(detailsQuery(id, isRunning))
  return (
    <Loaded
      query={details}
      what="the charts"
      failure="The numbers could not be loaded"
      reasonOf={(error) => messageOf(error, 'The server did not answer as expected.')}
      lines={6}
    >
      {(data) => (
        <div className={classes.charts}>
          <Histogram grid={data.grid} />
          <ScatterPlot details={data} />
        </div>
      )}
    </Loaded>
  )
}
