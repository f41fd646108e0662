import { buffer } from 'node:stream/consumers'
import type { ScreenRow } from '@pkdex/contract'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { openTestPredictions } from '#test/open-test-predictions.ts'
import { readTestZip } from '#test/read-test-zip.ts'
import { writeXlsx } from './write-xlsx.ts'
import { withPictures } from './xlsx-pictures.ts'

/** Rows of cells, each as its XML. */
function readCells(sheet: string | undefined): string[][] {
  const rows = (sheet ?? '').match(/<row>.*?<\/row>/gs) ?? []
  return rows.map((row) => row.match(/<c\/>|<c[ >].*?<\/c>/gs) ?? [])
}

const text = (shown: string) => `<c t="inlineStr"><is><t xml:space="preserve">${shown}</t></is></c>`

test('a workbook contains every part that it references', async () => {
  const parts = await readTestZip(await buffer(tableOf([])))
  expect([...parts.keys()]).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/workbook.xml',
    'xl/_rels/workbook.xml.rels',
    'xl/worksheets/sheet1.xml',
  ])
  expect(parts.get('xl/workbook.xml')).toContain('r:id="rId1"')
  expect(parts.get('xl/_rels/workbook.xml.rels')).toContain('Target="worksheets/sheet1.xml"')
  expect(readCells(parts.get('xl/worksheets/sheet1.xml'))).toEqual([[text('one')]])
})

test('every column has a width, and a filter spans the whole table', async () => {
  const columns = Array.from({ length: 28 }, (_, at) => `column ${at + 1}`)
  async function* pages() {
    yield [{}, {}, {}]
  }
  const zipped = await buffer(writeXlsx({ columns, count: 3, pages, mtime: new Date(0) }))
  const sheet = (await readTestZip(zipped)).get('xl/worksheets/sheet1.xml') ?? ''
  expect(sheet.match(/<col /g)).toHaveLength(28)
  expect(sheet).toContain('<col min="28" max="28" width="13" customWidth="1"/></cols><sheetData>')
  expect(sheet).toContain('</sheetData><autoFilter ref="A1:AB4"/></worksheet>')
})

test('numbers stay numbers, and text stays text whatever it contains', async () => {
  const values = [
    6.25,
    -1e-7,
    true,
    null,
    '',
    '=1+1',
    '5',
    '<a&b>',
    'a\u0000b',
    '\uD800',
    '_x0041_',
  ]
  const parts = await readTestZip(await buffer(tableOf(values)))
  const [, ...cells] = readCells(parts.get('xl/worksheets/sheet1.xml'))
  expect(cells.flat()).toEqual([
    '<c><v>6.25</v></c>',
    '<c><v>-1e-7</v></c>',
    '<c t="b"><v>1</v></c>',
    '<c/>',
    '<c/>',
    text('=1+1'),
    text('5'),
    text('&lt;a&amp;b&gt;'),
    text('a\uFFFDb'),
    text('\uFFFD'),
    text('_x005F_x0041_'),
  ])
})

function tableOf(values: unknown[]) {
  async function* pages(from: number, to: number) {
    yield values.slice(from, to).map((one) => ({ one }))
  }
  return writeXlsx({ columns: ['one'], count: values.length, pages, mtime: new Date(0) })
}

test('the workbook of a screen has every row in input order, with the reason if there is no prediction', async () => {
  await using t = await openDisposable()
  const user = await t.addUser({ credits: 50, targets: 2, compounds: 3 })
  const { id } = await user.started({ targets: user.targets, compounds: ['C3', '=x', 'C1', 'C3'] })
  await user.untilEnded(id)
  const answer = await user.call('GET', `/screens/${id}/results.xlsx`)
  expect(answer.headers['content-disposition']).toMatch(`attachment; filename="screen_${id}.xlsx"`)
  const rows = readCells((await readTestZip(answer.rawPayload)).get('xl/worksheets/sheet1.xml'))
  const csv = (await user.call('GET', `/screens/${id}/results.csv`)).body.split('\r\n')
  expect(rows[0]).toEqual(csv[0]?.split(',').map(text))
  expect(rows).toHaveLength(9)
  const numberOf = (line: string | undefined) => `<c><v>${line?.split(',')[5]}</v></c>`
  for (const at of [1, 2, 5, 6, 7, 8]) expect(rows[at]?.[5]).toBe(numberOf(csv[at]))
  expect(rows.slice(1).map((row) => row[1])).toEqual(
    ['C3', 'C3', '=x', '=x', 'C1', 'C1', 'C3', 'C3'].map(text),
  )
  expect(rows[3]?.[5]).toBe('<c/>')
  const reason = rows[0]?.indexOf(text('reason')) ?? -1
  expect(rows[3]?.[reason]).toBe(text('You have no compound named “=x”.'))
})

async function openDisposable() {
  const t = await openTestPredictions()
  t.work()
  return { ...t, [Symbol.asyncDispose]: () => t.close() }
}

