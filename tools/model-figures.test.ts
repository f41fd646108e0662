/** Figures quoted on pages are those of the shipped model card and of docs/benchmarks.md. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

test('the sign-in page states the model card’s error on published series', () => {
  const [, inCard] = /\| the model \| (\d\.\d{3}) \|/.exec(read('models/current/README.md')) ?? []
  const page = read('apps/web/src/routes/login/login-page.tsx')
  const [, onPage] = /SERIES_RMSE = '([\d.]+)'/.exec(page) ?? []
  expect(Number(inCard)).toBeGreaterThan(0)
  expect(onPage).toBe(Number(inCard).toFixed(2))
})

test('SPEC 22.6: the API guide has the errors of the model card by number of measured values', () => {
  const table = /\| values measured on the target \|[^\n]*\n\|[-|]+\|\n((?:\|.*\n)+)/
  const guide = /\| measured values on the protein \|[^\n]*\n\|[-|]+\|\n((?:\|.*\n)+)/
  // Compounds and RMSE.
  const figures = (page: string, of: RegExp) =>
    (of.exec(page)?.[1] ?? '')
      .trim()
      .split('\n')
      .map((row) => row.split('|').slice(2, 4).join('|'))
  const inCard = figures(read('models/current/README.md'), table)
  expect(inCard).toHaveLength(7)
  expect(figures(read('docs/api.md'), guide)).toEqual(inCard)
})

test('SPEC 22.6: the API guide and README have the errors of the model card by protein family', () => {
  const table = /\| family \| values measured on the protein \|[^\n]*\n\|[-|]+\|\n((?:\|.*\n)+)/
  const [inCard, inGuide] = ['models/current/README.md', 'docs/api.md'].map(
    (page) => table.exec(read(page))?.[1],
  )
  const [, proteins, error] =
    /\| protein kinases \| 300 to 999 \| (\d+) \| [\d,]+ \| ([^|]+) \|/.exec(inCard ?? '') ?? []
  expect(read('README.md')).toContain(`${error} on ${proteins} protein kinases with 300 to 999`)
  expect(inGuide).toBe(inCard)
})

test('the README states what the structure adds as the model card does', () => {
  const row = (start: string) =>
    read('models/current/README.md')
      .split('\n')
      .find((line) => line.startsWith(start)) ?? ''
  const cells = (start: string) =>
    row(start)
      .split('|')
      .map((cell) => cell.trim())
  const [, , plain, , plainBeyond] = cells('| plain prediction |')
  const [, , adjusted, gain = '', adjustedBeyond] = cells('| **with all three')
  const readme = read('README.md')
  const [, mean, low, high] = /\+([\d.]+) \(([\d.]+) to ([\d.]+)\)/.exec(gain) ?? []
  expect(mean).toBeDefined()
  expect(readme).toContain(`is ${plain} for the plain prediction, and ${plainBeyond} *beyond size*`)
  expect(readme).toContain(
    `raises them to ${adjusted} (gain ${mean}, 90% interval ${low} to ${high}) and ${adjustedBeyond}`,
  )
})

test('the README states speed and memory as the benchmarks do', () => {
  const rows = read('docs/benchmarks.md').split('\n')
  const measured = (figure: string) => {
    const cells = rows.find((row) => row.startsWith(`| ${figure} |`))?.split('|') ?? []
    return Number.parseFloat((cells[2] ?? '').replace(',', ''))
  }
  const seconds = (figure: string) => (measured(figure) / 1000).toFixed(2)
  const screen = Math.round(measured('screen 10,000 × 10, embedded: new compounds'))
  const predict = measured('npm run predict: 10,000 compounds × 10 structures, start to last row')
  const start = measured('second npm start until ready').toFixed(1)
  const peak = (measured('peak memory with two screens') / 1000).toFixed(1)
  const readme = read('README.md')
  for (const said of [
    `a new pair takes ${seconds('prediction over HTTP, end to end')} s over HTTP`,
    `take ${screen} s as a screen and ${Math.round(predict)} s with`,
    `a second start takes ${start} s`,
    `${peak} GB at the peak of two such screens`,
  ]) {
    expect(readme).toContain(said)
  }
})
