/** One box of `/prompt`: a drop zone until it has files, then an input report. */
import { Button } from '@mantine/core'
import type { UploadAnswer } from '@pkdex/contract'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { DropZone, FilePicker } from '#web/ui/drop-zone.tsx'
import { useFileDrop } from '#web/ui/use-file-drop.ts'
import { ExistingFiles } from './existing-files.tsx'
import { FailedFiles } from './failed-files.tsx'
import { judgeDrop } from './judge-drop.ts'
import classes from './upload-box.module.css'
import type { UploadKind } from './upload-kinds.ts'
import { UploadReport } from './upload-report.tsx'
import { Uploading } from './uploading.tsx'
import { useUploads } from './use-uploads.ts'

type Props = {
  kind: UploadKind
  /** The box has what it needs; the answers are those of this visit. */
  onSuccess: (answers: UploadAnswer[]) => void
  pictureOf: (targetName: string) => ReactNode
}

export function UploadBox({ kind, onSuccess, pictureOf }: Props) {
  const [isReady, setIsReady] = useState(false)
  const succeed = (answers: UploadAnswer[]) => {
    setIsReady(true)
    onSuccess(answers)
  }
  const uploads = useUploads(kind, succeed)
  const headingId = useId()
  const isBusy = uploads.progress !== null
  const isFilled = uploads.answers.length > 0
  const heading = useFoundFocus(isBusy)
  const drop = useFileDrop(!isBusy, (files) => {
    const refused = judgeDrop(files, kind.accepted)
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
      <header>
        <h2 id={headingId} ref={heading} tabIndex={-1}>
          {kind.title}
        </h2>
        <span className="quiet small">{kind.takes}</span>
      </header>
      <FailedFiles failures={uploads.failures} />
      {uploads.progress !== null ? (
        <Uploading progress={uploads.progress} onCancel={uploads.cancel} />
      ) : isFilled ? (
        <Filled
          kind={kind}
          uploads={uploads}
          isReady={isReady}
          onSuccess={succeed}
          pictureOf={pictureOf}
        />
      ) : (
        <Empty
          kind={kind}
          uploads={uploads}
          isOver={drop.isOver}
          isReady={isReady}
          onSuccess={succeed}
        />
      )}
    </section>
  )
}

/** A box that changes takes its buttons with it; a focus that was on one of them goes to the heading. */
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

type Uploads = ReturnType<typeof useUploads>

function Empty({ kind, uploads, isOver, isReady, onSuccess }: EmptyProps) {
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
      <div className={classes.actions}>
        <ExistingFiles kind={kind} isUsed={isReady} onUse={() => onSuccess([])} />
        <Button variant="subtle" onClick={() => void uploads.startSamples()}>
          Try with sample files
        </Button>
      </div>
    </>
  )
}

type Inside = { uploads: Uploads; isReady: boolean }
type EmptyProps = Pick<Props, 'kind' | 'onSuccess'> & Inside & { isOver: boolean }

function Filled({ kind, uploads, isReady, onSuccess, pictureOf }: Props & Inside) {
  const { answers, start, replaceTarget } = uploads
  return (
    <>
      <UploadReport
        kind={kind}
        answers={answers}
        pictureOf={pictureOf}
        onChainChosen={replaceTarget}
      />
      <div className={classes.actions}>
        {!isReady && (
          <Button className={classes.continue} onClick={() => onSuccess(answers)}>
            Continue with what was uploaded
          </Button>
        )}
        <FilePicker
          text="Add files"
          variant="subtle"
          accept={kind.accepted}
          label={`${kind.title} files`}
          onPick={(files) => void start(files)}
        />
      </div>
    </>
  )
}
