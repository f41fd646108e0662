/** One side of the results page: picture and facts of the selected item, and the list to select from. */
import { Box, Flex } from '#web/ui/layout.ts'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { EmptyPicture, Picture } from '#web/features/previews/picture.tsx'
import { largeCountOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { Listbox, type ListItem } from '#web/ui/listbox.tsx'
import { type RankedItem, useListTools } from './list-tools.tsx'
import classes from './results-columns.module.css'

type Props = {
  title: 'Target' | 'Compound'
  /** Label of the list for screen readers. */
  plural: 'Targets' | 'Compounds'
  emptyText: string
  /** Undefined while the list loads, and if it failed to load. */
  items: readonly RankedItem[] | undefined
  /** What the list can be sorted by, besides names. */
  rank: string
  hasFailed: boolean
  selectedName: string | null
  onSelect: (name: string | null) => void
  onLook?: (name: string | null) => void
  onStar?: (name: string) => void
  /** While items are ticked, a click ticks one and selects nothing. */
  ticked?: TickedNames | null
  picture: ReactNode
  /** Undefined until they are loaded. */
  facts: ReactNode
  /** Actions on the selected item. */
  actions: ReactNode
  /** Whether the list has a search and an order. */
  hasTools: boolean
  /** The name of the order, if only some items are shown. */
  order?: string | undefined
  draw?: ((name: string) => ReactNode) | undefined
  /** Shown above the list, even if nothing is found. */
  above?: ReactNode
  /** Shown under the list. */
  children?: ReactNode
}

export function ResultsColumn({
  title,
  plural,
  picture,
  facts,
  actions,
  items,
  above,
  children,
  ...list
}: Props) {
  const headingId = useId()
  const { shown, search, tools } = useListTools(items, { plural, ...list })
  return (
    <section className={classes.column} data-column={title} aria-labelledby={headingId}>
      <header>
        <h2 id={headingId}>{title}</h2>
        <span className="faint small">{items && countItems(items.length, title)}</span>
      </header>
      {picture}
      <section className={classes.facts} aria-label={`${title} facts`}>
        {facts ?? <SelectHint {...list} title={title} />}
      </section>
      <Flex className={classes.actions} wrap="wrap" align="center" mb={4} ml={-4}>
        {actions}
      </Flex>
      <Box className={classes.list} pos="relative">
        {list.hasTools && tools}
        {above}
        {list.ticked && shown && shown.length > 0 && (
          <Button
            variant="subtle"
            color="gray"
            onClick={() => list.ticked?.tickAll(shown.map(({ name }) => name))}
          >
            {`Select all ${shown.length.toLocaleString('en')}`}
          </Button>
        )}
        {shown ? (
          <Names {...list} {...{ plural, search }} items={shown} />
        ) : (
          <NamesToCome {...list} plural={plural} />
        )}
        {children}
      </Box>
    </section>
  )
}

export type TickedNames = {
  has: (name: string) => boolean
  tick: (name: string) => void
  /** Ticks what a search left. */
  tickAll: (names: string[]) => void
}

function SelectHint({ title, selectedName }: Pick<Props, 'title' | 'selectedName'>) {
  if (selectedName !== null) return <b>{selectedName}</b>
  return <p className="faint small">Select a {title.toLowerCase()} from the list.</p>
}

type NamesProps = Pick<
  Props,
  | 'plural'
  | 'emptyText'
  | 'selectedName'
  | 'onSelect'
  | 'onLook'
  | 'onStar'
  | 'order'
  | 'draw'
  | 'ticked'
> & {
  items: readonly ListItem[]
  search: string
}

function Names({ plural, emptyText, items, search, order, ...list }: NamesProps) {
  const { selectedName, onSelect, onLook, onStar, draw, ticked = null } = list
  const nameOf = (id: number | null) => items.find((item) => item.id === id)?.name ?? null
  if (items.length === 0 && search !== '') {
    return <output className={classes.none}>No matches for “{search}”.</output>
  }
  if (items.length === 0 && order !== undefined) {
    return <output className={classes.none}>No compounds match this structure.</output>
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
      items={ticked === null ? items : items.map(withoutMarks)}
      isMultiple={ticked !== null}
      selected={
        new Set(
          items.flatMap(({ id, name }) =>
            (ticked === null ? name === selectedName : ticked.has(name)) ? id : [],
          ),
        )
      }
      onToggle={(id) => {
        const name = nameOf(id)
        if (ticked !== null) ticked.tick(name ?? '')
        else onSelect(name === selectedName ? null : name)
      }}
      onLook={(id) => onLook?.(nameOf(id))}
      onStar={onStar && ((id) => onStar(nameOf(id) ?? ''))}
      draw={draw}
    />
  )
}

/** A ticked name needs the room of star and measured value. */
function withoutMarks({ id, name, detail, value }: ListItem): ListItem {
  return { id, name, detail, ...(value !== undefined && { value }) }
}

/** The banner explains a list that failed to load, and has its Retry. */
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

type SelectedPictureProps = {
  kind: 'protein' | 'molecule'
  name: string | null
  caption: ReactNode
}

export function SelectedPicture({ kind, name, caption }: SelectedPictureProps) {
  if (name !== null) return <Picture kind={kind} name={name} caption={caption} />
  return (
    <EmptyPicture>
      No {kind === 'protein' ? 'target' : 'compound'} selected.
      <br />
      Its {kind === 'protein' ? 'picture' : 'structure'} appears here.
    </EmptyPicture>
  )
}
