/** One collection at a time, in the format chosen above. */
import { Button } from '@mantine/core'
import { type Collection, exportCollection, ExportFormat, messages } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adminReason } from '#web/lib/admin-api.ts'
import { openAdminStream } from '#web/lib/admin-session.ts'
import { formatBytes } from '#web/lib/format-bytes.ts'
import field from '#web/ui/field.module.css'
import { Loaded } from '#web/ui/loaded.tsx'
import { Note } from '#web/ui/note.tsx'
import { Panel } from '#web/ui/panel.tsx'
import table from '#web/ui/table.module.css'
import { collectionsQuery } from './database-query.ts'
import { ExportProgress } from './export-progress.tsx'
import { useExport } from './use-export.ts'
import classes from './export-collections.module.css'

const formatNames: Record<ExportFormat, string> = { json: 'JSON', ndjson: 'NDJSON', csv: 'CSV' }

export function ExportCollections() {
  const [format, setFormat] = useState<ExportFormat>('json')
  return (
    <Panel title="One collection" isFlush action={<Format value={format} onChange={setFormat} />}>
      <Loaded
        query={useQuery(collectionsQuery())}
        what="collections"
        failure={messages.admin.collectionsFailed}
        reasonOf={adminReason}
        lines={8}
        isFlush
      >
        {({ collections }) => (
          <table
            className={`${table.table} ${table.stacks} ${classes.collections}`}
            aria-label="Collections"
          >
            <thead className="visually-hidden">
              <tr>
                <th scope="col">Collection</th>
                <th scope="col">Count</th>
                <th scope="col">Size</th>
                <th scope="col">Export</th>
              </tr>
            </thead>
            <tbody>
              {Object.entries(collections).map(([name, collection]) => (
                <CollectionRow key={name} name={name} collection={collection} format={format} />
              ))}
            </tbody>
          </table>
        )}
      </Loaded>
    </Panel>
  )
}

type FormatProps = { value: ExportFormat; onChange: (format: ExportFormat) => void }

function Format({ value, onChange }: FormatProps) {
  return (
    <label className={`quiet small ${classes.format}`}>
      Format
      <select
        className={field.input}
        value={value}
        onChange={({ currentTarget }) => onChange(ExportFormat.parse(currentTarget.value))}
      >
        {ExportFormat.options.map((format) => (
          <option key={format} value={format}>
            {formatNames[format]}
          </option>
        ))}
      </select>
    </label>
  )
}

type RowProps = { name: string; collection: Collection; format: ExportFormat }

function CollectionRow({ name, collection, format }: RowProps) {
  const { state, start, stop } = useExport()

  function begin() {
    const params = { collection: name }
    void start({
      open: (signal) => openAdminStream(exportCollection, { params, query: { format }, signal }),
      filename: `${name}_export.${format}`,
    })
  }

  return (
    <>
      <tr>
        <td className={`mono ${classes.name}`}>{name}</td>
        <td className={`${table.number} ${classes.count}`}>
          {collection.count.toLocaleString('en')}
          <span className={classes.rows}> {collection.count === 1 ? 'row' : 'rows'}</span>
        </td>
        <td className={`${table.number} ${classes.size}`}>{formatBytes(collection.size)}</td>
        <td className={classes.action}>
          <div className={table.actions}>
            <ExportProgress state={state} what={name} onStop={stop} />
            {state.status !== 'running' && (
              <Button variant="subtle" aria-label={`Export ${name}`} onClick={begin}>
                Export
              </Button>
            )}
          </div>
        </td>
      </tr>
      {state.status === 'failed' && (
        <tr>
          <td colSpan={4} className={`${table.wide} ${classes.failed}`}>
            <Note tone="failure" title={messages.admin.exportFailed(name)}>
              {state.reason}
            </Note>
          </td>
        </tr>
      )}
    </>
  )
}