test('an error while reading rows ends the download, not the process', async () => {
  const pages = async function* () {
    yield [{ one: 1 }]
    throw new Error('the connection was lost')
  }
  const workbook = writeXlsx({ columns: ['one'], count: 2, pages, mtime: new Date() })
  await expect(buffer(workbook)).rejects.toThrow('the connection was lost')
})

test('a column may have the name of a built-in object property', async () => {
  const columns = ['constructor', 'toString', '__proto__']
  const pages = async function* () {
    yield [Object.fromEntries([['__proto__', 'mine']]), {}]
  }
  const zipped = await buffer(writeXlsx({ columns, count: 2, pages, mtime: new Date() }))
  const [, ...rows] = readCells((await readTestZip(zipped)).get('xl/worksheets/sheet1.xml'))
  expect(rows).toEqual([
    ['<c/>', '<c/>', text('mine')],
    ['<c/>', '<c/>', '<c/>'],
  ])
})

test('SPEC 20.18: with columns the workbook is the table of the page: these columns in their order, sorted and filtered', async () => {
  await using t = await openDisposable()
  const user = await t.addUser({ credits: 50, targets: 2, compounds: 3 })
  const { id } = await user.started({ targets: user.targets, compounds: ['C3', 'C1', 'C2'] })
  await user.untilEnded(id)
  const read = async (query: string) => {
    const answer = await user.call('GET', `/screens/${id}/results.xlsx?${query}`)
    if (answer.statusCode !== 200) return answer.json().message
    const sheet = (await readTestZip(answer.rawPayload)).get('xl/worksheets/sheet1.xml')
    return readCells(sheet).map((row) => row.map((cell) => cell.replaceAll(/<[^>]*>/g, '')))
  }
  const rows = await (
    await user.call('GET', `/screens/${id}/results?by=compound&sort=affinity`)
  ).json().rows
  const [first, second] = user.targets
  const numbersOf = (name: string, target: string | undefined) =>
    `${rows.find((row: ScreenRow) => row.compound === name && row.target === target).best_kd}`
  const names = [...new Set<string>(rows.map((row: ScreenRow) => row.compound))]
  expect(await read('columns=best_kd@2,compound,best_kd@1&by=compound&sort=affinity')).toEqual([
    [`${second} pKd`, 'compound', `${first} pKd`],
    ...names.map((name) => [numbersOf(name, second), name, numbersOf(name, first)]),
  ])
  expect(await read(`columns=compound,target&target=${second}&text=C1`)).toEqual([
    ['compound', 'target'],
    ['C1', second],
  ])
  expect(await read('columns=compound,best_kd@3')).toBe('The screen has no column “best_kd@3”.')
  expect(await read('columns=constructor')).toBe('The screen has no column “constructor”.')
})

test('SPEC 20.18: a workbook with pictures stores each structure once and ties it to the rows that show it', async () => {
  await using t = await openDisposable()
  const user = await t.addUser({ credits: 50, targets: 2, compounds: 3 })
  const { id } = await user.started({ targets: user.targets, compounds: ['C3', '=x', 'C1'] })
  await user.untilEnded(id)
  const answer = await user.call('GET', `/screens/${id}/results.xlsx?pictures=true`)
  const parts = new Map(
    Object.entries(unzipSync(answer.rawPayload)).map(([name, bytes]) => {
      return [name, Buffer.from(bytes).toString('latin1')]
    }),
  )
  const images = [...parts.keys()].filter((name) => name.startsWith('xl/media/'))
  expect(images).toEqual(['xl/media/image1.png', 'xl/media/image2.png'])
  expect(parts.get('xl/media/image1.png')).toMatch(/^.PNG/)
  expect(parts.get('xl/worksheets/sheet1.xml')).toMatch(/<drawing r:id="rId1"\/><\/worksheet>$/)
  const anchors = parts
    .get('xl/drawings/drawing1.xml')
    ?.matchAll(/<xdr:from>.*?<xdr:row>(\d+)<.*?r:embed="(rId\d+)"/g)
  expect([...(anchors ?? [])].map(([, row, image]) => `${row} ${image}`)).toEqual([
    '1 rId1',
    '2 rId1',
    '5 rId2',
    '6 rId2',
  ])
  expect(parts.get('xl/drawings/_rels/drawing1.xml.rels')).toContain('Target="../media/image2.png"')
  expect(parts.get('[Content_Types].xml')).toContain('<Default Extension="png"')
})

test('SPEC 20.18: a workbook of more than 1,000 rows has no pictures, and says what to do', async () => {
  const wide = { columns: [], pages: async function* () {} }
  const drawer = { userId: 'u', gone: new AbortController().signal, parsingWorkers: noDrawing }
  await expect(withPictures({ wide, count: 1001 }, drawer)).rejects.toThrow(
    'A workbook with structures has at most 1,000 rows; these are 1,001. Filter them, or export without structures.',
  )
})

const noDrawing = {
  findCore: () => Promise.reject(new Error('not asked for')),
  drawCompounds: () => Promise.reject(new Error('not asked for')),
}
