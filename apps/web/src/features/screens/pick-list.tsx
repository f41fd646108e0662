/** A long list from which many items can be selected, with a search; "Select all" selects the search results. */
import { Flex } from '#web/ui/layout.ts'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { Button } from '#web/ui/button.ts'
import { largeCountOf } from '#web/lib/format.ts'
import { Select } from '#web/ui/field.tsx'
import { Listbox } from '#web/ui/listbox.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import classes from './pick-list.module.css'
import { listFiles, type OriginFile } from './origin-files.ts'

type Props = {
  title: string
  /** Singular, for counts. */
  noun: string
  names: readonly string[]
  /** The files that the names came from: if there are several, whole files can be selected. */
  files: readonly OriginFile[]
  chosen: ReadonlySet<string>
  onChoose: (chosen: Set<string>) => void
  /** Names on the shortlist, which can be selected alone. */
  starred?: readonly string[]
  /** Draws the structure beside a name. */
  draw?: ((name: string) => ReactNode) | null
}

export function PickList({ title, noun, names, files, chosen, onChoose, ...props }: Props) {
  const { starred = [], draw = null } = props
  const headingId = useId()
  const [search, setSearch] = useState('')
  const [isByFile, setIsByFile] = useState(false)
  const list = isByFile ? listFiles(files, chosen, onChoose) : { names, chosen, onChoose }
  const shown = useShown(list.names, search)
  return (
    <Flex
      className="sheet"
      component="section"
      direction="column"
      gap="sm"
      miw={0}
      p="lg"
      aria-labelledby={headingId}
    >
      <Flex wrap="wrap" rowGap="xs" columnGap="sm" align="baseline" justify="space-between">
        <h2 id={headingId}>{title}</h2>
        <span className="quiet small">
          {chosen.size.toLocaleString('en')} of {largeCountOf(names.length, noun)}
        </span>
      </Flex>
      <Flex
        className={classes.bar}
        wrap="wrap"
        rowGap="xs"
        columnGap="sm"
        align="center"
        justify="space-between"
      >
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
        {starred.length > 0 && (
          <Button variant="subtle" onClick={() => onChoose(new Set(starred))}>
            {`Only ${starred.length.toLocaleString('en')} starred`}
          </Button>
        )}
      </Flex>
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
    </Flex>
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

/** Selects or clears the displayed names. */
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

type RowsProps = Pick<Props, 'names' | 'chosen' | 'onChoose' | 'draw'> & { label: string }

function Rows({ label, names, chosen, onChoose, draw }: RowsProps) {
  const items = useMemo(
    () => names.map((name, place) => ({ id: place + 1, name, detail: '' })),
    [names],
  )
  const selected = useMemo(
    () => new Set(items.flatMap(({ id, name }) => (chosen.has(name) ? id : []))),
    [items, chosen],
  )

  function toggle(id: number) {
    const name = names[id - 1] ?? ''
    const next = new Set(chosen)
    if (!next.delete(name)) next.add(name)
    onChoose(next)
  }

  return (
    <Listbox
      isMultiple
      onToggle={toggle}
      draw={draw ?? undefined}
      {...{ label, items, selected }}
    />
  )
}
