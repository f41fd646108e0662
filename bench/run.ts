/**
 * npm run bench: measures the figures that the documents quote, each beside its limit or peer.
 * Writes docs/benchmarks.md and fails when a figure is past its limit. With names behind it
 * (npm run bench -- first-page) it measures these alone and writes nothing.
 */
import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { measureAdmin, measureGrowth } from './admin.ts'
import { type Figure, ratioOf } from './figure.ts'
import { measureHeatMap } from './heat-map.ts'
import { measureModel } from './model.ts'
import { measureDeepDta, measurePeers } from './peers.ts'
import { measurePredict } from './predict.ts'
import { measureFirstPage, measureProduct } from './product.ts'
import { measureReading } from './reading.ts'
import { measureScreens } from './screens.ts'

const benches = {
  reading: measureReading,
  model: measureModel,
  product: measureProduct,
  'first-page': measureFirstPage,
  peers: measurePeers,
  'deep-dta': measureDeepDta,
  admin: measureAdmin,
  growth: measureGrowth,
  'heat-map': measureHeatMap,
  screens: measureScreens,
  predict: measurePredict,
}

const chosen = process.argv.slice(2)
const figures: Figure[] = []
for (const [name, measure] of Object.entries(benches)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  const measured = await measure()
  console.log(measured.map(describe).join('\n'))
  figures.push(...measured)
}
const rows = figures.map(describe)
if (chosen.length === 0) {
  writeFileSync(fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url)), page(rows))
}
const past = figures.filter((figure) => !(ratioOf(figure) <= 1))
for (const { name, isAim } of past) {
  console.error(isAim ? `Not reached yet: ${name}` : `Past its limit: ${name}`)
}
process.exit(past.every(({ isAim }) => isAim) ? 0 : 1)

function describe(figure: Figure): string {
  const { name, measured, unit, against, isAim } = figure
  const ratio = ratioOf(figure)
  const missed = isAim && ratio > 1 ? ', aim missed' : ''
  return `| ${name} | ${round(measured)} ${unit} | ${isAim ? 'aim: ' : ''}${against.name}: ${round(against.value)} ${unit} | ${ratio.toFixed(2)}${missed} |`
}

function round(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}

function page(lines: string[]): string {
  return [
    '# Benchmarks',
    '',
    'Written by `npm run bench`. A ratio below 1 is within the limit, or better than the peer of the same run.',
    '',
    `Measured on ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}.`,
    '',
    '| figure | measured | against | ratio |',
    '|---|---|---|---|',
    ...lines,
    '',
  ].join('\n')
}
