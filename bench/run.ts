/**
 * npm run bench: measures the figures that the documents quote, each next to its limit or peer. Writes
 * docs/benchmarks.md and fails if a figure exceeds its limit. With names (npm run bench -- first-page) it measures only
 * these and writes nothing, or with --record replaces their rows.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { measureAdmin, measureGrowth } from './admin.ts'
import { pageOf, replaceRows } from './benchmarks-page.ts'
import { measureCompoundRecords } from './compound-records.ts'
import { type Figure, ratioOf } from './figure.ts'
import { measureImports } from './imports.ts'
import { measureMakeNext } from './make-next.ts'
import { measureModel } from './model.ts'
import { measurePairs } from './pairs.ts'
import { measureDeepDta, measurePeers } from './peers.ts'
import { measurePoses } from './poses.ts'
import { measurePredict } from './predict.ts'
import { measureFirstPage, measureProduct } from './product.ts'
import { measureReading } from './reading.ts'
import { measureScreens } from './screens.ts'
import { measureHeatMap, measureResultsTable } from './scrolling.ts'
import { measureSeries } from './series.ts'
import { measureStructureSearch } from './structure-search.ts'
import { measureTwoProcesses } from './two-processes.ts'

/** What a benchmark needs besides this repository, and the environment variable that names it. */
const needed = {
  PKDEX_SHARED: 'a folder of compounds, structures and series',
  PKDEX_TEST_DATABASE_URL: 'a PostgreSQL server',
  PKDEX_PYTHON: 'a Python with torch',
}

/** Measures nothing if the variable is not set. */
function needs(variable: keyof typeof needed, measure: (value: string) => Promise<Figure[]>) {
  return async () => {
    const value = process.env[variable]
    if (value !== undefined) return measure(value)
    console.error(`${variable} must name ${needed[variable]}.`)
    return []
  }
}

const benches = {
  reading: measureReading,
  model: measureModel,
  product: measureProduct,
  'first-page': measureFirstPage,
  peers: measurePeers,
  'two-processes': needs('PKDEX_TEST_DATABASE_URL', measureTwoProcesses),
  'deep-dta': needs('PKDEX_PYTHON', measureDeepDta),
  admin: measureAdmin,
  growth: measureGrowth,
  'heat-map': measureHeatMap,
  'results-table': measureResultsTable,
  imports: measureImports,
  pairs: measurePairs,
  screens: needs('PKDEX_SHARED', measureScreens),
  predict: needs('PKDEX_SHARED', measurePredict),
  series: needs('PKDEX_SHARED', measureSeries),
  'make-next': needs('PKDEX_SHARED', measureMakeNext),
  'structure-search': needs('PKDEX_SHARED', measureStructureSearch),
  poses: needs('PKDEX_SHARED', measurePoses),
  'compound-records': needs('PKDEX_SHARED', measureCompoundRecords),
}

const chosen = process.argv.slice(2).filter((name) => name !== '--record')
const isRecorded = chosen.length === 0 || process.argv.includes('--record')
const unknown = chosen.filter((name) => !(name in benches))
if (unknown.length > 0) {
  const misspelt = unknown.filter((name) => name !== '--help')
  if (misspelt.length > 0) console.error(`Unknown benchmark: ${misspelt.join(', ')}.`)
  console.error(
    `npm run bench [-- NAME... [--record]]; without a name, all: ${Object.keys(benches).join(', ')}.`,
  )
  process.exit(misspelt.length > 0 ? 1 : 0)
}
const today = new Date().toISOString().slice(0, 10)
const figures: Figure[] = []
const empty: string[] = []
for (const [name, measure] of Object.entries(benches)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  const measured = await measure()
  console.log(measured.map(describe).join('\n'))
  figures.push(...measured)
  if (measured.length === 0) empty.push(name)
}
if (isRecorded) {
  const page = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url))
  const rows = figures.map(describe)
  const isWhole = chosen.length === 0 && empty.length === 0
  writeFileSync(page, isWhole ? pageOf(rows) : replaceRows(readFileSync(page, 'utf8'), rows))
}
if (empty.length > 0) console.error(`Not measured: ${empty.join(', ')}.`)
const past = figures.filter((figure) => !(ratioOf(figure) <= 1))
for (const { name, isAim } of past) {
  console.error(isAim ? `Goal missed: ${name}` : `Limit exceeded: ${name}`)
}
process.exit(empty.length === 0 && past.every(({ isAim }) => isAim) ? 0 : 1)

function describe(figure: Figure): string {
  const { name, measured, unit, against, isAim } = figure
  const plain = figure.isFloor ? 'at least ' : ''
  const label = /^(?:limit|floor)$/.test(against.name) ? plain : `${against.name}: `
  const limit = `${label}${round(against.value)} ${unit}`
  const missed = ratioOf(figure) > 1 ? ', missed' : ''
  return `| ${name} | ${round(measured)} ${unit} | ${isAim ? 'goal: ' : ''}${limit}${missed} | ${today} |`
}

function round(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}
