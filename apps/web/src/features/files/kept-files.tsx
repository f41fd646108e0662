/** The files that the user keeps, newest first: what was read from each, another name for it, and its end. */
import { deleteFile, type KeptFile, listFiles, renameFile } from '@pkdex/contract'
import {
  infiniteQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useState } from 'react'
import { call, messageOf } from '#web/lib/api.ts'
import { formatBytes, formatDay } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Announcement, Note } from '#web/ui/note.tsx'
import { Panel } from '#web/ui/panel.tsx'
import table from '#web/ui/table.module.css'

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

/** What is about to happen to a file. */
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
        failure="Your files could not be read"
        reasonOf={(error) => messageOf(error, error.message)}
        lines={3}
      >
        {({ pages }) => {
          const files = pages.flatMap((page) => page.files)
          if (files.length === 0) return <p className="quiet">You keep no files yet.</p>
          return <FileTable files={files} onStep={setStep} />
        }}
      </Loaded>
      {query.hasNextPage && (
        <Button variant="default" onClick={() => void query.fetchNextPage()}>
          Show older files
        </Button>
      )}
      {step?.what === 'delete' && (
        <DeleteDialog file={step.file} onClose={() => setStep(null)} onDone={finish} />
      )}
      {step?.what === 'rename' && (
        <RenameDialog file={step.file} onClose={() => setStep(null)} onDone={finish} />
      )}
    </Panel>
  )
}

/** Everything that names a file, or what was read from one, is read again. */
function useRefreshFiles(): () => void {
  const client = useQueryClient()
  return () => {
    for (const key of ['files', 'targets', 'compounds', 'target', 'compound', 'known']) {
      void client.invalidateQueries({ queryKey: [key] })
    }
  }
}

type FileTableProps = { files: KeptFile[]; onStep: (step: Step) => void }

function FileTable({ files, onStep }: FileTableProps) {
  return (
    <table className={`${table.table} ${table.inset} ${table.stacks}`} aria-label="Files">
      <thead>
        <tr>
          <th scope="col">File</th>
          <th scope="col">Read from it</th>
          <th scope="col">Size</th>
          <th scope="col">Uploaded</th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {files.map((file) => (
          <tr key={file.file_id}>
            <td className={table.wide}>{file.filename}</td>
            <td data-label="Read from it">{file.summary}</td>
            <td className={table.once} data-label="Size">
              {formatBytes(file.size_bytes)}
            </td>
            <td className={table.once} data-label="Uploaded">
              {formatDay(file.created_at)}
            </td>
            <td>
              <div className={table.actions}>
                {(['rename', 'delete'] as const).map((what) => (
                  <Button
                    key={what}
                    variant="subtle"
                    color="gray"
                    aria-label={`${words[what]} ${file.filename}`}
                    onClick={() => onStep({ what, file })}
                  >
                    {words[what]}
                  </Button>
                ))}
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const words = { rename: 'Rename', delete: 'Delete' } as const

type StepProps = { file: KeptFile; onClose: () => void; onDone: (sentence: string) => void }

function DeleteDialog({ file, onClose, onDone }: StepProps) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(deleteFile, { params: { fileId: file.file_id } }),
    onSuccess: () => onDone(`${file.filename} was deleted.`),
  })
  return (
    <ConfirmDialog
      title={`Delete ${file.filename}`}
      text={`With it go the targets and compounds that were read from it (${file.summary}), and their predictions. This cannot be undone.`}
      confirm="Delete"
      isDangerous
      isBusy={isPending}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <Failure title="The file was not deleted" error={error} />
    </ConfirmDialog>
  )
}

function RenameDialog({ file, onClose, onDone }: StepProps) {
  const [filename, setFilename] = useState(file.filename)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(renameFile, { params: { fileId: file.file_id }, body: { filename } }),
    onSuccess: (renamed) => onDone(`${file.filename} is now ${renamed.filename}.`),
  })
  return (
    <ConfirmDialog
      title={`Rename ${file.filename}`}
      text="What was read from the file keeps its names."
      confirm="Rename"
      isBusy={isPending}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <Field
        label="New name"
        value={filename}
        onChange={({ currentTarget }) => setFilename(currentTarget.value)}
      />
      <Failure title="The file was not renamed" error={error} />
    </ConfirmDialog>
  )
}

function Failure({ title, error }: { title: string; error: Error | null }) {
  if (error === null) return null
  return (
    <Note tone="failure" title={title}>
      {messageOf(error, error.message)}
    </Note>
  )
}
