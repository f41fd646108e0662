/**
 * A list of which one item, or several, can be selected. Arrows, Home, End, Page Up, Page Down and letters move;
 * only Enter, Space and a click select, because selecting may cost credits. Selecting an item again deselects it.
 */
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  type RefObject,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import styles from './listbox.module.css'
import { BreakableName } from './breakable-name.tsx'
import { MeasuredMark } from './measured-mark.tsx'
import { StarIcon } from './icon.tsx'
import { revealRow, useRowWindow, type windowOf } from './row-window.ts'
import { useTypeAhead } from './type-ahead.ts'

const PAGE_ITEMS = 5

/** `id` is the position in the list as uploaded, from 1; the items may be shown in another order. */
export type ListItem = {
  id: number
  name: string
  detail: string
  /** An existing prediction, for example; highlighted, in place of the detail. */
  value?: string
  /** A measured value; shown before the value. */
  measured?: string
  /** Similarity to the searched structure; shown before the value, or in place of the detail. */
  similarity?: string
  /** Whether its star is filled; undefined if the list has no stars. */
  isStarred?: boolean
}

type ListboxProps = {
  label: string
  /** At least one: an empty list is shown as a sentence, not as a listbox. */
  items: readonly ListItem[]
  /** Ids of the selected items. */
  selected: ReadonlySet<number>
  /** Several can be selected. */
  isMultiple?: boolean
  onToggle: (id: number) => void
  /** The item under the pointer or keyboard focus; null when left. */
  onLook?: (id: number | null) => void
  /** The star of an item was clicked, or `*` pressed on it. */
  onStar?: ((id: number) => void) | undefined
  /** Draws an item by its name; rows are higher then. Must keep its identity while nothing changes. */
  draw?: Draw | undefined
}

type Draw = (name: string) => ReactNode

