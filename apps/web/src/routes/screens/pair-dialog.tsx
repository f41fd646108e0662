/** One pair of a screen: its prediction in this screen, shown immediately, and the evidence for it. */
import { Box, ColumnGrid, Flex, Stack } from '#web/ui/layout.ts'
import type { Screen, ScreenRow, Target } from '@pkdex/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { PairComments } from '#web/features/comments/comments-button.tsx'
import { CompoundCaption } from '#web/features/files/captions.tsx'
import { compoundQuery, targetQuery } from '#web/features/files/file-lists.ts'
import { Evidence } from '#web/features/evidence/evidence.tsx'
import { pairDetailsQuery, reasonOf } from '#web/features/evidence/evidence-queries.ts'
import { AddValue } from '#web/features/measurements/add-value.tsx'
import { KnownPrediction } from '#web/features/predictions/prediction-panel.tsx'
import { toPrediction } from '#web/features/predictions/prediction-state.ts'
import { Picture } from '#web/features/previews/picture.tsx'
import { useDrawSmiles } from '#web/features/previews/structure.tsx'
import { StructureTab } from '#web/features/previews/structure-dialog.tsx'
import { OwnerOnly } from '#web/lib/viewing.tsx'
import { nameChain } from '#web/lib/chains.ts'
import { capitalise } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import classes from './screens.module.css'
import type { Steps } from './table-view.tsx'

export type OpenPair = {
  screen: string
  /** From 1. */
  row: number
  column: number
  target: string
  chain: string
  compound: string
  /** The SMILES that was predicted; null until it is known. */
  smiles: string | null
  /** The best estimate. */
  pkd: number | null
  /** Why there is no prediction, if known. */
  reason: string | null
  whyNoPose?: string | null | undefined
}

type Props = {
  screen: Screen
  pair: OpenPair
  /** Null if it was not opened from a table. */
  steps: Steps | null
  onStep: (row: ScreenRow, steps: Steps) => void
  onClose: () => void
}

export function PairDialog({ screen, pair, steps, onStep, onClose }: Props) {
  const { target, compound, chain } = pair
  const { data: now } = useQuery(targetQuery(target))
  const drawn = useSameCompound(pair)
  const caption = drawn && <CompoundCaption compound={drawn} />
  const search = new URLSearchParams({ target, compound })
  return (
    <Dialog label={`${compound} on ${target}`} onClose={onClose}>
      <Stack gap="md" w="min(1040px, calc(100vw - 72px))">
        {steps && steps.count > 1 && <Neighbours steps={steps} onStep={onStep} />}
        {now && now.chain !== chain && (
          <Note tone="info" title={capitalise(nameChain(chain))}>
            {`This screen used ${nameChain(chain)} of ${target}, which now uses ${nameChain(now.chain)}.`}
          </Note>
        )}
        <ColumnGrid className={classes.pairBody} template="260px minmax(0, 1fr)" below={860}>
          <div>
            {drawn ? (
              <Picture kind="molecule" name={compound} caption={caption} />
            ) : (
              <PredictedStructure smiles={pair.smiles} />
            )}
            {caption}
            <OwnerOnly>
              {now && drawn && <Link to={`/results?${search}`}>Open full prediction</Link>}
            </OwnerOnly>
          </div>
          <div>
            <Reading pair={pair} now={now} />
            <NoPose pair={pair} />
          </div>
        </ColumnGrid>
        <PairComments screen={screen} place={{ row: pair.row, column: pair.column }} />
      </Stack>
    </Dialog>
  )
}

/** The rows before and after this one, in the order of the table. */
function Neighbours({ steps, onStep }: { steps: Steps; onStep: Props['onStep'] }) {
  const { index, count } = steps
  const step = useMutation({
    mutationFn: async (to: number) => ({ row: await steps.read(to), to }),
    onSuccess: ({ row, to }) => row && onStep(row, { ...steps, index: to }),
  })
  const buttonOf = (label: string, to: number) => (
    <Button
      variant="subtle"
      disabled={to < 0 || to >= count || step.isPending}
      onClick={() => step.mutate(to)}
    >
      {label}
    </Button>
  )
  return (
    <Flex component="nav" wrap="wrap" gap="xs" align="center" pr={56} aria-label="Other rows">
      {buttonOf('Previous', index - 1)}
      <span className="small quiet">{`${(index + 1).toLocaleString('en')} of ${count.toLocaleString('en')}`}</span>
      {buttonOf('Next', index + 1)}
      {step.isError && <output className="small">The row could not be loaded.</output>}
    </Flex>
  )
}

/** The compound that has this name now, if it is still the molecule that was predicted. */
function useSameCompound({ compound, smiles }: OpenPair) {
  const { data } = useQuery(compoundQuery(compound))
  const isSame = [data?.smiles, data?.report.standard_smiles].includes(smiles ?? data?.smiles)
  return isSame ? data : undefined
}

const NO_OTHERS: string[] = []

function PredictedStructure({ smiles }: Pick<OpenPair, 'smiles'>) {
  const draw = useDrawSmiles(NO_OTHERS)
  return <div className={classes.predicted}>{draw?.(smiles ?? '')}</div>
}

/** Why the pose did not move the number, in a screen that uses the structure. */
function NoPose({ pair: { whyNoPose } }: { pair: OpenPair }) {
  return whyNoPose ? (
    <Box className="quiet" component="p" py="sm" px="md">{`No pose: ${whyNoPose}`}</Box>
  ) : null
}

type ReadingProps = { pair: OpenPair; now: Target | undefined }

/** `now`: the target as it is today, if it still exists. */
function Reading({ pair, now }: ReadingProps) {
  const { screen, row, column, target, compound, pkd, reason } = pair
  const drawn = useSameCompound(pair)
  const size = drawn ? { heavyAtoms: drawn.report.heavy_atoms, logP: drawn.log_p } : null
  const read = { compound, query: { screen, row, column }, edition: 'screen' }
  const { data, error } = useQuery(pairDetailsQuery(pkd === null ? null : read))
  if (pkd === null) {
    return (
      <Note tone="info" title="No value">
        {reason ?? 'This pair has no value.'}
      </Note>
    )
  }
  const details = data?.result ?? null
  return (
    <KnownPrediction
      pair={{ target, compound }}
      prediction={toPrediction(pkd, details)}
      size={size}
      addValue={<AddValue pair={{ target, compound }} />}
      evidence={
        error ? (
          <Note tone="info" title="No details">
            {reasonOf(error)}
          </Note>
        ) : (
          <Evidence pair={read} details={details} {...structureOf(pair, now)} />
        )
      }
    />
  )
}

/** The parts that need the structure; empty if the target was deleted. */
function structureOf({ target, compound, chain }: OpenPair, now: Target | undefined) {
  if (now === undefined) return {}
  return { structure: <StructureTab target={now} />, pocket: { target, compound, chain } }
}
