/** What can be done with the ticked compounds of any table; it sticks to the bottom while there are any. */
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { messageOf } from '#web/lib/api.ts'
import { type CopiedTable, copyTable, saveTable } from '#web/lib/copy-table.ts'
import { countOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import classes from './selection-bar.module.css'

type Props = {
  count: number
  /** What a row is. */
  noun?: 'compound' | 'prediction'
  /** A row per ticked one, the name first; read when it is copied, saved or compared. */
  table: () => CopiedTable | Promise<CopiedTable>
  /** Draws the compound of a row. */
  draw?: ((smiles: string) => ReactNode) | null
  /** What this table offers besides. */
  children?: ReactNode
  onClear: () => void
}

/** More do not fit side by side. */
const COMPARED_MAX = 8

export function SelectionBar(props: Props) {
  const { count, noun = 'compound', table, draw = null, children, onClear } = props
  const [compared, setCompared] = useState<CopiedTable | null>(null)
  const act = useMutation({
    mutationFn: async (what: keyof typeof done) => {
      // A copy must begin with the click, so the browser takes the promise.
      if (what === 'copy') await copyTable(table())
      if (what === 'export') saveTable(await table(), `selected ${noun}s.csv`)
      if (what === 'compare') setCompared(await table())
    },
  })
  if (count === 0) return null
  const buttonOf = (label: string, what: keyof typeof done) => (
    <Button
      variant="subtle"
      loading={act.isPending && act.variables === what}
      onClick={() => act.mutate(what)}
    >
      {label}
    </Button>
  )
  return (
    <section className={classes.bar} aria-label="Selection">
      <b>{`${countOf(count, noun)} selected`}</b>
      {buttonOf('Copy', 'copy')}
      {buttonOf('CSV', 'export')}
      {count > 1 && count <= COMPARED_MAX && buttonOf('Compare', 'compare')}
      {children}
      <Button variant="subtle" onClick={onClear}>
        Clear
      </Button>
      <output className="small">
        {act.isSuccess && done[act.variables]}
        {act.isError && messageOf(act.error, 'The browser blocked copying.')}
      </output>
      {compared && (
        <Dialog label="Compare" width={960} onClose={() => setCompared(null)}>
          <Compared table={compared} draw={draw} />
        </Dialog>
      )}
    </section>
  )
}

const done = { copy: 'Copied', export: 'Saved', compare: '' }

/** The table on its side: a column per compound. */
function Compared({
  table: { head, rows, smiles },
  draw,
}: { table: CopiedTable } & Pick<Props, 'draw'>) {
  const [, ...facts] = head.map((label, at) => ({ label, cells: rows.map((row) => row[at]) }))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
    <section className={classes.compared} aria-label="Compounds" tabIndex={0}>
      <table aria-label="Compared compounds">
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Fact</span>
            </th>
            {rows.map(([name], at) => (
              <th key={at} scope="col">
                {draw && <span className={classes.drawing}>{draw(smiles[at] ?? '')}</span>}
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {facts
            .filter(({ label }) => label !== 'SMILES')
            .map(({ label, cells }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {cells.map((cell, at) => (
                  <td key={at}>{cell === '' ? '–' : cell}</td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  )
}
