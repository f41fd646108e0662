/** The user's stored files, newest first: their contents, and buttons that rename and delete them. */
import { deleteFile, type KeptFile, listFiles, readUsage, renameFile } from '@pkdex/contract'
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call, reasonOf } from '#web/lib/api.ts'
import { formatBytes, formatDay } from '#web/lib/format.ts'
import { RenameDialog } from '#web/ui/rename-dialog.tsx'
import { ActionTable } from '#web/ui/action-table.tsx'
import { Button } from '#web/ui/button.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Announcement } from '#web/ui/note.tsx'
import { Panel } from '#web/ui/panel.tsx'
import table from '#web/ui/table.module.css'
import { useRefreshFiles } from './file-lists.ts'
import { DeleteDialog } from './rename-delete.tsx'

const PAGE_FILES = 50

function keptFilesQuery() {
  return infiniteQueryOptions({
    queryKey: ['files'],
    queryFn: ({ pageParam: page, signal }) =>
      call(listFiles, { query: { page, page_size: PAGE_FILES }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ files }, pages) =>
      files.length < PAGE_FILES ? undefined : pages.length + 1,
    retry: false,
  })
}

/** The open dialog. */
type Step = { what: 'rename' | 'delete'; file: KeptFile }

export function KeptFiles() {
  const query = useInfiniteQuery(keptFilesQuery())
  const [step, setStep] = useState<Step | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const refresh = useRefreshFiles()
  const finish = (sentence: string) => {
    setDone(sentence)
    setStep(null)
    refresh()
  }
  return (
    <Panel title="Files">
      {done !== null && (
        <Announcement key={done} tone="success" takesFocus>
          {done}
        </Announcement>
      )}
      <Loaded
        query={query}
        what="files"
        failure="Failed to load your files"
        reasonOf={reasonOf}
        lines={3}
      >
        {({ pages }) => {
          const files = pages.flatMap((page) => page.files)
          if (files.length === 0) {
            return (
              <p className="quiet">
                No files yet. <Link to="/prompt">Upload files</Link>
              </p>
            )
          }
          return <FileTable files={files} onStep={setStep} />
        }}
      </Loaded>
      <Usage />
      {query.hasNextPage && (
        <Button variant="default" onClick={() => void query.fetchNextPage()}>
          Show older files
        </Button>
      )}
      {step && <StepDialog {...step} onClose={() => setStep(null)} onDone={finish} />}
    </Panel>
  )
}

/** Storage used by all files and screens; empty if it could not be loaded. */
function Usage() {
  const { data } = useQuery({
    queryKey: ['files', 'usage'],
    queryFn: ({ signal }) => call(readUsage, { signal }),
    retry: false,
  })
  if (data === undefined) return <p className="small">{'\u00a0'}</p>
  const { bytes_used: used, bytes_max: most } = data
  return (
    <p className="small quiet">
      {`Files and screens use ${formatBytes(used)} of ${formatBytes(most)}.`}
    </p>
  )
}

type FileTableProps = { files: KeptFile[]; onStep: (step: Step) => void }

function FileTable({ files, onStep }: FileTableProps) {
  return (
    <ActionTable
      label="Files"
      rows={files}
      keyOf={(file) => file.file_id}
      nameOf={({ filename }) => filename}
      columns={columns}
      actionsOf={() =>
        (['rename', 'delete'] as const).map((what) => ({
          verb: words[what],
          onClick: (file: KeptFile) => onStep({ what, file }),
        }))
      }
    />
  )
}

const columns = [
  { title: 'File', className: table.wide, cell: ({ filename }: KeptFile) => filename },
  { title: 'Contents', cell: ({ summary }: KeptFile) => summary },
  {
    title: 'Size',
    className: table.once,
    cell: (file: KeptFile) => formatBytes(file.size_bytes),
  },
  {
    title: 'Uploaded',
    className: table.once,
    cell: (file: KeptFile) => formatDay(file.created_at),
  },
]

const words = { rename: 'Rename', delete: 'Delete' } as const

type StepProps = Step & { onClose: () => void; onDone: (sentence: string) => void }

function StepDialog({ what, file, onClose, onDone }: StepProps) {
  const { file_id: fileId, filename } = file
  if (what === 'delete') {
    return (
      <DeleteDialog
        name={filename}
        deleted={{ file_id: fileId }}
        failure="The file was not deleted"
        remove={() => call(deleteFile, { params: { fileId } })}
        onClose={onClose}
        onDone={() => onDone(`${filename} was deleted.`)}
      />
    )
  }
  return (
    <RenameDialog
      name={filename}
      text="Target and compound names do not change."
      failure="The file was not renamed"
      rename={async (wanted) => {
        const renamed = await call(renameFile, { params: { fileId }, body: { filename: wanted } })
        return renamed.filename
      }}
      reasonOf={reasonOf}
      onClose={onClose}
      onDone={(renamed) => onDone(`${filename} is now ${renamed}.`)}
    />
  )
}