export function Listbox({ label, items, selected, draw, ...props }: ListboxProps) {
  const { isMultiple = false, onToggle } = props
  const prefix = useId()
  const list = useRef<HTMLDivElement>(null)
  const typeAhead = useTypeAhead(items)
  const [active, setActive] = useState<number | null>(null)
  const start = isMultiple ? null : firstOf(items, selected)
  const current = active !== null && active < items.length ? active : start
  const { rows, reveal } = useRows(list, { count: items.length, start, hasStructures: !!draw })

  const idAt = (index: number | null) => (index === null ? null : (items[index]?.id ?? null))
  const look = (index: number | null) => props.onLook?.(idAt(index))

  function moveTo(index: number | null) {
    if (index === null) return
    setActive(index)
    reveal(index)
    look(index)
  }

  function toggle(index: number | null) {
    const id = idAt(index)
    if (id === null) return
    setActive(index)
    onToggle(id)
  }

  function star(index: number | null) {
    const id = idAt(index)
    if (id !== null) props.onStar?.(id)
  }

  function handleKey(event: KeyboardEvent) {
    if (isShortcut(event)) return
    if (event.key === 'Escape') return look(null)
    if (event.key === '*' && props.onStar) return star(current)
    const target = moveByKey(event.key, current, items.length)
    if (target !== null) moveTo(target)
    else if (typeAhead.isLetter(event)) moveTo(typeAhead.find(event, current))
    else if (event.key !== 'Enter' && event.key !== ' ') return
    // A key that is held down counts once.
    else if (!event.repeat) toggle(current)
    event.preventDefault()
  }

  return (
    <div
      ref={list}
      className={`${styles.list} ${draw ? styles.drawn : ''} ${isMultiple ? styles.multiple : ''}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native select chooses on arrows
      role="listbox"
      tabIndex={0}
      aria-multiselectable={isMultiple || undefined}
      aria-label={label}
      aria-activedescendant={current === null ? undefined : optionId(prefix, current)}
      onKeyDown={handleKey}
      onClick={(event) => (isOnStar(event) ? star(indexAt(event)) : toggle(indexAt(event)))}
      onPointerOver={(event) => event.pointerType !== 'touch' && look(indexAt(event))}
      onPointerLeave={() => look(null)}
      onFocus={() => setActive((index) => index ?? start ?? 0)}
      onBlur={() => look(null)}
    >
      <Rows {...{ items, rows, prefix, current, selected, draw }} />
    </div>
  )
}

function firstOf(items: readonly ListItem[], selected: ReadonlySet<number>): number | null {
  const place = items.findIndex(({ id }) => selected.has(id))
  return place < 0 ? null : place
}

type RowsProps = {
  items: readonly ListItem[]
  rows: ReturnType<typeof windowOf>
  prefix: string
  current: number | null
  selected: ReadonlySet<number>
  draw: Draw | undefined
}

/** The visible rows, with spacers in place of the others. */
function Rows({ items, rows, prefix, current, selected, draw }: RowsProps) {
  const { first, last, before, after } = rows
  return (
    <>
      <div role="presentation" style={{ height: before }} />
      {items.slice(first, last).map((item, row) => (
        <Option
          key={item.id}
          item={item}
          draw={draw}
          domId={optionId(prefix, first + row)}
          place={first + row + 1}
          size={items.length}
          isActive={first + row === current}
          isSelected={selected.has(item.id)}
        />
      ))}
      <div role="presentation" style={{ height: after }} />
    </>
  )
}

/** The option under the pointer. The second half of a double click does not count: it would deselect. */
function indexAt({ target, detail }: MouseEvent): number | null {
  if (detail > 1) return null
  const option = target instanceof Element ? target.closest('[role=option]') : null
  return option ? Number(option.getAttribute('aria-posinset')) - 1 : null
}

function isShortcut({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey
}

function isOnStar({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest('[data-star]') !== null
}

type OptionProps = {
  item: ListItem
  draw: Draw | undefined
  domId: string
  /** Position in the displayed list, from 1. */
  place: number
  size: number
  isActive: boolean
  isSelected: boolean
}

/** Memoised, so that a step renders two rows and not all of them. */
const Option = memo(function Option({ item, draw, domId, place, size, ...state }: OptionProps) {
  return (
    <div
      id={domId}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- belongs to the listbox above
      role="option"
      className={styles.option}
      aria-selected={state.isSelected}
      aria-posinset={place}
      aria-setsize={size}
      data-active={state.isActive || undefined}
    >
      <span className={styles.name} title={item.name}>
        <BreakableName name={item.name} />
      </span>
      {draw && <span className={styles.drawing}>{draw(item.name)}</span>}
      {item.similarity !== undefined && (
        <small>
          <span className="visually-hidden">similarity </span>
          {item.similarity}
        </small>
      )}
      <Known {...item} />
      {item.isStarred !== undefined && (
        <span className={styles.star} data-star={item.isStarred}>
          <StarIcon />
          {item.isStarred && <span className="visually-hidden">starred</span>}
        </span>
      )}
    </div>
  )
})

function Known({ value, measured, detail, similarity }: ListItem) {
  if (value === undefined) {
    return similarity === undefined && detail !== '' && <small>{detail}</small>
  }
  return (
    <b>
      {measured !== undefined && <MeasuredMark>{measured}</MeasuredMark>}
      {value.startsWith(PKD) ? (
        <>
          <span className="visually-hidden">{PKD}</span>
          {value.slice(PKD.length)}
        </>
      ) : (
        value
      )}
    </b>
  )
}

/** Every value of the list is one: the unit is for those who do not see the column. */
const PKD = 'pKd '

function optionId(prefix: string, index: number): string {
  return `${prefix}-${index}`
}

/** Heights of a row until it is laid out; in unit tests it never is. */
const ROW_PX = 44
const DRAWN_ROW_PX = 64
/** Up to this many, all rows are drawn; fewer with structures, because each one is a request. */
const ALL_ROWS_MAX = 100
const DRAWN_ROWS_MAX = 30
/** The list's padding keeps the first and last item clear of the rounded corners. */
const EDGE_PX = 4

type Shape = { count: number; hasStructures: boolean; start: number | null }

/** Which rows are drawn, and `reveal`, which scrolls the list, and not the page, to a row. It starts at `start`. */
function useRows(list: RefObject<HTMLDivElement | null>, shape: Shape) {
  const { count, hasStructures, start } = shape
  const rowHeight = rowHeightOf(list.current, hasStructures)
  const view = useRowWindow({ scroller: list, count, rowHeight })
  const reveal = (index: number) => {
    const row = rowHeightOf(list.current, hasStructures)
    revealRow(list.current, { index, count, rowHeight: row, edge: EDGE_PX })
  }
  const revealStart = useEffectEvent(() => start !== null && reveal(start))
  useLayoutEffect(() => void revealStart(), [start])
  const isWhole = count <= (hasStructures ? DRAWN_ROWS_MAX : ALL_ROWS_MAX)
  return {
    rows: isWhole ? { first: 0, last: count, before: 0, after: 0 } : view,
    reveal,
  }
}

function rowHeightOf(list: HTMLElement | null, hasStructures: boolean): number {
  const usual = hasStructures ? DRAWN_ROW_PX : ROW_PX
  return list?.querySelector<HTMLElement>('[role=option]')?.offsetHeight || usual
}

/** The index to which a key moves, or null if the key does not move. */
function moveByKey(key: string, current: number | null, size: number): number | null {
  const last = size - 1
  const from = current ?? -1
  switch (key) {
    case 'ArrowDown':
      return Math.min(from + 1, last)
    case 'ArrowUp':
      return current === null ? last : Math.max(from - 1, 0)
    case 'PageDown':
      return Math.min(from + PAGE_ITEMS, last)
    case 'PageUp':
      return Math.max(from - PAGE_ITEMS, 0)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return null
  }
}
