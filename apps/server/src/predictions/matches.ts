/** The pairs of a screen that a request asks for, in its order, with what their rows show. */
import {
  profileColumns,
  readProfile,
  type Screen,
  ScreenResultsQuery,
  screenRowColumns,
  type ScreenFilter,
  type ScreenRow,
  type ScreenTarget,
} from '@pkdex/contract'
import type { ReadFacts } from '#server/files/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { type Candidates, findPairs, isRowProperty } from './find-pairs.ts'
import { readFollowUps } from './follow-ups.ts'
import type { BestEstimates } from './best-estimates.ts'
import type { NarrowTable } from './own-columns.ts'
import type { ProfileScore } from './profile-score.ts'
import { cutPages, readPairs, toRow } from './results.ts'
import { type FillDetails, openDetails, propertyOf } from './row-details.ts'
import { scoreTable } from './score-table.ts'
import { readInput, type ScreenTable } from './screen-table.ts'
import { withStandard } from './standard-smiles.ts'
import { readPoseReasons } from './pose-reasons.ts'
import { columnsOf, loadEstimates, openTable } from './table-estimates.ts'
import {
  detailedPair,
  type FindCandidates,
  needsDetails,
  needsEstimates,
  needsInput,
} from './wanted-rows.ts'

export type MatchDependencies = {
  db: Database
  best: BestEstimates
  readFacts: ReadFacts
  findCandidates: FindCandidates
}

export type Request = { userId: string; screen: Screen; gone: AbortSignal }

/** Some pairs of one order. `firstRow`: the number of rows before its own in the table. */
type Part = {
  table: ScreenTable
  firstRow: number
  places: number[]
  total: number
  details: FillDetails
}

export type Matches = { screen: Screen; parts: Part[] }

/** One page, or with `isWhole` all pairs. */
export async function findMatches(
  dependencies: MatchDependencies,
  request: Request,
  query: ScreenResultsQuery & { isWhole: boolean },
): Promise<Matches> {
  const table = await openTable(dependencies, request.userId, request.screen)
  return {
    screen: request.screen,
    parts: [await findPart(dependencies, request, { query, table })],
  }
}

/** All pairs in input order; those of its follow-ups come below its own. */
export async function findForExport(
  dependencies: MatchDependencies,
  request: Request,
  filter: ScreenFilter,
): Promise<Matches> {
  const { screen } = request
  const query = { ...ScreenResultsQuery.parse({}), ...filter, isWhole: true }
  const open = (order: Parameters<typeof openTable>[2]) =>
    openTable(dependencies, request.userId, order)
  const own = await findPart(dependencies, request, { query, table: await open(screen) })
  const parts = [own]
  let firstRow = screen.compounds
  for (const followUp of await readFollowUps(dependencies.db, screen.id)) {
    const { name, chain } = followUp.target
    if (!screen.targets.some((target) => target.name === name && target.chain === chain)) continue
    const table = await open({ ...followUp, targets: [followUp.target] })
    if (own.table.structure !== null) {
      table.structure = (await readPoseReasons(dependencies.db, followUp.id)) ?? (() => withoutPose)
    }
    parts.push({ ...(await findPart(dependencies, request, { query, table })), firstRow })
    firstRow += followUp.compounds
  }
  shareBest(parts)
  return { screen, parts }
}

const withoutPose = 'Predicted after the poses.'

async function findPart(
  { db, readFacts, findCandidates }: MatchDependencies,
  { userId, gone }: Request,
  { query, table }: { query: ScreenResultsQuery & { isWhole: boolean }; table: ScreenTable },
): Promise<Part> {
  const { sort, isWhole } = query
  if (isWhole) table.structure ??= await readPoseReasons(db, table.id)
  const details = await openDetails({ db, readFacts }, userId, table)
  const isMoving = table.columns.some((column) => column !== null) && needsEstimates(query, sort)
  const input = isMoving || needsInput(query, sort) ? await readInput(db, table, { gone }) : null
  if (input !== null && needsDetails(query, sort)) await details.all(input, gone)
  const profile = readProfile(query.profile)
  const property = isRowProperty(sort)
  const numbers =
    input !== null && needsEstimates(query, sort)
      ? await loadEstimates(db, table, { input, gone })
      : []
  if (profile !== null && input !== null) scoreTable(table, profile, { input, numbers })
  const candidates = await findCandidates({ userId, table, input, numbers, filter: query, gone })
  const keyAt = keyOf(table, { sort, property, loaded: { input, numbers } })
  gone.throwIfAborted()
  const found = await findPairs(db, table, query, { ...candidates, ...(keyAt && { keyAt }) })
  if (!isWhole) await fillStructure(db, table, found.places)
  return { table, firstRow: 0, ...found, details }
}

