/** The panel next to a SAR table: the selected compound or gap, and the make list. */
import { createContext, type ReactNode, useContext } from 'react'
import { saveFile } from '#web/lib/save-file.ts'
import { Button, UnstyledButton } from '#web/ui/button.ts'
import { focusNeighbour } from '#web/ui/focus-neighbour.ts'
import { Icon } from '#web/ui/icon.tsx'
import { type CellView, rangeOf, wordValue } from './cells.ts'
import classes from './series-side.module.css'

type SelectedProps = {
  cell: CellView
  isListed: boolean
  isPredicting: boolean
  onList: () => void
  onPredict: () => void
}

export function SelectedCell({ cell, isListed, isPredicting, ...on }: SelectedProps) {
  const { kind, names, value, interval, smiles } = cell
  return (
    <section className={`sheet wraps ${classes.panel}`} aria-label="Selected">
      <p className="quiet">{kindWords[kind]}</p>
      {names.length > 0 && <h2>{names.join(', ')}</h2>}
      <Drawing smiles={smiles} />
      {value === null ? (
        <Button variant="default" fullWidth loading={isPredicting} onClick={on.onPredict}>
          Predict this gap
        </Button>
      ) : (
        <p className={classes.value}>
          <b>{wordValue(cell)}</b>
          {interval !== null && <span>{rangeOf(interval, ' to ')}</span>}
        </p>
      )}
      <Button variant={isListed ? 'default' : 'filled'} fullWidth onClick={on.onList}>
        {isListed ? 'Remove from make list' : 'Add to make list'}
      </Button>
    </section>
  )
}

const kindWords = { measured: 'Measured', predicted: 'Predicted', gap: 'Gap: not made yet' }

type ListedNumber = Pick<CellView, 'value' | 'interval'>

type MakeListProps = {
  list: string[]
  /** Whether it was loaded. */
  isKnown: boolean
  cellOf: (smiles: string) => ListedNumber | undefined
  onRemove: (smiles: string) => void
}

export function MakeList({ list, isKnown, cellOf, onRemove }: MakeListProps) {
  const numbered = list.map((smiles) => ({ smiles, cell: cellOf(smiles) }))
  return (
    <section className={`sheet wraps ${classes.panel}`} aria-label="Make list">
      <h2>Make list {isKnown && <span className="quiet">{list.length}</span>}</h2>
      {isKnown && list.length === 0 && (
        <p className="quiet">Empty. Add gaps of the SAR table, suggestions or diverse compounds.</p>
      )}
      <ul className={classes.list}>
        {numbered.map(({ smiles, cell }) => (
          <li key={smiles}>
            <Drawing smiles={smiles} />
            <span>
              {cell?.value == null ? '–' : cell.value.toFixed(1)}
              {cell?.interval && <small>{rangeOf(cell.interval)}</small>}
            </span>
            <UnstyledButton
              aria-label={`Remove ${smiles}`}
              onClick={({ currentTarget }) => {
                focusNeighbour(currentTarget)
                onRemove(smiles)
              }}
            >
              <Icon name="close" />
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {list.length > 0 && (
        <Button variant="default" fullWidth onClick={() => saveList(numbered)}>
          Export list
        </Button>
      )}
    </section>
  )
}

/** Draws a molecule in the orientation of its series; provided by the page. */
export const DrawingContext = createContext<(smiles: string) => ReactNode>(() => null)

export function Drawing({ smiles }: { smiles: string }) {
  return <span className={classes.drawing}>{useContext(DrawingContext)(smiles)}</span>
}

/** SMILES need no quotes in a CSV: they contain neither commas nor quotes. */
function saveList(list: { smiles: string; cell: ListedNumber | undefined }[]): void {
  const lines = list.map(({ smiles, cell }) => {
    const { value, interval } = cell ?? { value: null, interval: null }
    return [smiles, value ?? '', interval?.lower ?? '', interval?.upper ?? ''].join(',')
  })
  const text = ['SMILES,pKd,Lower 95%,Upper 95%', ...lines, ''].join('\r\n')
  saveFile(new Blob([text], { type: 'text/csv' }), 'make-list.csv')
}
