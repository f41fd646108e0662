/**
 * A list of which one item can be selected. Arrows, Home, End, Page Up, Page Down and letters move; only
 * Enter, Space and a click select, because selecting has a price. The same again deselects. Letters count
 * as native lists count them: within 600 ms of each other they belong together.
 */
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import styles from './listbox.module.css'

const PAGE_ITEMS = 5
const PAUSE_MS = 600

/** `id` is the place in the list as it was uploaded, from 1; the items may stand in another order. */
export type ListItem = {
  id: number
  name: string
  detail: string
  /** What is known of it already; stands out, in the place of the detail. */
  value?: string
}

type ListboxProps = {
  label: string
  /** At least one: an empty list is a sentence, not a listbox. */
  items: readonly ListItem[]
  selectedId: number | null
  onSelect: (id: number | null) => void
  /** The item under the pointer, or where the keyboard stands; null when it is left. */
  onLook?: (id: number | null) => void
}

export function Listbox({ label, items, selectedId, onSelect, onLook }: ListboxProps) {
  const prefix = useId()
  const list = useRef<HTMLDivElement>(null)
  const typeAhead = useTypeAhead(items)
  const [active, setActive] = useState<number | null>(null)
  const place = items.findIndex(({ id }) => id === selectedId)
  const selected = place < 0 ? null : place
  const current = active !== null && active < items.length ? active : selected
  const sight = useRowsInSight(list, items.length)

  useLayoutEffect(() => reveal(list.current, selected), [selected])

  const look = (index: number | null) =>
    onLook?.(index === null ? null : (items[index]?.id ?? null))

  function moveTo(index: number | null) {
    if (index === null) return
    setActive(index)
    reveal(list.current, index)
    sight.follow()
    look(index)
  }

  function toggle(index: number | null) {
    const id = index === null ? undefined : items[index]?.id
    if (index === null || id === undefined) return
    setActive(index)
    onSelect(index === selected ? null : id)
  }

  function handleKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') return look(null)
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
      className={styles.list}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native select chooses on arrows
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={current === null ? undefined : optionId(prefix, current)}
      onKeyDown={handleKey}
      onClick={(event) => toggle(indexAt(event))}
      onPointerOver={(event) => event.pointerType !== 'touch' && look(indexAt(event))}
      onPointerLeave={() => look(null)}
      onFocus={() => setActive((index) => index ?? selected ?? 0)}
      onBlur={() => look(null)}
      onScroll={sight.follow}
    >
      <Rows {...{ items, sight, prefix, current, selected }} />
    </div>
  )
}

type RowsProps = {
  items: readonly ListItem[]
  sight: ReturnType<typeof useRowsInSight>
  prefix: string
  current: number | null
  selected: number | null
}

