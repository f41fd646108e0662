/** `/accuracy`: how good the model is, in one table, for anyone. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { reasonOf } from '#web/features/evidence/evidence-queries.ts'
import { FiguresTable } from '#web/features/evidence/figures-table.tsx'
import { largeCountOf } from '#web/lib/format.ts'
import { figuresQuery } from '#web/lib/model-accuracy.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { PageHead, Panel } from '#web/ui/panel.tsx'

export function AccuracyPage() {
  const figures = useQuery(figuresQuery())
  return (
    <main className="page">
      <title>Accuracy · pKdex</title>
      <PageHead above={<Link to="/">Sign in</Link>} title="How good is pKdex?" />
      <Loaded
        query={figures}
        what="the figures"
        failure="Failed to load the figures"
        reasonOf={reasonOf}
        lines={5}
      >
        {({ series, model_version: version }) =>
          series === null ? (
            <p>{`Model ${version} has no figures on published series.`}</p>
          ) : (
            <Panel title="Published series that were new to the model">
              <p>
                {`${largeCountOf(series.compounds, 'compound')} in ${series.series.toLocaleString('en')} series, model ${version}. RMSE: the typical error, lower is better. Tau: the order inside a series, 1 is right and 0 is random.`}
              </p>
              <FiguresTable series={series} />
              <p>
                <a href="/docs/guide#accuracy">By protein family and number of measured values</a>
              </p>
            </Panel>
          )
        }
      </Loaded>
    </main>
  )
}