type Sorting = {
  sort: ScreenResultsQuery['sort']
  property: ReturnType<typeof isRowProperty>
  loaded: Parameters<typeof detailedPair>[2]
}

/** Keys that are not in the database: finer steps than any number on the screen make no difference. */
function keyOf(table: ScreenTable, { sort, property, loaded }: Sorting): Candidates['keyAt'] {
  const keyAt = (place: number) => {
    if (property === null) return table.details?.scores?.of[place]?.probability ?? null
    return propertyOf(table, detailedPair(table, place, loaded), property)
  }
  if (property === null && sort !== 'profile') return undefined
  return (place) => {
    const key = keyAt(place)
    return key === null ? null : Math.round(key * 1e6)
  }
}

/** For the rows of a page only. */
async function fillStructure(db: Database, table: ScreenTable, places: number[]): Promise<void> {
  const rows = [...new Set(places.map((place) => Math.floor(place / table.targets.length)))]
  table.structure = await readPoseReasons(db, table.id, rows)
}

/** A pair is tied with the best of its target in the whole table. */
function shareBest(parts: Part[]): void {
  const keyOf = ({ name, chain }: ScreenTarget) => JSON.stringify([name, chain])
  const scored = parts.flatMap(({ table: { targets, details } }) =>
    details?.scores === undefined ? [] : [{ targets, scores: details.scores }],
  )
  const best = new Map<string, ProfileScore>()
  for (const { targets, scores } of scored) {
    for (const [at, target] of targets.entries()) {
      const score = scores.best[at] ?? null
      const leader = best.get(keyOf(target))?.probability ?? -1
      if (score !== null && score.probability > leader) best.set(keyOf(target), score)
    }
  }
  for (const { targets, scores } of scored) {
    scores.best = targets.map((target) => best.get(keyOf(target)) ?? null)
  }
}

/** The rows with these ranks: all by default. */
async function* pagesOf(
  db: Database,
  { parts }: Matches,
  { from = 0, to = Infinity }: { from?: number; to?: number } = {},
): AsyncGenerator<ScreenRow[]> {
  let before = 0
  for (const { table, firstRow, places, details } of parts) {
    const wanted = places.slice(Math.max(0, from - before), Math.max(0, to - before))
    before += places.length
    for (const page of cutPages(wanted)) {
      const pairs = await readPairs(db, table, page)
      await details.show(pairs)
      yield pairs.map((pair) => {
        const row = toRow(table, pair)
        return withStandard({ ...row, row: row.row + firstRow }, pair.input.standard)
      })
      // Without anything to wait for, a fast reader would keep everybody else waiting.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

export async function readPage(db: Database, matches: Matches): Promise<ScreenRow[]> {
  const rows: ScreenRow[] = []
  for await (const page of pagesOf(db, matches)) rows.push(...page)
  return rows
}

export function countMatches({ parts }: Matches): number {
  return parts.reduce((sum, { places }) => sum + places.length, 0)
}

/** For a file: with the columns of poses and profile, if there are any. */
export function narrowTable(db: Database, matches: Matches): NarrowTable {
  const [own] = matches.parts
  const hasScores = own?.table.details?.scores !== undefined
  return {
    screen: matches.screen,
    orders: matches.parts.map(({ table }) => table.id),
    columns: [
      ...(own === undefined ? screenRowColumns : columnsOf(own.table, screenRowColumns)),
      ...(hasScores ? profileColumns : []),
    ],
    pages: (from, to) => pagesOf(db, matches, { from, to }),
  }
}
