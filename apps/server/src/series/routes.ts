/** HTTP routes for series. */
import {
  changeListedMolecules,
  chooseScore as chooseScoreCall,
  enumerateSeries,
  findSeriesClusters,
  findSeriesPairs,
  judgeScore as judgeScoreCall,
  readListedMolecules,
  readSeriesDrawing,
  readSeriesProgress,
  readSeriesTable,
  renameMakeList as renameMakeListCall,
  suggestNext as suggestNextCall,
} from '@pkdex/contract'
import { findTargets, type ReadFacts } from '#server/files/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { route } from '#server/auth/guarded-routes.ts'
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Feature } from '#server/platform/http/route.ts'
import { sharedRoute } from '#server/sharing/service.ts'
import { changeListed, readListed, renameMakeList } from './listed.ts'
import { enumerateProducts } from './products.ts'
import { chooseScore, judgeScore, type NextDependencies } from './score.ts'
import type { Series } from './service.ts'
import { suggestNext } from './suggest-next.ts'

export function seriesRoutes(dependencies: {
  db: Database
  series: Omit<Series, 'close'>
  parsingWorkers: Pick<ParsingWorkers, 'drawCompound' | 'readMolecules'>
  readFacts: ReadFacts
  storedBytesPerUser: number
}): Feature {
  const { db, series, parsingWorkers, readFacts, storedBytesPerUser } = dependencies
  return (app) => {
    route(app, readSeriesTable, ({ userId, gone, body: { compounds: smiles, ...request } }) =>
      series.table({ userId, gone }, { ...request, smiles }),
    )
    sharedRoute(app, findSeriesPairs, named, async ({ userId, caller, gone, body }) => {
      const { target, chain, theme } = body
      const segments =
        target === undefined ? null : await readSegments(db, { userId, target, chain })
      const compounds = withValues(body.compounds)
      return series.pairs({ userId: caller.userId, gone }, { compounds, segments, theme })
    })
    sharedRoute(app, enumerateSeries, named, async ({ userId, caller, gone, body: request }) => {
      const { target, chain } = request
      const segments =
        target === undefined ? null : await readSegments(db, { userId, target, chain })
      const asking = { userId: caller.userId, gone }
      return enumerateProducts({ series, readFacts }, { asking, request, segments })
    })
    route(app, findSeriesClusters, ({ userId, gone, body }) => {
      const { similarity, pick, cliff_similarity, cliff_change } = body
      const cliff = { similarity: cliff_similarity, change: cliff_change }
      const compounds = withValues(body.compounds)
      return series.clusters({ userId, gone }, { compounds, similarity, pick, cliff })
    })
    route(app, readSeriesProgress, async ({ userId }) => ({ running: series.progress(userId) }))
    sharedRoute(
      app,
      readListedMolecules,
      ({ query }) => query,
      ({ userId, query: { target } }) => readListed(db, { userId, target }),
    )
    route(app, renameMakeListCall, ({ userId, body }) => renameMakeList(db, { userId, ...body }))
    route(app, changeListedMolecules, async ({ userId, gone, body }) => {
      if (body.listed) await expectMolecules(parsingWorkers, { userId, smiles: body.smiles, gone })
      return changeListed(db, { userId, ...body, storedBytesPerUser, now: app.now() })
    })
    route(app, readSeriesDrawing, async ({ userId, query: { smiles, theme } }) => {
      const drawn = await parsingWorkers.drawCompound(userId, smiles, theme)
      if (!drawn.ok) throw new AppError('file_unreadable', drawn.reason)
      const { body, mediaType, alt } = drawn.value
      const image = `data:${mediaType};base64,${Buffer.from(body).toString('base64')}`
      return { image, alt }
    })
  }
}

function named({ body }: { body: { target?: string | undefined; screens?: string[] } }) {
  return body
}

function withValues(compounds: { smiles: string; pk?: number | undefined }[]) {
  return compounds.map(({ smiles, pk = null }) => ({ smiles, pk }))
}

export function nextRoutes(dependencies: NextDependencies): Feature {
  return (app) => {
    sharedRoute(app, suggestNextCall, named, ({ userId, body, gone }) =>
      suggestNext(dependencies, { userId, gone }, body),
    )
    route(app, chooseScoreCall, ({ userId, body }) =>
      chooseScore(dependencies.db, { userId, ...body }),
    )
    sharedRoute(app, judgeScoreCall, named, ({ userId, body, gone }) =>
      judgeScore(dependencies, { userId, gone }, body),
    )
  }
}

async function readSegments(
  db: Database,
  { userId, target, chain }: { userId: string; target: string; chain: string | undefined },
): Promise<string[]> {
  const [found] = await findTargets(db, userId, [target])
  const segments = found?.segments[chain ?? found.chain]
  if (segments !== undefined) return segments
  throw new AppError('not_found', `There is no target ${target} with this chain.`)
}

/** A list holds molecules, not any text that fits. */
async function expectMolecules(
  { readMolecules }: Pick<ParsingWorkers, 'readMolecules'>,
  { userId, smiles, gone }: { userId: string; smiles: string[]; gone: AbortSignal },
): Promise<void> {
  const lines = smiles.map((one, at) => ({ line: at + 1, smiles: one, name: `molecule ${at + 1}` }))
  const { rejected } = await readMolecules(userId, lines, gone)
  const [first] = rejected
  if (first === undefined) return
  const text = (smiles[first.line - 1] ?? '').slice(0, 60)
  throw new AppError('invalid_request', `“${text}” was not added: ${first.reason}`)
}
