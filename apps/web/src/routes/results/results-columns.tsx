/** The two sides of the results page: the targets and the compounds, each with the picture and facts of the selected one. */
import { type Compound, messages, type Target } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { CompoundCaption, TargetCaption } from '#web/features/files/captions.tsx'
import { ChainChoice } from '#web/features/files/chain-choice.tsx'
import { compoundQuery, targetQuery } from '#web/features/files/file-lists.ts'
import { RenameAndDelete } from '#web/features/files/rename-delete.tsx'
import { useStructureSearch } from '#web/features/files/structure-search.tsx'
import {
  SaveShortlist,
  type Shortlist,
  StarButton,
  useShortlist,
} from '#web/features/files/shortlist.tsx'
import { formatPkd } from '#web/lib/affinity.ts'
import { knownQuery } from '#web/features/predictions/prediction-queries.ts'
import { RankingLines } from '#web/features/measurements/ranking-lines.tsx'
import { EmptyPicture } from '#web/features/previews/picture.tsx'
import {
  StructureSwitch,
  useDrawCompound,
  useDrawSmiles,
} from '#web/features/previews/structure.tsx'
import { StructureDialog } from '#web/features/previews/structure-dialog.tsx'
import { useCompoundSelection } from './compound-selection.tsx'
import { Button } from '#web/ui/button.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { CompoundLook } from './compound-look.tsx'
import { PredictAll } from './predict-all.tsx'
import type { RankedItem } from './list-tools.tsx'
import { ResultsColumn, SelectedPicture } from './results-column.tsx'
import classes from './results-columns.module.css'

/** Number of targets from which the list has a search. */
const TARGET_TOOLS_FROM = 6

/** The part of a query that a column uses. */
type List<Data> = { data: Data | undefined; isError: boolean }

type TargetColumnProps = {
  list: List<{ protein_names: string[]; residues: number[] }>
  selectedName: string | null
  onSelect: (name: string | null) => void
  /** The selected target was renamed. */
  onRenamed: (name: string) => void
  /** The selected target now uses another chain. */
  onChainChosen: (target: Target) => void
}

export function TargetColumn({ list, selectedName, onSelect, ...props }: TargetColumnProps) {
  const { onRenamed, onChainChosen } = props
  const { data } = list
  const items = useMemo(() => data?.protein_names.map(targetItemOf(data.residues)), [data])
  const { data: target } = useQuery(targetQuery(selectedName))
  const facts = target && <TargetCaption target={target} />
  const chainChoice = target && (
    <ChainChoice key={`${target.name} ${target.chain}`} target={target} onChosen={onChainChosen} />
  )
  return (
    <ResultsColumn
      title="Target"
      plural="Targets"
      emptyText={messages.results.noTargets}
      items={items}
      rank="Longest first"
      hasTools={items !== undefined && items.length >= TARGET_TOOLS_FROM}
      hasFailed={list.isError}
      selectedName={selectedName}
      onSelect={onSelect}
      picture={
        target?.report.has_coordinates === false ? (
          <EmptyPicture>Sequence only, no structure</EmptyPicture>
        ) : (
          <SelectedPicture kind="protein" name={selectedName} caption={facts} />
        )
      }
      facts={facts}
      actions={
        target && (
          <>
            <StructureDialog key={target.name} target={target}>
              {chainChoice}
            </StructureDialog>
            <RenameAndDelete
              kind="target"
              name={target.name}
              onRenamed={onRenamed}
              onDeleted={() => onSelect(null)}
            />
            {chainChoice}
          </>
        )
      }
    >
      {selectedName !== null && (
        <div className={classes.ranking}>
          <RankingLines targets={[selectedName]} />
        </div>
      )}
    </ResultsColumn>
  )
}

function targetItemOf(residues: number[]) {
  return (name: string, index: number) => {
    const count = residues[index]
    return count === undefined
      ? { id: index + 1, name, detail: '' }
      : { id: index + 1, name, detail: `${count} aa`, rank: count }
  }
}

type CompoundColumnProps = {
  list: List<{ compound_names: string[]; masses: number[]; starred: string[] }>
  /** The target of the predictions in the list. */
  target: string | null
  selectedName: string | null
  onSelect: (name: string | null) => void
  onRenamed: (name: string) => void
  onBalanceChange: () => void
}

export function CompoundColumn({ list, target, selectedName, ...props }: CompoundColumnProps) {
  const { onSelect, onRenamed, onBalanceChange } = props
  const { data } = list
  const { known, pkds, measured } = useKnown(target)
  const shortlist = useShortlist()
  const items = useMemo(
    () => data?.compound_names.map(compoundItemOf({ ...data, pkds, measured })),
    [data, pkds, measured],
  )
  const { found, order, draw, controls } = useSearched(items)
  const selecting = useCompoundSelection({ target, shortlist, pkds, measured })
  const hasTools = mayHaveCompounds(list)
  const { data: compound } = useQuery(compoundQuery(selectedName))
  const [looked, setLooked] = useState<string | null>(null)
  const facts = compound && <CompoundCaption compound={compound} />
  return (
    <ResultsColumn
      title="Compound"
      plural="Compounds"
      emptyText={messages.results.noCompounds}
      items={found}
      order={order}
      draw={draw}
      hasTools={hasTools}
      above={hasTools && controls}
      ticked={selecting.ticked}
      rank="pKd, highest first"
      hasFailed={list.isError}
      selectedName={selectedName}
      onSelect={onSelect}
      onLook={setLooked}
      onStar={shortlist.toggle}
      picture={<SelectedPicture kind="molecule" name={selectedName} caption={facts} />}
      facts={facts}
      actions={
        compound && (
          <CompoundActions
            key={compound.name}
            {...{ compound, target, shortlist, onRenamed, onSelect, onBalanceChange }}
          />
        )
      }
    >
      {/* Not before the actions of the selected one, which would move it. */}
      {hasTools && (selectedName === null || compound !== undefined) && selecting.button}
      {selecting.bar}
      {shortlist.failure && <p role="alert">{shortlist.failure}</p>}
      <SaveShortlist count={shortlist.starred.size} />
      {target !== null && known !== undefined && pkds.size + known.to_predict > 1 && (
        <PredictAll
          key={target}
          target={target}
          creditsNeeded={known.credits_needed}
          onBalanceChange={onBalanceChange}
        />
      )}
      {/* The selected one is shown above the list already. */}
      <CompoundLook
        name={looked === selectedName ? null : looked}
        pkd={looked === null ? undefined : pkds.get(looked)}
      />
    </ResultsColumn>
  )
}

