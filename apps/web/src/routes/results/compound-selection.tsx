/** Ticks in the list of compounds, and what can be done with the ticked ones. */
import { type Compound, describeColumn } from '@pkdex/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { compoundQuery } from '#web/features/files/file-lists.ts'
import { NewScreenOf } from '#web/features/files/new-screen-of.tsx'
import { type Shortlist, StarAll } from '#web/features/files/shortlist.tsx'
import { drawForCopy, useDrawSmiles } from '#web/features/previews/structure.tsx'
import { SelectionBar } from '#web/features/selection/selection-bar.tsx'
import { useTicked } from '#web/features/selection/use-ticked.ts'
import { AddToMakeList } from '#web/features/series/add-to-make-list.tsx'
import type { CopiedTable } from '#web/lib/copy-table.ts'
import { Button } from '#web/ui/button.ts'
import type { TickedNames } from './results-column.tsx'

type Options = {
  target: string | null
  shortlist: Shortlist
  pkds: ReadonlyMap<string, number>
  measured: ReadonlyMap<string, number | null | undefined>
}

const itself = (name: string) => name
const NONE: string[] = []
const PROPERTIES = ['mass', 'log_p', 'tpsa', 'heavy_atoms'] as const

/** `button` begins and ends ticking; the bar has the actions. */
export function useCompoundSelection({ target, shortlist, ...numbers }: Options) {
  const [isTicking, setIsTicking] = useState(false)
  const { rows, tick, tickAll, clear } = useTicked(itself)
  const client = useQueryClient()
  const draw = useDrawSmiles(NONE)
  const names = [...rows.keys()]
  const readAll = () => readInTurn(names, (name) => client.fetchQuery(compoundQuery(name)))
  const button = (
    <Button
      variant="subtle"
      color="gray"
      aria-pressed={isTicking}
      onClick={() => {
        clear()
        setIsTicking(!isTicking)
      }}
    >
      {isTicking ? 'Done' : 'Select several'}
    </Button>
  )
  const bar: ReactNode = (
    <SelectionBar
      count={names.length}
      table={async () => tableOf(await readAll(), numbers)}
      draw={draw}
      onClear={clear}
    >
      <StarAll shortlist={shortlist} names={names} />
      <NewScreenOf targets={target === null ? [] : [target]} compounds={names} />
      <AddToMakeList
        targets={target === null ? [] : [target]}
        moleculesOn={async () => {
          const smiles = (await readAll()).map(({ report }) => report.standard_smiles)
          return { smiles, added_with: smiles.map(() => null) }
        }}
      />
    </SelectionBar>
  )
  const ticked: TickedNames | null = isTicking
    ? { has: (name) => rows.has(name), tick, tickAll }
    : null
  return { ticked, button, bar }
}

const AT_ONCE = 6

/** A few at a time: each is a request. */
async function readInTurn<T>(names: string[], read: (name: string) => Promise<T>): Promise<T[]> {
  const all: T[] = []
  for (let from = 0; from < names.length; from += AT_ONCE) {
    // oxlint-disable-next-line no-await-in-loop -- the next ones wait
    all.push(...(await Promise.all(names.slice(from, from + AT_ONCE).map(read))))
  }
  return all
}

function tableOf(
  compounds: Compound[],
  { pkds, measured }: Pick<Options, 'pkds' | 'measured'>,
): CopiedTable {
  const titles = PROPERTIES.map((name) => describeColumn(name).title)
  return {
    head: ['Compound', 'SMILES', 'pKd', 'Measured pK', ...titles],
    rows: compounds.map(({ name, smiles, properties }) => [
      name,
      smiles,
      ...[pkds.get(name), measured.get(name)].map((number) => number?.toFixed(2) ?? ''),
      ...PROPERTIES.map((one) => properties?.[one]?.toFixed(describeColumn(one).digits) ?? ''),
    ]),
    smiles: compounds.map(({ smiles }) => smiles),
    draw: drawForCopy,
  }
}
