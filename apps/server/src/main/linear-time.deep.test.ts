/**
 * Attack: a text for which a parser on the main thread takes quadratic or cubic time would block all other requests.
 * Each parser reads runs of each kind of character in two lengths, the second sixteen times the
 * first, and may take about sixteen times as long.
 */
import { readProfile } from '@pkdex/contract'
import { columnOf, openWorkbook, readTextTable, readValueText } from '@pkdex/intake'
import { expect, test } from 'vitest'
import { readUserList } from '#server/admin-users/read-user-list.ts'
import { readFilename, readName } from '#server/files/names.ts'

const runs = [
  ' ',
  '\t',
  '1',
  'a',
  ',',
  ';',
  '"',
  '""',
  "'",
  '.',
  '-',
  '<',
  '(',
  'é',
  '\u2028',
  '1 ',
]
const starts = ['', 'a', 'CCO,', 'CCO\t', 'CCO;1', '"', 'CCO 1']
const ends = ['', '!', '"', 'x\u2028x', ' nM', ',1']

/** A text that cannot be a table is refused. */
const importOf = (text: string) =>
  attempt(() => readValueText(text, { type: 'Kd', unit: undefined }))

const parsers: Record<string, (text: string) => unknown> = {
  'a line of measured values': importOf,
  'ten lines of measured values': (text) => importOf(`${text}\n`.repeat(10)),
  'a list of users': (text) => attempt(() => readUserList(`email,credits\n${text}`)),
  'a name': readName,
  'a file name': readFilename,
  'a sheet of a workbook': (text) =>
    attempt(() => readSheet(`<sheetData><row><c ${text}><v>${text}&${text}</v></c></row>`)),
  'a profile': (text) => [readProfile(text), readProfile(`mass:..${text}`)],
  'the heading of a column': (text) => columnOf(text, [text]),
  'a compound table': (text) => attempt(() => readTextTable(`ID,SMILES\n${text}`)),
}

function readSheet(xml: string): unknown {
  const parts = { 'xl/worksheets/sheet1.xml': xml }
  return openWorkbook(() => parts, String).readRows(0)
}

function attempt(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

/** CPU time, which does not include other processes. */
function cost(parse: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage()
  parse(text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const texts = runs.flatMap((run) =>
  starts.flatMap((start) =>
    ends.map((end) => (length: number) => start + run.repeat(length / run.length) + end),
  ),
)

test.each(Object.entries(parsers))('%s is read in linear time', (_, parse) => {
  const slow: string[] = []
  for (const textOf of texts) {
    const limit = 40 * cost(parse, textOf(300)) + 60
    // Garbage collection may hit either run: only a repeated slow result counts.
    const isSlow = () => cost(parse, textOf(4800)) > limit
    if (isSlow() && isSlow()) slow.push(textOf(6))
  }
  expect(slow).toEqual([])
})

test.each(runs)(
  'a text of 500,000 characters of %j as measured values gets an immediate response',
  (run) => {
    const text = `a${run.repeat(499_000 / run.length)}!`
    // Quadratic time would take minutes for this length.
    expect(cost(importOf, text)).toBeLessThan(5000)
  },
)