/** True while the list loads, so that it does not move when it appears. */
function mayHaveCompounds({ data, isError }: CompoundColumnProps['list']): boolean {
  return data === undefined ? !isError : data.compound_names.length > 0
}

type CompoundActionsProps = Pick<
  CompoundColumnProps,
  'target' | 'onSelect' | 'onRenamed' | 'onBalanceChange'
> & { shortlist: Shortlist; compound: Compound }

const EditCompound = lazy(() =>
  import('./edit-compound.tsx').then(
    (loaded) => ({ default: loaded.EditCompound }),
    () => ({ default: EditorNotLoaded }),
  ),
)

function EditorNotLoaded() {
  return <Note tone="failure">The editor could not be loaded. Reload the page.</Note>
}

function CompoundActions({ shortlist, compound, onSelect, ...props }: CompoundActionsProps) {
  const { target, onRenamed, onBalanceChange } = props
  const { name } = compound
  const [isEditing, setIsEditing] = useState(false)
  return (
    <>
      <StarButton shortlist={shortlist} name={name} />
      <Button
        variant="subtle"
        color="gray"
        aria-haspopup="dialog"
        onClick={() => setIsEditing(true)}
      >
        Edit
      </Button>
      {isEditing && (
        <Dialog label={`Edit ${name}`} width={720} onClose={() => setIsEditing(false)}>
          <Suspense fallback={<Spinner text="Loading" />}>
            <EditCompound
              {...{ compound, target, onBalanceChange }}
              onStored={(stored, isKnown) => {
                setIsEditing(false)
                // Selecting another pair would cost a credit.
                if (isKnown) onSelect(stored)
              }}
            />
          </Suspense>
        </Dialog>
      )}
      <RenameAndDelete
        kind="compound"
        name={name}
        onRenamed={onRenamed}
        onDeleted={() => onSelect(null)}
      />
    </>
  )
}

/** The compounds found by a structure search, their structures, and the controls of both. */
function useSearched(items: readonly RankedItem[] | undefined) {
  const drawQuery = useDrawSmiles(NONE)
  const { isOn, similarities, control } = useStructureSearch(
    (smiles) => drawQuery?.(smiles) ?? <span className="mono small">{smiles}</span>,
  )
  const found = useMemo(
    () => (isOn ? narrow(items, similarities) : items),
    [items, isOn, similarities],
  )
  const draw = useDrawCompound(useNames(found))
  const controls = (
    <div className={classes.above}>
      {control}
      <StructureSwitch />
    </div>
  )
  const order = isOn ? 'Most similar first' : undefined
  return { found, order, draw: draw ?? undefined, controls }
}

/** The compounds that were found, most similar first; undefined during the search. */
function narrow(
  items: readonly RankedItem[] | undefined,
  similarities: ReadonlyMap<string, number> | null,
): readonly RankedItem[] | undefined {
  if (items === undefined || similarities === null) return undefined
  const byName = new Map(items.map((item) => [item.name, item]))
  return [...similarities].flatMap(([name, similarity]) => {
    const item = byName.get(name)
    return item === undefined ? [] : { ...item, similarity: similarity.toFixed(2) }
  })
}

const NONE: readonly string[] = []

/** The same array until a name changes, so that structures keep their orientation. */
function useNames(items: readonly RankedItem[] | undefined): readonly string[] {
  const names = items?.map(({ name }) => name) ?? NONE
  const [stable, setStable] = useState(names)
  const isSame = stable.length === names.length && stable.every((name, at) => name === names[at])
  if (!isSame) setStable(names)
  return isSame ? stable : names
}

/** Existing predictions on the target, on the chain that it uses now. */
function useKnown(target: string | null) {
  const { data: read } = useQuery(targetQuery(target))
  const { data: known } = useQuery(knownQuery(target, read?.chain ?? null))
  const pkds = useMemo(
    () => new Map(known?.known.map((pair) => [pair.compound_id, pair.best_kd])),
    [known],
  )
  const measured = useMemo(
    () => new Map(known?.known.map((pair) => [pair.compound_id, pair.measured_pk])),
    [known],
  )
  return { known, pkds, measured }
}

type CompoundFacts = {
  masses: number[]
  starred: string[]
  pkds: Map<string, number>
  measured: Map<string, number | null | undefined>
}

function compoundItemOf({ masses, starred, pkds, measured }: CompoundFacts) {
  const isStarred = new Set(starred)
  return (name: string, index: number) => {
    const mass = masses[index]
    const pkd = pkds.get(name)
    const item = {
      id: index + 1,
      name,
      detail: mass === undefined ? '' : `${mass.toFixed(1)} g/mol`,
      isStarred: isStarred.has(name),
    }
    const own = measured.get(name)
    const known = own == null ? item : { ...item, measured: own.toFixed(2) }
    return pkd === undefined ? item : { ...known, value: `pKd ${formatPkd(pkd)}`, rank: pkd }
  }
}
