/** One box of `/prompt`: a drop zone until it has files, then an input report. */
import { Box, Flex } from '#web/ui/layout.ts'
import { Button } from '#web/ui/button.ts'
import { messages, type UploadAnswer } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { countOf } from '#web/lib/format.ts'
import { DropZone, FilePicker, useFileDrop } from '#web/ui/drop-zone.tsx'
import { Note } from '#web/ui/note.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { compoundListQuery, targetListQuery } from './file-lists.ts'
import classes from './upload-box.module.css'
import {
  type FailedFile,
  type OnImport,
  refuseWrongTypes,
  type UploadProgress,
} from './upload-files.ts'
import type { UploadKind } from './upload-kinds.ts'
import { Done, UploadReport } from './upload-report.tsx'
import { DrawImport, SequenceImport, TableImport } from './table-import.tsx'
import { useUploads } from './use-uploads.ts'

type Props = {
  kind: UploadKind
  /** The box has what it needs; `answers` are the server's responses of this visit. */
  onSuccess: (answers: UploadAnswer[]) => void
  pictureOf: (targetName: string) => ReactNode
  onReturnToLogin: () => void
  /** The other box, whose stored files can be used from here. */
  other: UploadKind
  onUseOther: () => void
  /** A table whose measured values are wanted, once its compounds are uploaded. */
  onValues: (table: File) => void
}

export function UploadBox(props: Props) {
  const { kind, onSuccess, pictureOf, onReturnToLogin, other, onUseOther, onValues } = props
  const [isReady, setIsReady] = useState(false)
  const succeed = (answers: UploadAnswer[], values?: File) => {
    setIsReady(true)
    if (values === undefined) onSuccess(answers)
    else onValues(values)
  }
  const { startMade, ...uploads } = useUploads(kind, succeed)
  const importMade: OnImport = (...made) => void startMade(...made)
  const headingId = useId()
  const isBusy = uploads.progress !== null
  const isFilled = uploads.answers.length > 0
  const heading = useFoundFocus(isBusy)
  const drop = useFileDrop(!isBusy, (files) => {
    const refused = refuseWrongTypes(files, kind)
    if (refused.length > 0) uploads.fail(refused)
    else void uploads.start(files)
  })

  return (
    <section
      className={`sheet ${classes.box}`}
      data-over={drop.isOver && isFilled}
      aria-labelledby={headingId}
      {...drop.handlers}
    >
      <Flex component="header" wrap="wrap" columnGap="sm" align="baseline" justify="space-between">
        <Box component="h2" id={headingId} ref={heading} tabIndex={-1} fz="xl">
          {kind.title}
        </Box>
        <span className="quiet small">{kind.takes}</span>
      </Flex>
      <FailedFiles
        failures={uploads.failures}
        onReturnToLogin={onReturnToLogin}
        onImport={kind.takesTables ? importMade : null}
      />
      {uploads.progress !== null ? (
        <Uploading progress={uploads.progress} onCancel={uploads.cancel} />
      ) : isFilled ? (
        <Filled
          kind={kind}
          uploads={uploads}
          isReady={isReady}
          onSuccess={succeed}
          pictureOf={pictureOf}
          other={other}
          onUseOther={onUseOther}
          onImport={importMade}
        />
      ) : (
        <Empty
          kind={kind}
          uploads={uploads}
          isOver={drop.isOver}
          isReady={isReady}
          onSuccess={succeed}
          onImport={importMade}
        />
      )}
    </section>
  )
}

