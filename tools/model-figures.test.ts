/** Figures quoted on pages are those of the shipped model card. */
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

test('SPEC 22.6: the API guide has the errors of the model card by protein family', () => {
  const table = /\| family \| values measured on the protein \|[^\n]*\n\|[-|]+\|\n((?:\|.*\n)+)/
  const [inCard, inGuide] = ['models/current/README.md', 'docs/api.md'].map(
    (page) => table.exec(read(page))?.[1],
  )
  expect(inCard).toBeDefined()
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
  const [, , adjusted, gain = '', adjustedBeyond] = cells(
    '| **mean pose, similarity and differences**',
  )
  const readme = read('README.md')
  expect(gain).toMatch(/^\+[\d.]+ \([\d.]+ to [\d.]+\)/)
  const [, mean, interval] = /\+([\d.]+) \(([\d.]+ to [\d.]+)\)/.exec(gain) ?? []
  expect(readme).toContain(`from sequence and compound | ${plain} | ${plainBeyond} |`)
  expect(readme).toContain(
    `(gain ${mean}, 90% interval ${interval}) | ${adjusted} | ${adjustedBeyond} |`,
  )
})