/** The rows in sight, between the room that the others take. */
function Rows({ items, sight: { from, to, above, below }, prefix, current, selected }: RowsProps) {
  return (
    <>
      <div role="presentation" style={{ height: above }} />
      {items.slice(from, to).map((item, row) => (
        <Option
          key={item.id}
          item={item}
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

type OptionProps = {
  item: ListItem
  domId: string
  /** In the list as it stands, from 1. */
  place: number
  size: number
  isActive: boolean
  isSelected: boolean
}

/** Remembered, so that a step draws two rows and not all. */
const Option = memo(function Option({ item, domId, place, size, ...state }: OptionProps) {
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
        {item.name}
      </span>
      {item.value === undefined ? <small>{item.detail}</small> : <b>{item.value}</b>}
    </div>
  )
})

function optionId(prefix: string, index: number): string {
  return `${prefix}-${index}`
}

/** Rows of a list that is not laid out, as in a test, and the height of its window. */
const ROW_PX = 44
const WINDOW_PX = 248
/** Drawn above and below what is in sight, so that a quick turn of the wheel finds something. */
const MARGIN_ROWS = 12
/** Up to here all rows are drawn. */
const ALL_ROWS_MAX = 100

/** Which rows are drawn, and the room that the others take. */
function useRowsInSight(list: RefObject<HTMLDivElement | null>, size: number) {
  const [first, setFirst] = useState(0)
  const rowPx = rowHeight(list.current)
  if (size <= ALL_ROWS_MAX) return { from: 0, to: size, above: 0, below: 0, follow: () => {} }
  const rows = Math.ceil((list.current?.clientHeight || WINDOW_PX) / rowPx)
  const from = Math.max(0, Math.min(first, size - rows) - MARGIN_ROWS)
  const to = Math.min(size, from + rows + 2 * MARGIN_ROWS)
  const follow = () => {
    const top = Math.floor((list.current?.scrollTop ?? 0) / rowHeight(list.current))
    // Half the margin may be used up before the rows are drawn anew.
    if (Math.abs(top - first) >= MARGIN_ROWS / 2) setFirst(top)
  }
  return { from, to, above: from * rowPx, below: (size - to) * rowPx, follow }
}

/** All rows are one line, of one height. */
function rowHeight(list: HTMLElement | null): number {
  return list?.querySelector<HTMLElement>('[role=option]')?.offsetHeight || ROW_PX
}

/** Scrolls the list and nothing else. */
function reveal(list: HTMLElement | null, index: number | null) {
  if (!list || index === null) return
  const row = rowHeight(list)
  const top = EDGE_PX + index * row
  const height = list.clientHeight || WINDOW_PX
  if (top < list.scrollTop) list.scrollTop = top - EDGE_PX
  else if (top + row > list.scrollTop + height) list.scrollTop = top + row - height + EDGE_PX
}

/** The list's padding: an end item stands clear of the rounded corner. */
const EDGE_PX = 4

/** Where a key moves to, or null when the key does not move. */
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

/** Keeps the letters typed over a list and says which item they mean. */
function useTypeAhead(items: readonly { name: string }[]) {
  const letters = useRef(nothingTyped)
  const names = () => items.map(({ name }) => name)
  return {
    /** True for a letter, and for a space inside the name that is being typed. */
    isLetter: ({ key, timeStamp }: KeyboardEvent) =>
      key === ' ' ? isSpaceOfName(names(), letters.current, timeStamp) : key.length === 1,
    /** Index of the item that is meant now, or null. */
    find: ({ key, timeStamp }: KeyboardEvent, current: number | null) => {
      letters.current = addLetter(letters.current, key, timeStamp)
      return findTyped(names(), letters.current.typed, current ?? -1)
    },
  }
}

type TypeAhead = { typed: string; at: number }

const nothingTyped: TypeAhead = { typed: '', at: Number.NEGATIVE_INFINITY }

function addLetter(before: TypeAhead, letter: string, now: number): TypeAhead {
  const typed = isOpen(before, now) ? before.typed : ''
  return { typed: typed + foldCase(letter), at: now }
}

/**
 * Index of the next match at or after `current`, around the end; null when nothing matches. One letter again and
 * again walks through the items that begin with it.
 */
function findTyped(names: readonly string[], typed: string, current: number): number | null {
  const first = typed.slice(0, 1)
  const isOneLetter = typed === first.repeat(typed.length)
  const sought = isOneLetter && !someBegin(names, typed) ? first : typed
  // A single letter asks for the next item; further letters may still describe the current one.
  const start = sought.length === 1 ? current + 1 : Math.max(current, 0)
  for (let step = 0; step < names.length; step += 1) {
    const index = (start + step) % names.length
    if (begins(names[index], sought)) return index
  }
  return null
}

/** A space goes on with a name that has one there, while letters are being typed; otherwise it selects. */
function isSpaceOfName(names: readonly string[], { typed, at }: TypeAhead, now: number): boolean {
  return typed !== '' && isOpen({ typed, at }, now) && someBegin(names, `${typed} `)
}

function isOpen({ at }: TypeAhead, now: number): boolean {
  return now - at <= PAUSE_MS
}

function someBegin(names: readonly string[], typed: string): boolean {
  return names.some((name) => begins(name, typed))
}

function begins(name: string | undefined, typed: string): boolean {
  return name !== undefined && foldCase(name).startsWith(typed)
}

function foldCase(text: string): string {
  return text.normalize('NFC').toLocaleLowerCase('en')
}
