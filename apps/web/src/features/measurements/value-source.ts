/** The source of a table of values: pasted text, or a sheet of a file. The page provides the reader. */
import { useEffect, useState } from 'react'
import { guessValueColumns, type ValueColumns } from '@pkdex/contract'
import type { Kind } from './measured-kind.tsx'
import { kindOf, type ValueSheet } from './value-columns.ts'

/** A parsed text or file; `table` is null if its lines need no choice of columns. */
export type ReadTable = {
  filename: string
  text: string
  table: ValueSheet | null
  /** `smiles`: the column recognised as SMILES. */
  columns: { smiles: number }
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

export type ChosenTable = ReadTable & { table: ValueSheet; chosen: ValueColumns }

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
    const chosen = guessValueColumns(table, read.columns.smiles)
    setFound({ ...read, table, chosen })
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
    setText(written)
    setFile(null)
    setFound(null)
    setProblem(null)
  }

  const pick = async (picked: File, sheet = 0) => {
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
    setFound({ ...found, chosen: { ...found.chosen, ...change } })
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
  }
}
