/** What became of the uploaded files: a count, then each file with what was read of it. */
import type { Target, UploadAnswer } from '@pkdex/contract'
import type { ReactNode } from 'react'
import { formatBytes } from '#web/lib/format-bytes.ts'
import { Icon } from '#web/ui/icon.tsx'
import { CompoundReport } from './compound-report.tsx'
import { describeUse } from './describe-target.ts'
import { Done } from './done.tsx'
import classes from './report.module.css'
import { TargetReport } from './target-report.tsx'
import { remarksOf, UploadRemarks } from './upload-remarks.tsx'
import type { UploadKind } from './upload-kinds.ts'

/** A file may hold thousands; the list on the results page has them all. */
const SHOWN_COMPOUNDS_MAX = 200

type Props = {
  kind: UploadKind
  answers: UploadAnswer[]
  /** A picture of a target, from the page: this feature draws none. */
  pictureOf: (targetName: string) => ReactNode
  onChainChosen: (target: Target) => void
}

export function UploadReport({ kind, answers, pictureOf, onChainChosen }: Props) {
  const targets = answers.flatMap((answer) => answer.targets)
  const compounds = answers.flatMap((answer) => answer.compounds)
  const count = targets.length + compounds.length
  return (
    <>
      <Done text={`${count} ${kind.noun}${count === 1 ? '' : 's'} uploaded`} />
      <ul className={classes.targets} data-many={targets.length > 4}>
        {targets.map((target, index) => (
          <li key={index}>
            <TargetFile target={target} picture={pictureOf(target.name)} isOpen={count === 1}>
              <TargetReport target={target} onChainChosen={onChainChosen} />
            </TargetFile>
          </li>
        ))}
      </ul>
      {compounds.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroller must be reachable by keyboard
        <ul className={classes.compounds} aria-label="Compounds" tabIndex={0}>
          {compounds.slice(0, SHOWN_COMPOUNDS_MAX).map((compound, index) => (
            <li key={index}>
              <CompoundReport compound={compound} />
            </li>
          ))}
          {compounds.length > SHOWN_COMPOUNDS_MAX && (
            <li>{`and ${compounds.length - SHOWN_COMPOUNDS_MAX} more`}</li>
          )}
        </ul>
      )}
      {answers.map((answer, index) => (
        <UploadRemarks key={index} remarks={remarksOf(answer)} />
      ))}
    </>
  )
}

type TargetFileProps = { target: Target; picture: ReactNode; isOpen: boolean; children: ReactNode }

/** One file lies open; several are folded to a line each. */
function TargetFile({ target, picture, isOpen, children }: TargetFileProps) {
  const head = (
    <div className={classes.file}>
      {isOpen && picture}
      <div>
        <strong>{target.filename}</strong>
        <p className="quiet small">
          {isOpen
            ? formatBytes(target.size_bytes)
            : `${describeUse(target)}, ${formatBytes(target.size_bytes)}`}
        </p>
      </div>
    </div>
  )
  if (!isOpen) {
    return (
      <details>
        <summary>
          <Icon name="chevron" />
          {head}
        </summary>
        <div className={classes.folded}>{children}</div>
      </details>
    )
  }
  return (
    <>
      {head}
      {children}
    </>
  )
}
