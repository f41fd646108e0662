/** The exports: one collection in a chosen format, the whole database, and the audit log. */
import { Box, Flex, Group } from '#web/ui/layout.ts'
import { Button } from '#web/ui/button.ts'
import {
  exportAll,
  exportCollection,
  exportPredictions,
  ExportFormat,
  messages,
} from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { adminReason, openAdmin } from '#web/lib/admin-api.ts'
import { formatBytes, formatForFilename, nounFor } from '#web/lib/format.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Select } from '#web/ui/field.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Note } from '#web/ui/note.tsx'
import { Panel } from '#web/ui/panel.tsx'
import table from '#web/ui/table.module.css'
import { ToolIcon } from '#web/ui/tool-icon.tsx'
import { collectionsQuery } from './database-query.ts'
import { ExportProgress, useExport } from './export-progress.tsx'
import classes from './exports.module.css'

const formats = ExportFormat.options.map((value) => ({ value, label: value.toUpperCase() }))

/** One collection at a time, in the format selected above. */
export function ExportCollections() {
  const [format, setFormat] = useState<ExportFormat>('json')
  return (
    <Panel
      title="One collection"
      isFlush
      action={
        <Select
          label="Format"
          className={`quiet small ${classes.format}`}
          value={format}
          options={formats}
          onChange={setFormat}
        />
      }
    >
      <Loaded
        query={useQuery(collectionsQuery())}
        what="collections"
        failure={messages.admin.collectionsFailed}
        reasonOf={adminReason}
        lines={8}
        isFlush
      >
        {({ collections }) => (
          <DataTable
            label="Collections"
            className={classes.collections}
            isHeadHidden
            rows={Object.entries(collections)}
            keyOf={([name]) => name}
            columns={[
              { title: 'Collection', cellClass: `mono ${classes.name}`, cell: ([name]) => name },
              {
                title: 'Count',
                isNumber: true,
                cellClass: classes.count,
                cell: ([, { count }]) => (
                  <>
                    {count.toLocaleString('en')}
                    <span className={classes.rows}> {nounFor(count, 'row')}</span>
                  </>
                ),
              },
              {
                title: 'Size',
                isNumber: true,
                cellClass: classes.size,
                cell: ([, { size }]) => formatBytes(size),
              },
              {
                title: 'Export',
                cellClass: classes.action,
                cell: ([name]) => <CollectionExport name={name} format={format} />,
              },
            ]}
          />
        )}
      </Loaded>
    </Panel>
  )
}

function CollectionExport({ name, format }: { name: string; format: ExportFormat }) {
  const { state, start, stop } = useExport()

  function begin() {
    const params = { collection: name }
    void start({
      open: (signal) => openAdmin(exportCollection, { params, query: { format }, signal }),
      filename: `${name}_export.${format}`,
    })
  }

  return (
    <>
      <div className={table.actions}>
        <ExportProgress state={state} what={name} onStop={stop} />
        {state.status !== 'running' && (
          <Button variant="subtle" aria-label={`Export ${name}`} onClick={begin}>
            Export
          </Button>
        )}
      </div>
      {state.status === 'failed' && (
        <Note tone="failure" title={messages.admin.exportFailed(name)}>
          {state.reason}
        </Note>
      )}
    </>
  )
}

/** The whole database as one zip, after confirmation. */
export function ExportAll() {
  const [isAsking, setIsAsking] = useState(false)
  const exporting = useExport()

  function begin() {
    setIsAsking(false)
    void exporting.start({
      open: (signal) => openAdmin(exportAll, { signal }),
      filename: `pkdex_export_${formatForFilename(new Date())}.zip`,
    })
  }

  return (
    <>
      <ExportSection
        title="Whole database"
        text="All collections in one zip, taken at one moment. Contains no password hashes, key hashes or tokens."
        what="The whole database"
        exporting={exporting}
        failure={messages.admin.exportAllFailed}
        button={
          <Button leftSection={<ToolIcon name="download" />} onClick={() => setIsAsking(true)}>
            Export Database
          </Button>
        }
      />
      {isAsking && (
        <ConfirmDialog
          title="Export the whole database"
          text={messages.admin.confirmExportAll}
          confirm="Export Database"
          onConfirm={begin}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}

/** Every prediction with names instead of ids, for a spreadsheet. */
export function ExportPredictions() {
  const exporting = useExport()

  function begin() {
    void exporting.start({
      open: (signal) => openAdmin(exportPredictions, { query: { format: 'csv' }, signal }),
      filename: 'predictions_with_names.csv',
    })
  }

  return (
    <ExportSection
      title="All predictions"
      text="One table of single predictions and screens: user, target, compound, SMILES, pKd and interval."
      what="The predictions"
      exporting={exporting}
      failure="Failed to export predictions"
      button={
        <Button variant="default" onClick={begin}>
          Export predictions as CSV
        </Button>
      }
    />
  )
}

type ExportSectionProps = {
  title: string
  text: string
  /** What is exported, for its progress. */
  what: string
  exporting: ReturnType<typeof useExport>
  /** The title of a failure. */
  failure: string
  button: ReactNode
}

function ExportSection({ title, text, what, exporting, failure, button }: ExportSectionProps) {
  const id = useId()
  const { state, stop } = exporting
  return (
    <Flex
      className="sheet"
      component="section"
      wrap="wrap"
      rowGap="md"
      columnGap="lg"
      align="center"
      justify="space-between"
      p="lg"
      aria-labelledby={id}
    >
      <Box flex="1 1 300px">
        <Box component="h2" id={id} mb={4}>
          {title}
        </Box>
        <p className="quiet">{text}</p>
      </Box>
      <Group className="wraps" gap="sm" miw={0}>
        <ExportProgress state={state} what={what} onStop={stop} />
        {state.status !== 'running' && button}
      </Group>
      {state.status === 'failed' && (
        <Box flex="1 0 100%">
          <Note tone="failure" title={failure}>
            {state.reason}
          </Note>
        </Box>
      )}
    </Flex>
  )
}

const COLLECTION = 'audit_log'

/** The whole audit log as a table for a spreadsheet, placed on the page that shows the log. */
export function ExportAudit() {
  const { state, start, stop } = useExport()

  function begin() {
    const options = { params: { collection: COLLECTION }, query: { format: 'csv' as const } }
    void start({
      open: (signal) => openAdmin(exportCollection, { ...options, signal }),
      filename: `${COLLECTION}_export.csv`,
    })
  }

  return (
    <Group gap="sm">
      <ExportProgress state={state} what="The audit log" onStop={stop} />
      {state.status !== 'running' && (
        <Button variant="default" onClick={begin}>
          Export as CSV
        </Button>
      )}
      {state.status === 'failed' && (
        <Note tone="failure" title={messages.admin.exportFailed(COLLECTION)}>
          {state.reason}
        </Note>
      )}
    </Group>
  )
}
