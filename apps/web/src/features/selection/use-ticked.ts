/** The rows of a table that are ticked, also those that scrolled out of sight, in the order of the ticks. */
import { useCallback, useState } from 'react'

export type Ticked<Row> = {
  rows: ReadonlyMap<string, Row>
  tick: (row: Row) => void
  tickAll: (rows: readonly Row[]) => void
  clear: () => void
}

/** `keyOf` must keep its identity while nothing changes. */
export function useTicked<Row>(keyOf: (row: Row) => string): Ticked<Row> {
  const [rows, setRows] = useState<ReadonlyMap<string, Row>>(new Map())
  const tick = useCallback(
    (row: Row) =>
      setRows((now) => {
        const next = new Map(now)
        const key = keyOf(row)
        if (!next.delete(key)) next.set(key, row)
        return next
      }),
    [keyOf],
  )
  const tickAll = (all: readonly Row[]) =>
    setRows((now) => new Map([...now, ...all.map((row) => [keyOf(row), row] as const)]))
  return { rows, tick, tickAll, clear: () => setRows(new Map()) }
}
