/** The controls above a SAR table: its core, its positions, and the cost of predicting its gaps. */
import { Box, Flex, Stack } from '#web/ui/layout.ts'
import type { SeriesTable } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { creditsQuery } from '#web/features/credits/credits-counter.tsx'
import type { CellView } from '#web/features/series/cells.ts'
import { addressOf } from '#web/features/series/sar-table.tsx'
import { messageOf } from '#web/lib/api.ts'
import { OwnerOnly } from '#web/lib/viewing.tsx'
import { countOf } from '#web/lib/format.ts'
import { Drawing } from '#web/features/series/series-side.tsx'
import { Button, UnstyledButton } from '#web/ui/button.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import { Popover } from '#web/ui/popover.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './series-page.module.css'
import type { usePredictFollowUp } from './use-follow-up.ts'

type ToolsProps = {
  table: SeriesTable
  cells: ReadonlyMap<string, CellView>
  predict: ReturnType<typeof usePredictFollowUp>
  /** Number of compounds, including those outside the table. */
  count: number
  /** Changes parameters of the URL; null removes one. */
  change: (changes: Record<string, string | null>) => void
}

export function Tools({ table, cells, predict, change, count }: ToolsProps) {
  const positions = table.positions.map((label) => ({ value: label, label }))
  return (
    <Flex wrap="wrap" gap="md" align="end" mb="md">
      {table.core && <img src={addressOf(table.core.svg)} alt="Core" width={220} height={157} />}
      <Flex component="dl" wrap="wrap" gap="lg">
        <div>
          <dt className="small">In table</dt>
          <Box component="dd" fz="lg">{`${count - table.left_out.length} of ${count}`}</Box>
        </div>
        <div>
          <dt className="small">Gaps</dt>
          <Box component="dd" fz="lg">
            {table.gaps.length}
          </Box>
        </div>
      </Flex>
      {table.rows && table.columns && positions.length > 2 && (
        <>
          <Select
            label="Rows"
            value={table.rows.label}
            options={positions.filter(({ value }) => value !== table.columns?.label)}
            onChange={(rows) => change({ rows, columns: table.columns?.label ?? null })}
          />
          <Select
            label="Columns"
            value={table.columns.label}
            options={positions.filter(({ value }) => value !== table.rows?.label)}
            onChange={(columns) => change({ columns, rows: table.rows?.label ?? null })}
          />
        </>
      )}
      <CoreChoice table={table} onChange={(core) => change({ core, rows: null, columns: null })} />
      <OwnerOnly>
        <PredictGaps cells={cells} predict={predict} />
      </OwnerOnly>
    </Flex>
  )
}

const CoreForm = lazy(() =>
  import('#web/features/files/core-form.tsx').then(
    (loaded) => ({ default: loaded.CoreForm }),
    () => ({ default: NotLoaded }),
  ),
)

function NotLoaded() {
  return <Note tone="failure">The editor could not be loaded. Reload the page.</Note>
}

function CoreChoice({
  table: { cores, core },
  onChange,
}: {
  table: SeriesTable
  onChange: (smiles: string) => void
}) {
  const [isOpen, setIsOpen] = useState(false)
  const used = core?.smiles ?? ''
  return (
    <>
      {cores.some(({ smiles }) => smiles !== used) && (
        <Popover label="Other core" isMenu>
          <Box component="ul" className={classes.cores} w="min(280px, calc(100vw - 80px))">
            {cores.map(({ smiles, atoms, compounds }) => (
              <li key={smiles}>
                <UnstyledButton aria-pressed={smiles === used} onClick={() => onChange(smiles)}>
                  <Drawing smiles={smiles} />
                  {`${atoms} atoms, ${compounds} compounds`}
                </UnstyledButton>
              </li>
            ))}
          </Box>
        </Popover>
      )}
      <Button variant="default" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {used === '' ? 'Draw a core' : 'Edit core'}
      </Button>
      {isOpen && (
        <Dialog label="Edit core" width={720} onClose={() => setIsOpen(false)}>
          <Suspense fallback={<Spinner text="Loading" />}>
            <CoreForm
              smiles={used}
              onUse={(smiles) => {
                setIsOpen(false)
                onChange(smiles)
              }}
            />
          </Suspense>
        </Dialog>
      )}
    </>
  )
}

function gapsOf(cells: ReadonlyMap<string, CellView>): CellView[] {
  return [...cells.values()].filter(({ kind }) => kind === 'gap')
}

type PredictGapsProps = {
  cells: ReadonlyMap<string, CellView>
  predict: ReturnType<typeof usePredictFollowUp>
}

/** The button shows the cost. */
function PredictGaps({ cells, predict }: PredictGapsProps) {
  const credits = useQuery(creditsQuery()).data
  const open = gapsOf(cells).filter(({ value }) => value === null)
  const count = open.length
  const price = credits?.credits_per_prediction
  const cost = price === undefined ? '' : ` · up to ${countOf(count * price, 'credit')}`
  return (
    <Stack className="wraps" gap="xs" maw="100%">
      {count > 0 && (
        <Button
          loading={predict.isPending}
          onClick={() => predict.mutate(open.map(({ smiles }) => smiles))}
        >
          {`Predict ${count} ${count === 1 ? 'gap' : 'gaps'}${cost}`}
        </Button>
      )}
      {predict.error && (
        <Note tone="failure">{messageOf(predict.error, 'The server is not responding.')}</Note>
      )}
    </Stack>
  )
}

export function LeftOut({ names }: { names: string[] }) {
  if (names.length === 0) return null
  return (
    <Box className="breaks" component="details" mt="md">
      <summary>{`Not in the table: ${names.length}`}</summary>
      <p>{names.join(', ')}</p>
    </Box>
  )
}
