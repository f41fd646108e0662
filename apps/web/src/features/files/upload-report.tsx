/** The report on uploaded files: a count, then what was read from each. */
import { Box, Flex, Stack } from '#web/ui/layout.ts'
import type { Compound, Target, UploadAnswer } from '@pkdex/contract'
import type { ReactNode } from 'react'
import { countOf, formatBytes } from '#web/lib/format.ts'
import { Formula } from '#web/ui/formula.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { CompoundChanges } from './captions.tsx'
import { ChainChoice } from './chain-choice.tsx'
import { describeTarget, describeUse } from './describe-target.ts'
import type { UploadKind } from './upload-kinds.ts'
import { noticeOf, UploadNoticeView } from './upload-notice.tsx'
import classes from './upload-report.module.css'

/** A file may contain thousands; the results page lists all of them. */
const SHOWN_COMPOUNDS_MAX = 200

type Props = {
  kind: UploadKind
  answers: UploadAnswer[]
  /** Draws a target; passed in by the page. */
  pictureOf: (targetName: string) => ReactNode
  onChainChosen: (target: Target) => void
}

export function UploadReport({ kind, answers, pictureOf, onChainChosen }: Props) {
  const targets = answers.flatMap((answer) => answer.targets)
  const compounds = answers.flatMap((answer) => answer.compounds)
  // A response names everything in its file, and describes the first entries.
  const more = answers.reduce((sum, answer) => sum + countUndescribed(answer), 0)
  const count = targets.length + compounds.length + more
  const pictureFor = ({ name, report }: Target) =>
    report.has_coordinates === false ? null : pictureOf(name)
  return (
    <>
      <Done text={`${countOf(count, kind.noun)} uploaded`} />
      <ul className={classes.targets} data-many={targets.length > 4}>
        {targets.map((target, index) => (
          <li key={index}>
            <TargetFile target={target} picture={pictureFor(target)} isOpen={count === 1}>
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
          {compounds.length + more > SHOWN_COMPOUNDS_MAX && (
            <li>{`and ${compounds.length + more - SHOWN_COMPOUNDS_MAX} more`}</li>
          )}
        </ul>
      )}
      <Notices answers={answers} />
    </>
  )
}

/** The notices of many files scroll in their own area. */
function Notices({ answers }: { answers: UploadAnswer[] }) {
  const notices = answers.map((answer, index) => (
    <UploadNoticeView key={index} notice={noticeOf(answer)} />
  ))
  if (answers.length <= OPEN_NOTICES_MAX) return notices
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroller must be reachable by keyboard
    <section className={classes.notices} aria-label="File notes" tabIndex={0}>
      {notices}
    </section>
  )
}

const OPEN_NOTICES_MAX = 4

function countUndescribed({ names, targets, compounds }: UploadAnswer): number {
  return Math.max(0, names.length - targets.length - compounds.length)
}

type TargetFileProps = { target: Target; picture: ReactNode; isOpen: boolean; children: ReactNode }

/** A single file is open; several are folded to one line each. */
function TargetFile({ target, picture, isOpen, children }: TargetFileProps) {
  const head = (
    <Flex className={`breaks ${classes.file}`} align="center" gap="md">
      {isOpen && picture}
      <div>
        <strong>{target.filename}</strong>
        <p className="quiet small">
          {isOpen
            ? formatBytes(target.size_bytes)
            : `${describeUse(target)}, ${formatBytes(target.size_bytes)}`}
        </p>
      </div>
    </Flex>
  )
  if (!isOpen) {
    return (
      <details>
        <summary>
          <Icon name="chevron" />
          {head}
        </summary>
        <Box mt="xs" ml={28}>
          {children}
        </Box>
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

type TargetReportProps = { target: Target; onChainChosen: (target: Target) => void }

/** What was read from a target, and the choice of another chain if there are several. */
function TargetReport({ target, onChainChosen }: TargetReportProps) {
  return (
    <>
      <Stack component="dl" className={classes.facts} gap="xs" fz="0.9rem">
        {describeTarget(target).map(({ term, text }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </Stack>
      <Warnings warnings={target.report.warnings} />
      <ChainChoice key={target.chain} target={target} onChosen={onChainChosen} />
    </>
  )
}

/** What was read from a compound: formula, mass, and changes made before it is used. */
function CompoundReport({ compound }: { compound: Compound }) {
  const { formula, mass, warnings } = compound.report
  return (
    <>
      <Flex component="p" className="breaks" wrap="wrap" justify="space-between" columnGap="md">
        <Box component="strong" fw={500}>
          {compound.name}
        </Box>
        <span className="quiet small">
          <Formula text={formula} />, {mass.toFixed(1)} g/mol
        </span>
      </Flex>
      <CompoundChanges compound={compound} />
      <Warnings warnings={warnings} />
    </>
  )
}

function Warnings({ warnings }: { warnings: string[] }) {
  if (warnings.length === 0) return null
  return (
    <Stack
      component="ul"
      className={`small ${classes.warnings}`}
      aria-label="Warnings"
      gap={4}
      mt="sm"
    >
      {warnings.map((warning) => (
        <Flex component="li" key={warning} gap="xs">
          <Icon name="warning" size={16} />
          <span>{warning}</span>
        </Flex>
      ))}
    </Stack>
  )
}

/** Says that a box has what it needs. */
export function Done({ text }: { text: string }) {
  return (
    <output className={classes.done}>
      <Icon name="done" />
      {text}
    </output>
  )
}
