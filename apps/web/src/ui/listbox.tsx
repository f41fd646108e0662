/**
 * A list of which one item can be selected. Arrows, Home, End, Page Up, Page Down and letters move; only
 * Enter, Space and a click select, because selecting may cost credits. Selecting an item again deselects it.
 */
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import styles from './listbox.module.css'
import { BreakableName } from './breakable-name.tsx'
import { MeasuredMark } from './measured-mark.tsx'
import { StarIcon } from './icon.tsx'
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
  selectedId: number | null
  onSelect: (id: number | null) => void
  /** The item under the pointer or keyboard focus; null when left. */
  onLook?: (id: number | null) => void
  /** The star of an item was clicked, or `*` pressed on it. */
  onStar?: ((id: number) => void) | undefined
  /** Draws an item by its name; rows are higher then. Must keep its identity while nothing changes. */
  draw?: Draw | undefined
}

type Draw = (name: string) => ReactNode

export function Listbox({ label, items, selectedId, onSelect, draw, ...does }: ListboxProps) {
  const prefix = useId()
  const list = useRef<HTMLDivElement>(null)
  const typeAhead = useTypeAhead(items)
  const [active, setActive] = useState<number | null>(null)
  const place = items.findIndex(({ id }) => id === selectedId)
  const selected = place < 0 ? null : place
  const current = active !== null && active < items.length ? active : selected
  const sight = useRowsInSight(list, items.length, draw !== undefined)

  useLayoutEffect(() => reveal(list.current, selected), [selected])

  const idAt = (index: number | null) => (index === null ? null : (items[index]?.id ?? null))
  const look = (index: number | null) => does.onLook?.(idAt(index))

  function moveTo(index: number | null) {
    if (index === null) return
    setActive(index)
    reveal(list.current, index)
    sight.follow()
    look(index)
  }

  function toggle(index: number | null) {
    const id = idAt(index)
    if (id === null) return
    setActive(index)
    onSelect(index === selected ? null : id)
  }

  function star(index: number | null) {
    const id = idAt(index)
    if (id !== null) does.onStar?.(id)
  }

  function handleKey(event: KeyboardEvent) {
    if (isShortcut(event)) return
    if (event.key === 'Escape') return look(null)
    if (event.key === '*' && does.onStar) return star(current)
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
      className={draw ? `${styles.list} ${styles.drawn}` : styles.list}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native select chooses on arrows
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={current === null ? undefined : optionId(prefix, current)}
      onKeyDown={handleKey}
      onClick={(event) => (isOnStar(event) ? star(indexAt(event)) : toggle(indexAt(event)))}
      onPointerOver={(event) => event.pointerType !== 'touch' && look(indexAt(event))}
      onPointerLeave={() => look(null)}
      onFocus={() => setActive((index) => index ?? selected ?? 0)}
      onBlur={() => look(null)}
      onScroll={sight.follow}
    >
      <Rows {...{ items, sight, prefix, current, selected, draw }} />
    </div>
  )
}

type RowsProps = {
  items: readonly ListItem[]
  sight: ReturnType<typeof useRowsInSight>
  prefix: string
  current: number | null
  selected: number | null
  draw: Draw | undefined
}

/** The visible rows, with spacers in place of the others. */
function Rows({ items, sight, prefix, current, selected, draw }: RowsProps) {
  const { from, to, above, below } = sight
  return (
    <>
      <div role="presentation" style={{ height: above }} />
      {items.slice(from, to).map((item, row) => (
        <Option
          key={item.id}
          item={item}
          draw={draw}
          domId={optionId(prefix, from + row)}
          place={from + row + 1}
          size={items.length}
          isActive={from + row === current}
          isSelected={from + row === selected}
        />
      ))}
      <div role="presentation" style={{ height: below }} />
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
  if (value === undefined) return similarity === undefined && <small>{detail}</small>
  return (
    <b>
      {measured !== undefined && <MeasuredMark>{measured}</MeasuredMark>}
      {value}
    </b>
  )
}

function optionId(prefix: string, index: number): string {
  return `${prefix}-${index}`
}

/** Heights of a row, of one with a structure, and of the list, until they are laid out; in unit tests they never are. */
const ROW_PX = 44
const DRAWN_ROW_PX = 64
const WINDOW_PX = 248
/** Rows drawn above and below the visible ones, so that fast scrolling does not show gaps. */
const MARGIN_ROWS = 12
/** Up to this many, all rows are drawn; fewer with structures, because each one is a request. */
const ALL_ROWS_MAX = 100
const DRAWN_ROWS_MAX = 30

/** Which rows are drawn, and the space for the others. */
function useRowsInSight(
  list: RefObject<HTMLDivElement | null>,
  size: number,
  hasStructures: boolean,
) {
  const [first, setFirst] = useState(0)
  const rowPx = rowHeight(list.current, hasStructures)
  const allMax = hasStructures ? DRAWN_ROWS_MAX : ALL_ROWS_MAX
  if (size <= allMax) return { from: 0, to: size, above: 0, below: 0, follow: () => {} }
  const rows = Math.ceil((list.current?.clientHeight || WINDOW_PX) / rowPx)
  const from = Math.max(0, Math.min(first, size - rows) - MARGIN_ROWS)
  const to = Math.min(size, from + rows + 2 * MARGIN_ROWS)
  const follow = () => {
    const top = Math.floor((list.current?.scrollTop ?? 0) / rowHeight(list.current))
    // Half the margin may be used up before the rows are drawn again.
    if (Math.abs(top - first) >= MARGIN_ROWS / 2) setFirst(top)
  }
  return { from, to, above: from * rowPx, below: (size - to) * rowPx, follow }
}

/** All rows have the same height. */
function rowHeight(list: HTMLElement | null, hasStructures = false): number {
  const usual = hasStructures ? DRAWN_ROW_PX : ROW_PX
  return list?.querySelector<HTMLElement>('[role=option]')?.offsetHeight || usual
}

/** Scrolls only the list, not the page. */
function reveal(list: HTMLElement | null, index: number | null) {
  if (!list || index === null) return
  const row = rowHeight(list)
  const [top, height] = [EDGE_PX + index * row, list.clientHeight || WINDOW_PX]
  if (top < list.scrollTop) list.scrollTop = top - EDGE_PX
  else if (top + row > list.scrollTop + height) list.scrollTop = top + row - height + EDGE_PX
}

/** The list's padding keeps the first and last item clear of the rounded corners. */
const EDGE_PX = 4

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
