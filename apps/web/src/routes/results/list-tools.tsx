/** The search and the order of a list; also shown while it loads, so that the list does not move. */
import { Flex } from '#web/ui/layout.ts'
import { type ReactNode, useMemo, useState } from 'react'
import { Select } from '#web/ui/field.tsx'
import type { ListItem } from '#web/ui/listbox.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import classes from './list-tools.module.css'

/** An item of a list, with the number it can be sorted by, if it has one. */
export type RankedItem = ListItem & { rank?: number }

type Order = 'uploaded' | 'name' | 'rank' | 'starred'

const SEARCH_CHARACTERS_MAX = 200

type Words = {
  plural: 'Targets' | 'Compounds'
  /** What the number is, as an option of the order. */
  rank: string
  /** The name of the order in which `items` are. */
  order?: string | undefined
}

/** The displayed items, in their order; and the controls. */
export function useListTools(
  items: readonly RankedItem[] | undefined,
  { plural, rank, order: given = 'Upload order' }: Words,
): { shown: readonly ListItem[] | undefined; search: string; tools: ReactNode } {
  const [search, setSearch] = useState('')
  const [order, setOrder] = useState<Order>('uploaded')
  const isRanked = items?.some((item) => item.rank !== undefined) === true
  const shown = useMemo(
    () =>
      items && inOrder(matching(items, search), order === 'rank' && !isRanked ? 'uploaded' : order),
    [items, search, order, isRanked],
  )
  const options: { value: Order; label: string }[] = [
    { value: 'uploaded', label: given },
    { value: 'name', label: 'By name' },
    ...(isRanked ? [{ value: 'rank' as const, label: rank }] : []),
    ...(items?.some(({ isStarred }) => isStarred)
      ? [{ value: 'starred' as const, label: 'Starred first' }]
      : []),
  ]
  const tools = (
    <Flex className={classes.tools} wrap="wrap" gap="xs" mb="xs">
      <SearchField
        label={`Search ${plural.toLowerCase()}`}
        placeholder="Search"
        search={search}
        charactersMax={SEARCH_CHARACTERS_MAX}
        onSearch={setSearch}
      />
      <Select
        label={`Sort ${plural.toLowerCase()}`}
        isLabelHidden
        value={order}
        options={options}
        onChange={setOrder}
      />
    </Flex>
  )
  return { shown, search, tools }
}

/** Matches anywhere in the name, ignoring case. */
function matching(items: readonly RankedItem[], search: string): readonly RankedItem[] {
  const sought = fold(search.trim())
  return sought === '' ? items : items.filter(({ name }) => fold(name).includes(sought))
}

function inOrder(items: readonly RankedItem[], order: Order): readonly RankedItem[] {
  switch (order) {
    case 'uploaded':
      return items
    case 'name':
      return items.toSorted((a, b) => collator.compare(a.name, b.name))
    case 'starred':
      return items.toSorted((a, b) => Number(b.isStarred ?? false) - Number(a.isStarred ?? false))
    case 'rank':
      return items.toSorted((a, b) => (b.rank ?? LAST) - (a.rank ?? LAST))
  }
}

const LAST = -1e9
const collator = new Intl.Collator('en', { numeric: true })

function fold(text: string): string {
  return text.normalize('NFC').toLocaleLowerCase('en')
}