/** If the focused button is removed with a change of phase, the heading gets the focus. */
function useFoundFocus(phase: boolean) {
  const heading = useRef<HTMLHeadingElement>(null)
  const lastPhase = useRef(phase)
  useEffect(() => {
    if (lastPhase.current === phase) return
    lastPhase.current = phase
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [phase])
  return heading
}

type Uploads = Omit<ReturnType<typeof useUploads>, 'startMade'>

function Empty({ kind, uploads, isOver, isReady, onSuccess, onImport }: EmptyProps) {
  return (
    <>
      <DropZone
        title={`Drop ${kind.accepted} files here`}
        hint={kind.hint}
        accept={kind.accepted}
        label={`${kind.title} files`}
        isOver={isOver}
        isWrong={uploads.failures.length > 0}
        onPick={(files) => void uploads.start(files)}
      />
      <div className={`wraps ${classes.existing}`}>
        <ExistingFiles kind={kind} isUsed={isReady} onUse={() => onSuccess([])} />
      </div>
      <Flex className={`wraps ${classes.actions}`} wrap="wrap" gap="var(--s-1)" mih="var(--hit)">
        {kind.further.length > 0 && (
          <FilePicker
            text={kind.furtherText}
            variant="subtle"
            accept={kind.further.join(',')}
            label={`${kind.title}, other formats`}
            onPick={(files) => void uploads.start(files)}
          />
        )}
        <WaysIn kind={kind} onImport={onImport} />
        <Button variant="subtle" onClick={() => void uploads.startSamples()}>
          Try with sample files
        </Button>
      </Flex>
    </>
  )
}

type Inside = { uploads: Uploads; isReady: boolean; onImport: OnImport }
type EmptyProps = Pick<Props, 'kind' | 'onSuccess'> & Inside & { isOver: boolean }
type FilledProps = Omit<Props, 'onReturnToLogin' | 'onValues'> & Inside

function Filled(props: FilledProps) {
  const { kind, uploads, isReady, onSuccess, pictureOf, other, onUseOther, onImport } = props
  const { answers, start, replaceTarget } = uploads
  const { names } = useExisting(other)
  return (
    <>
      <UploadReport
        kind={kind}
        answers={answers}
        pictureOf={pictureOf}
        onChainChosen={replaceTarget}
      />
      <Flex className={`wraps ${classes.actions}`} wrap="wrap" gap="var(--s-1)" mih="var(--hit)">
        {!isReady && (
          <Button className={classes.continue} onClick={() => onSuccess(answers)}>
            Continue
          </Button>
        )}
        {isReady && names.length > 0 && (
          <Button className={classes.continue} onClick={onUseOther}>
            {`Continue with my ${countOf(names.length, other.noun)}`}
          </Button>
        )}
        <FilePicker
          text="Add files"
          variant="subtle"
          accept={kind.accepted}
          label={`${kind.title} files`}
          onPick={(files) => void start(files)}
        />
        <WaysIn kind={kind} onImport={onImport} />
      </Flex>
    </>
  )
}

type WaysInProps = { kind: UploadKind; onImport: OnImport }

/** Buttons for compounds that are not in a file, or in a file of another kind. */
function WaysIn({ kind, onImport }: WaysInProps) {
  if (!kind.takesTables) return <SequenceImport onImport={onImport} />
  return (
    <>
      <TableImport text="Paste or import compounds" variant="subtle" onImport={onImport} />
      <DrawImport onImport={onImport} />
    </>
  )
}

type UploadingProps = { progress: UploadProgress; onCancel: () => void }

/** Shows "Uploading...", the current file, the progress, and a button that stops it. */
function Uploading({ progress, onCancel }: UploadingProps) {
  const { filename, number, total, fraction } = progress
  return (
    <div className={classes.uploading}>
      <Spinner text="Uploading..." />
      <progress value={fraction} max={1} aria-label="Upload" />
      <p className="quiet small">{total === 1 ? filename : `${number} of ${total}: ${filename}`}</p>
      <Button variant="subtle" color="gray" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}

type ExistingFilesProps = { kind: UploadKind; isUsed: boolean; onUse: () => void }

/** Lets a returning user continue with stored files, which counts as this box's success. */
function ExistingFiles({ kind, isUsed, onUse }: ExistingFilesProps) {
  const { count, names } = useExisting(kind)
  if (count === 0) return null
  if (isUsed) return <Done text="Using your existing files" />
  return (
    <>
      <Button variant="subtle" onClick={onUse}>
        {`Use my ${countOf(count, 'existing file')}`}
      </Button>
      <p className="faint small">{describeNames(names)}</p>
    </>
  )
}

/** The stored files that the box could use. */
function useExisting(kind: UploadKind): { count: number; names: string[] } {
  const isTarget = kind.fileType === 'protein_pdb'
  const targets = useQuery({ ...targetListQuery(), enabled: isTarget })
  const compounds = useQuery({ ...compoundListQuery(), enabled: !isTarget })
  const files = isTarget ? targets.data?.file_count : compounds.data?.file_count
  const names = isTarget ? targets.data?.protein_names : compounds.data?.compound_names
  return { count: countFiles(files, names), names: names ?? [] }
}

/** Names the latest files, and counts the others. */
function describeNames(names: string[]): string {
  const latest = names.slice(-NAMED_MAX).toReversed()
  const rest = names.length - latest.length
  return latest.join(', ') + (rest > 0 ? ` and ${rest.toLocaleString('en')} more` : '')
}

const NAMED_MAX = 3

/** Several molecules may come from one file. Older servers send no count; then each name counts as a file. */
function countFiles(files: number | undefined, names: string[] = []): number {
  return files ?? names.length
}

type FailedFilesProps = {
  failures: FailedFile[]
  onReturnToLogin: () => void
  /** Imports an unreadable file as a table; null if the box does not import tables. */
  onImport: OnImport | null
}

/** Which files were not uploaded, and why: one sentence if all have the same reason. */
function FailedFiles({ failures, onReturnToLogin, onImport }: FailedFilesProps) {
  const [first, ...others] = failures
  if (first === undefined) return null
  const { unread } = first
  const isOneReason = others.every(({ message }) => message === first.message)
  return (
    <Note
      tone="failure"
      title={titleOf(first, others.length)}
      action={
        first.needsLogin === true ? (
          <Button variant="default" onClick={onReturnToLogin}>
            {messages.results.returnToLogin}
          </Button>
        ) : unread && onImport !== null ? (
          <TableImport
            text="Import it as a table"
            variant="default"
            file={unread}
            onImport={onImport}
          />
        ) : undefined
      }
    >
      {isOneReason && <p>{first.message}</p>}
      {first.hint !== undefined && <p>{first.hint}</p>}
      {others.length > 0 && (
        <ul className={classes.failed}>
          {failures.map(({ filename, message }, index) => (
            <li key={index}>
              {isOneReason ? filename : <strong className="small">{filename}</strong>}
              {!isOneReason && <p>{message}</p>}
            </li>
          ))}
        </ul>
      )}
    </Note>
  )
}

function titleOf({ filename }: FailedFile, others: number): string | undefined {
  if (filename === null) return undefined
  return others === 0 ? `${filename} was not uploaded` : `${others + 1} files were not uploaded`
}
