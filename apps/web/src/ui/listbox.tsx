/**
 * A list of which one item can be selected. Arrows, Home, End, Page Up, Page Down and letters move; only
 * Enter, Space and a click select, because selecting has a price. The same again deselects.
 */
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { moveByKey } from './listbox-keys.ts'
import styles from './listbox.module.css'
import { useTypeAhead } from './use-type-ahead.ts'

/** `id` is the place in the list, from 1. */
export type ListItem = { id: number; name: string; detail: string }

type ListboxProps = {
  label: string
  /** At least one: an empty list is a sentence, not a listbox. */
  items: readonly ListItem[]
  selectedId: number | null
  onSelect: (id: number | null) => void
}

export function Listbox({ label, items, selectedId, onSelect }: ListboxProps) {
  const prefix = useId()
  const list = useRef<HTMLDivElement>(null)
  const typeAhead = useTypeAhead(items)
  const [active, setActive] = useState<number | null>(null)
  const selected = selectedId === null ? null : selectedId - 1
  const current = active !== null && active < items.length ? active : selected

  useLayoutEffect(() => reveal(list.current, selected), [selected])

  function moveTo(index: number | null) {
    if (index === null) return
    setActive(index)
    reveal(list.current, index)
  }

  function toggle(index: number | null) {
    if (index === null) return
    setActive(index)
    onSelect(index === selected ? null : index + 1)
  }

  function handleKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const target = moveByKey(event.key, current, items.length)
    if (target !== null) moveTo(target)
    else if (typeAhead.isLetter(event)) moveTo(typeAhead.find(event, current))
    else if (event.key !== 'Enter' && event.key !== ' ') return
    // A key that is held down is one wish.
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
      data-long={items.length > LONG_ITEMS}
      aria-label={label}
      aria-activedescendant={current === null ? undefined : optionId(prefix, current)}
      onKeyDown={handleKey}
      onClick={(event) => toggle(indexAt(event))}
      onFocus={() => setActive((index) => index ?? selected ?? 0)}
    >
      {items.map((item, index) => (
        <Option
          key={item.id}
          item={item}
          domId={optionId(prefix, index)}
          size={items.length}
          isActive={index === current}
          isSelected={index === selected}
        />
      ))}
    </div>
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
  size: number
  isActive: boolean
  isSelected: boolean
}

/** Remembered, so that a step in a list of thousands draws two rows and not all. */
const Option = memo(function Option({ item, domId, size, isActive, isSelected }: OptionProps) {
  return (
    <div
      id={domId}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- belongs to the listbox above
      role="option"
      className={styles.option}
      aria-selected={isSelected}
      aria-posinset={item.id}
      aria-setsize={size}
      data-active={isActive || undefined}
    >
      <span className={styles.name} title={item.name}>
        {item.name}
      </span>
      <small>{item.detail}</small>
    </div>
  )
})

function optionId(prefix: string, index: number): string {
  return `${prefix}-${index}`
}

/** Scrolls the list and nothing else. */
function reveal(list: HTMLElement | null, index: number | null) {
  const option = index === null ? undefined : list?.children[index]
  if (!list || !(option instanceof HTMLElement)) return
  const bottom = option.offsetTop + option.offsetHeight
  if (option.offsetTop < list.scrollTop) list.scrollTop = option.offsetTop - EDGE_PX
  else if (bottom > list.scrollTop + list.clientHeight) {
    list.scrollTop = bottom - list.clientHeight + EDGE_PX
  }
}

/** From here on, rows out of sight are left out of the layout. */
const LONG_ITEMS = 200
/** The list's padding: an end item stands clear of the rounded corner. */
const EDGE_PX = 4
