/** The two sides of the results page: the targets and the compounds, each with the picture and facts of the selected one. */
import { messages, type Target } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { CompoundCaption, TargetCaption } from '#web/features/files/captions.tsx'
import { ChainChoice } from '#web/features/files/chain-choice.tsx'
import { compoundQuery, targetQuery } from '#web/features/files/file-lists.ts'
import { formatPkd } from '#web/lib/affinity.ts'
import { knownQuery } from '#web/features/predictions/prediction-queries.ts'
import { EmptyPicture, Picture } from '#web/features/previews/picture.tsx'
import { StructureDialog } from '#web/features/previews/structure-dialog.tsx'
import { largeCountOf } from '#web/lib/format.ts'
import { Listbox, type ListItem } from '#web/ui/listbox.tsx'
import { CompoundLook } from './compound-look.tsx'
import { type RankedItem, useListTools } from './list-tools.tsx'
import { PredictAll } from './predict-all.tsx'
import classes from './results-columns.module.css'

/** What a column needs to know of its query. */
type List<Data> = { data: Data | undefined; isError: boolean }

type Props = {
  title: 'Target' | 'Compound'
  /** Name of the list for a screen reader. */
  plural: 'Targets' | 'Compounds'
  emptyText: string
  /** Undefined while the list loads, and when it could not be loaded. */
  items: readonly RankedItem[] | undefined
  /** What the list can be put in order by, besides its names. */
  rank: string
  hasFailed: boolean
  selectedName: string | null
  onSelect: (name: string | null) => void
  onLook?: (name: string | null) => void
  picture: ReactNode
  caption: ReactNode
  /** Under the list. */
  children?: ReactNode
}

/** One side: picture and facts of the selected item, and the list to select from. */
function ResultsColumn({ title, plural, picture, caption, items, rank, children, ...list }: Props) {
  const headingId = useId()
  const { shown, search, tools } = useListTools(items, { plural, rank })
  return (
    <section className={classes.column} aria-labelledby={headingId}>
      <header>
        <h2 id={headingId}>{title}</h2>
        <span className="faint small">{items && countItems(items.length, title)}</span>
      </header>
      {picture}
      <div className={classes.caption}>{caption ?? <SelectHint {...list} title={title} />}</div>
      <div className={classes.list}>
        {tools}
        {shown ? (
          <Names {...list} plural={plural} items={shown} search={search} />
        ) : (
          <NamesToCome {...list} plural={plural} />
        )}
        {children}
      </div>
    </section>
  )
}

function SelectHint({ title, selectedName }: Pick<Props, 'title' | 'selectedName'>) {
  if (selectedName !== null) return <b>{selectedName}</b>
  return <p className="faint small">Select a {title.toLowerCase()} from the list.</p>
}

type NamesProps = Pick<Props, 'plural' | 'emptyText' | 'selectedName' | 'onSelect' | 'onLook'> & {
  items: readonly ListItem[]
  search: string
}

function Names({ plural, emptyText, items, search, selectedName, ...actions }: NamesProps) {
  const { onSelect, onLook } = actions
  const nameOf = (id: number | null) => items.find((item) => item.id === id)?.name ?? null
  if (items.length === 0 && search !== '') {
    return <output className={classes.none}>No name holds “{search}”.</output>
  }
  if (items.length === 0) {
    return (
      <div className={classes.none}>
        <p>{emptyText}</p>
        <Link to="/prompt">Upload files</Link>
      </div>
    )
  }
  return (
    <Listbox
      label={plural}
      items={items}
      selectedId={items.find(({ name }) => name === selectedName)?.id ?? null}
      onSelect={(id) => onSelect(nameOf(id))}
      onLook={(id) => onLook?.(nameOf(id))}
    />
  )
}

/** A failed list is explained by the banner, where its Retry is. */
function NamesToCome({ plural, hasFailed }: Pick<Props, 'plural' | 'hasFailed'>) {
  if (hasFailed) return <p className={classes.none}>The list could not be loaded.</p>
  return (
    <div className={classes.waiting} aria-busy="true">
      <span className="visually-hidden">Loading {plural.toLowerCase()}</span>
      {[72, 48, 64, 56].map((width) => (
        <span key={width} className={classes.bar} style={{ width: `${width}%` }} />
      ))}
    </div>
  )
}

