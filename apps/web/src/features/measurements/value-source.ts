/** The source of a table of values: pasted text, or a sheet of a file. The page provides the reader. */
import {
  chooseValueColumns,
  type Comma,
  companionsOf,
  isSdf,
  type ValueColumns,
} from '@pkdex/intake'
import { useEffect, useState } from 'react'
import type { Kind } from './measured-kind.tsx'
import { kindOf, type ValueSheet } from './value-columns.ts'

/** A parsed text or file; `table` is null if its lines need no choice of columns. */
export type ReadTable = {
  filename: string
  text: string
  table: ValueSheet | null
  sheets: string[]
  sheet: number
  problem: string | null
}

export type TableReader = {
  readText: (text: string) => ReadTable
  readFile: (
    file: File,
    onReading: (text: string | null) => void,
    sheet?: number,
  ) => Promise<ReadTable>
}

export type ChosenTable = ReadTable & {
  table: ValueSheet
  chosen: ValueColumns
  /** Columns that could all be the values, until one is chosen. */
  candidates: number[]
  /** Why the only candidate may hold something else, until it is chosen. */
  doubt: string | null
  /** What a comma means, as answered. */
  comma: Comma | null
}

/** With only two columns (compound and value), the server parses the text as it is. */
const COLUMNS_MIN = 3

export function useValueSource(
  loadReader: () => Promise<TableReader>,
  onKind: (update: (kind: Kind) => Kind) => void,
) {
  const [text, setText] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const [found, setFound] = useState<ChosenTable | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [reading, setReading] = useState<string | null>(null)

  const take = (read: ReadTable, columnsMin: number) => {
    const { table } = read
    if (table === null || table.heading.length < columnsMin) return setFound(null)
    const { columns, rivals, doubt } = chooseValueColumns(table)
    const isClear = (rivals.length === 0 && doubt === null) || columns.value === null
    const chosen = isClear ? columns : { ...columns, value: null }
    const candidates = isClear ? [] : [columns.value ?? 0, ...rivals]
    setFound({ ...read, table, chosen, candidates, doubt, comma: null })
    onKind((kind) => kindOf(table.heading[chosen.value ?? -1] ?? '', kind))
  }

  useEffect(() => {
    if (file !== null || !/[\t;,]/.test(text)) return
    let isLatest = true
    void loadReader().then(({ readText }) => {
      if (isLatest) take(readText(text), COLUMNS_MIN)
    })
    return () => {
      isLatest = false
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- parse again only if the text has changed
  }, [text, file])

  const write = (written: string) => {
    if (isSdf(written)) return void pick(new File([written], 'pasted.sdf'))
    setText(written)
    setFile(null)
    setFound(null)
    setProblem(null)
  }

  const pick = async (picked: File, sheet?: number) => {
    const { readFile } = await loadReader()
    const read = await readFile(picked, setReading, sheet)
    write(read.table === null ? read.text : '')
    setProblem(read.problem)
    if (read.table === null) return
    setFile(picked)
    take(read, 1)
  }

  const choose = (change: Partial<ValueColumns>) => {
    if (found === null) return
    const { value } = change
    const open = value === undefined ? found : { candidates: [], doubt: null }
    const others = value === undefined ? {} : companionsOf(found.table, value)
    const chosen = { ...found.chosen, ...others, ...change }
    setFound({ ...found, ...open, chosen, comma: null })
    const heading = found.table.heading[change.value ?? -1]
    onKind((kind) => kindOf(heading ?? '', kind))
  }

  return {
    text,
    found,
    problem,
    reading,
    write,
    pick: (picked: File) => void pick(picked),
    chooseSheet: (sheet: number) => file !== null && void pick(file, sheet),
    choose,
    answerComma: (comma: Comma) => setFound((now) => now && { ...now, comma }),
  }
}
