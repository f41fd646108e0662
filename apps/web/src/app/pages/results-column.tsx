/** One side of the results page: picture and facts of the selected item, and the list to select from. */
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { Listbox, type ListItem } from '#web/ui/listbox.tsx'
import styles from './results-column.module.css'

/** What a column needs to know of its query. */
export type List<Data> = { data: Data | undefined; isError: boolean }

type Props = {
  title: 'Target' | 'Compound'
  /** Name of the list for a screen reader. */
  plural: 'Targets' | 'Compounds'
  emptyText: string
  /** Undefined while the list loads, and when it could not be loaded. */
  items: readonly ListItem[] | undefined
  hasFailed: boolean
  selectedName: string | null
  onSelect: (name: string | null) => void
  picture: ReactNode
  caption: ReactNode
}

export function ResultsColumn({ title, plural, picture, caption, items, ...list }: Props) {
  const headingId = useId()
  return (
    <section className={styles.column} aria-labelledby={headingId}>
      <header>
        <h2 id={headingId}>{title}</h2>
        <span className="faint small">{items && countItems(items.length, title)}</span>
      </header>
      {picture}
      <div className={styles.caption}>{caption ?? <SelectHint {...list} title={title} />}</div>
      <div className={styles.list}>
        {items ? (
          <Names {...list} plural={plural} items={items} />
        ) : (
          <NamesToCome {...list} plural={plural} />
        )}
      </div>
    </section>
  )
}

function SelectHint({ title, selectedName }: Pick<Props, 'title' | 'selectedName'>) {
  if (selectedName !== null) return <b>{selectedName}</b>
  return <p className="faint small">Select a {title.toLowerCase()} from the list.</p>
}

type NamesProps = Pick<Props, 'plural' | 'emptyText' | 'selectedName' | 'onSelect'> & {
  items: readonly ListItem[]
}

function Names({ plural, emptyText, items, selectedName, onSelect }: NamesProps) {
  if (items.length === 0) {
    return (
      <div className={styles.none}>
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
      onSelect={(id) => onSelect(items.find((item) => item.id === id)?.name ?? null)}
    />
  )
}

/** A failed list is explained by the banner, where its Retry is. */
function NamesToCome({ plural, hasFailed }: Pick<Props, 'plural' | 'hasFailed'>) {
  if (hasFailed) return <p className={styles.none}>The list could not be loaded.</p>
  return (
    <div className={styles.waiting} aria-busy="true">
      <span className="visually-hidden">Loading {plural.toLowerCase()}</span>
      {[72, 48, 64, 56].map((width) => (
        <span key={width} className={styles.bar} style={{ width: `${width}%` }} />
      ))}
    </div>
  )
}

function countItems(count: number, title: Props['title']): string {
  return `${count.toLocaleString('en')} ${title.toLowerCase()}${count === 1 ? '' : 's'}`
}