function countItems(count: number, title: Props['title']): string {
  return largeCountOf(count, title.toLowerCase())
}

type TargetColumnProps = {
  list: List<{ protein_names: string[]; residues: number[] }>
  selectedName: string | null
  onSelect: (name: string | null) => void
  /** Another chain of the selected target is used from now on. */
  onChainChosen: (target: Target) => void
}

export function TargetColumn({ list, selectedName, onSelect, onChainChosen }: TargetColumnProps) {
  const { data } = list
  const items = useMemo(() => data?.protein_names.map(targetItemOf(data.residues)), [data])
  const { data: target } = useQuery(targetQuery(selectedName))
  const caption = target && <TargetCaption target={target} />
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
      hasFailed={list.isError}
      selectedName={selectedName}
      onSelect={onSelect}
      picture={
        selectedName === null ? (
          <EmptyPicture>
            No target selected.
            <br />
            Its picture appears here.
          </EmptyPicture>
        ) : (
          <Picture kind="protein" name={selectedName} caption={caption} />
        )
      }
      caption={
        target && (
          <>
            {caption}
            <StructureDialog key={target.name} target={target}>
              {chainChoice}
            </StructureDialog>
            {chainChoice}
          </>
        )
      }
    />
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
  list: List<{ compound_names: string[]; masses: number[] }>
  /** The target that the numbers in the list are for. */
  target: string | null
  selectedName: string | null
  onSelect: (name: string | null) => void
  onBalanceChange: () => void
}

export function CompoundColumn({ list, target, ...props }: CompoundColumnProps) {
  const { selectedName, onSelect, onBalanceChange } = props
  const { data } = list
  const known = useKnown(target)
  const pkds = useMemo(
    () => new Map(known?.known.map((pair) => [pair.compound_id, pair.predicted_kd])),
    [known],
  )
  const items = useMemo(
    () => data?.compound_names.map(compoundItemOf(data.masses, pkds)),
    [data, pkds],
  )
  const { data: compound } = useQuery(compoundQuery(selectedName))
  const [looked, setLooked] = useState<string | null>(null)
  const caption = compound && <CompoundCaption compound={compound} />
  return (
    <ResultsColumn
      title="Compound"
      plural="Compounds"
      emptyText={messages.results.noCompounds}
      items={items}
      rank="pKd, highest first"
      hasFailed={list.isError}
      selectedName={selectedName}
      onSelect={onSelect}
      onLook={setLooked}
      picture={
        selectedName === null ? (
          <EmptyPicture>
            No compound selected.
            <br />
            Its structure appears here.
          </EmptyPicture>
        ) : (
          <Picture kind="molecule" name={selectedName} caption={caption} />
        )
      }
      caption={caption}
    >
      {target !== null && known !== undefined && pkds.size + known.to_predict > 1 && (
        <PredictAll
          target={target}
          creditsNeeded={known.credits_needed}
          onBalanceChange={onBalanceChange}
        />
      )}
      {/* The selected one stands above the list already. */}
      <CompoundLook
        name={looked === selectedName ? null : looked}
        pkd={looked === null ? undefined : pkds.get(looked)}
      />
    </ResultsColumn>
  )
}

/** What is known on the target, on the chain that it uses now. */
function useKnown(target: string | null) {
  const { data: read } = useQuery(targetQuery(target))
  return useQuery(knownQuery(target, read?.chain ?? null)).data
}

function compoundItemOf(masses: number[], pkds: Map<string, number>) {
  return (name: string, index: number) => {
    const mass = masses[index]
    const pkd = pkds.get(name)
    const item = {
      id: index + 1,
      name,
      detail: mass === undefined ? '' : `${mass.toFixed(1)} g/mol`,
    }
    return pkd === undefined ? item : { ...item, value: `pKd ${formatPkd(pkd)}`, rank: pkd }
  }
}
