/**
 * A long list of which many can be chosen. Arrows, Home, End and the pages move, Space and a click choose;
 * a search narrows what is shown, and "Select all" takes what is shown.
 */
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { BreakableName } from '#web/ui/breakable-name.tsx'
import { Button } from '#web/ui/button.ts'
import { largeCountOf } from '#web/lib/format.ts'
import { Select } from '#web/ui/field.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import classes from './pick-list.module.css'
import { listFiles, type OriginFile } from './origin-files.ts'
import { revealRow, textScale, useRowWindow } from './use-row-window.ts'

const ROW_PX = 44
/** With a structure in it. */
const DRAWN_ROW_PX = 60

type Props = {
  title: string
  /** One of them, for counts. */
  noun: string
  names: readonly string[]
  /** Where the names came from: of several files each can be chosen whole. */
  files: readonly OriginFile[]
  chosen: ReadonlySet<string>
  onChoose: (chosen: Set<string>) => void
  /** The structure beside a name. */
  draw?: ((name: string) => ReactNode) | null
}

export function PickList({ title, noun, names, files, chosen, onChoose, draw = null }: Props) {
  const headingId = useId()
  const [search, setSearch] = useState('')
  const [isByFile, setIsByFile] = useState(false)
  const list = isByFile ? listFiles(files, chosen, onChoose) : { names, chosen, onChoose }
  const shown = useShown(list.names, search)
  return (
    <section className={`sheet ${classes.sheet}`} aria-labelledby={headingId}>
      <div className={classes.head}>
        <h2 id={headingId}>{title}</h2>
        <span className="quiet small">
          {chosen.size.toLocaleString('en')} of {largeCountOf(names.length, noun)}
        </span>
      </div>
      <div className={classes.bar}>
        {files.length > 1 && (
          <Select
            label={`Select ${noun}s by`}
            isLabelHidden
            value={isByFile ? 'file' : 'name'}
            options={WAYS}
            onChange={(way) => setIsByFile(way === 'file')}
          />
        )}
        <SearchField
          label={isByFile ? `Search files of ${noun}s` : `Search ${noun}s`}
          search={search}
          charactersMax={320}
          onSearch={setSearch}
        />
        <AllButton {...list} names={shown} isSearched={search.trim() !== ''} />
      </div>
      {shown.length === 0 ? (
        <p className="quiet small">No matches for “{search}”.</p>
      ) : (
        <Rows
          {...list}
          label={isByFile ? `Files of ${noun}s` : title}
          names={shown}
          draw={isByFile ? null : draw}
        />
      )}
    </section>
  )
}

const WAYS = [
  { value: 'name', label: 'By name' },
  { value: 'file', label: 'By file' },
] as const

function useShown(names: readonly string[], search: string): readonly string[] {
  const wanted = search.trim().toLowerCase()
  return useMemo(
    () => (wanted === '' ? names : names.filter((name) => name.toLowerCase().includes(wanted))),
    [names, wanted],
  )
}

type AllButtonProps = Pick<Props, 'names' | 'chosen' | 'onChoose'> & { isSearched: boolean }

/** Of those that are shown. */
function AllButton({ names, chosen, onChoose, isSearched }: AllButtonProps) {
  const isAll = names.length > 0 && names.every((name) => chosen.has(name))

  function toggleAll() {
    const next = new Set(chosen)
    for (const name of names) {
      if (isAll) next.delete(name)
      else next.add(name)
    }
    onChoose(next)
  }

  return (
    <Button variant="subtle" disabled={names.length === 0} onClick={toggleAll}>
      {isAll ? 'Clear selection' : 'Select all'}
      {isSearched && ` ${names.length.toLocaleString('en')} found`}
    </Button>
  )
}

type Draw = NonNullable<Props['draw']> | null
type RowsProps = Pick<Props, 'names' | 'chosen' | 'onChoose'> & { label: string; draw: Draw }

function Rows({ label, names, chosen, onChoose, draw }: RowsProps) {
  const rowHeight = (draw ? DRAWN_ROW_PX : ROW_PX) * textScale()
  const prefix = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(0)
  const { first, last, before, after } = useRowWindow({
    scroller,
    count: names.length,
    rowHeight,
  })
  const current = Math.min(active, names.length - 1)

  function toggle(index: number) {
    const name = names[index]
    if (name === undefined) return
    setActive(index)
    const next = new Set(chosen)
    if (!next.delete(name)) next.add(name)
    onChoose(next)
  }

  function handleKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const next = stepByKey(event.key, current, names.length - 1)
    if (next !== null) {
      setActive(next)
      revealRow(scroller.current, { index: next, count: names.length, rowHeight })
    } else if (event.key === ' ' || event.key === 'Enter') toggle(current)
    else return
    event.preventDefault()
  }

  return (
    <div
      ref={scroller}
      className={classes.list}
      style={{ '--row': `${rowHeight}px` } as CSSProperties}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native select cannot hold thousands
      role="listbox"
      aria-multiselectable="true"
      aria-label={label}
      aria-activedescendant={`${prefix}-${current}`}
      tabIndex={0}
      onKeyDown={handleKey}
    >
      <div style={{ height: before }} />
      {names.slice(first, last).map((name, step) => (
        <Option
          key={name}
          id={`${prefix}-${first + step}`}
          name={name}
          place={first + step + 1}
          size={names.length}
          isChosen={chosen.has(name)}
          isActive={first + step === current}
          onToggle={() => toggle(first + step)}
        >
          {draw?.(name)}
        </Option>
      ))}
      <div style={{ height: after }} />
    </div>
  )
}

type OptionProps = {
  id: string
  name: string
  /** Place in the list, from 1, and how long that is: not all of it is drawn. */
  place: number
  size: number
  isChosen: boolean
  isActive: boolean
  onToggle: () => void
  children: ReactNode
}

function Option({ id, name, place, size, isChosen, isActive, onToggle, children }: OptionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the list has the keys and the focus
    <div
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- belongs to the listbox above
      role="option"
      className={classes.option}
      aria-selected={isChosen}
      aria-posinset={place}
      aria-setsize={size}
      data-active={isActive || undefined}
      data-drawn={children ? true : undefined}
      title={name}
      onClick={onToggle}
    >
      {children && <div className={classes.structure}>{children}</div>}
      <span>
        <BreakableName name={name} />
      </span>
    </div>
  )
}

function stepByKey(key: string, from: number, last: number): number | null {
  const steps: Record<string, number> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + 6,
    PageUp: from - 6,
    Home: 0,
    End: last,
  }
  const next = steps[key]
  return next === undefined ? null : Math.min(last, Math.max(0, next))
}
