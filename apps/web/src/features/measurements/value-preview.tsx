/** What measured values become, before their import: examples, the distribution of pK, and open questions. */
import { Flex } from '#web/ui/layout.ts'
import type { ReadLines } from '@pkdex/intake'
import { countOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { Note } from '#web/ui/note.tsx'
import type { Kind } from './measured-kind.tsx'
import type { ValueLines } from './value-columns.ts'
import classes from './value-preview.module.css'
import type { useValueSource } from './value-source.ts'

type Question = { text: string; answers: { label: string; choose: () => void }[] }

type ReadValues = {
  source: ReturnType<typeof useValueSource>
  lines: ValueLines | null
  kind: Kind
  /** Values without a unit look like pK, and the user has not said what they are. */
  isLikePk: boolean
  choose: (kind: Kind) => void
}

/** What the file does not say. Nothing is imported before these are answered. */
export function questionsOf({ source, lines, kind, isLikePk, choose }: ReadValues): Question[] {
  const { found } = source
  const questions: Question[] = []
  if (found !== null && found.chosen.value === null) {
    const answers = found.candidates.map((value) => ({
      label: found.table.heading[value] ?? '',
      choose: () => source.choose({ value }),
    }))
    const [only] = answers
    const doubt =
      answers.length > 1 || found.doubt === null ? '' : `“${only?.label}” ${found.doubt}. `
    questions.push({ text: `${doubt}Which column contains the values?`, answers })
  }
  if (lines?.unread != null) {
    questions.push({ text: `${lines.unread} Convert the column.`, answers: [] })
  }
  if (lines?.comma === 'asked') {
    const number = lines.rejected
      .map(({ reason }) => /“(\d[^”]*,[^”]*)”/.exec(reason)?.[1])
      .find((one) => one !== undefined)
    const answers = [
      { label: 'Decimal comma', choose: () => source.answerComma('decimal') },
      { label: 'Thousands', choose: () => source.answerComma('thousands') },
    ]
    questions.push({ text: `What is the comma in ${number ?? 'the values'}?`, answers })
  }
  if (isLikePk) {
    const answers = (['p', kind.unit === 'p' ? 'nM' : kind.unit] as const).map((unit) => ({
      label: unit === 'p' ? `p${kind.type}` : unit,
      choose: () => choose({ ...kind, unit }),
    }))
    questions.push({
      text: 'All values are between 3 and 12 and have no unit. What are they?',
      answers,
    })
  }
  return questions
}

export function Questions({ questions }: { questions: Question[] }) {
  return questions.map(({ text, answers }) => (
    <Note key={text} tone="warning" title={text}>
      {answers.length > 0 && (
        <Flex wrap="wrap" gap="xs">
          {answers.map(({ label, choose }) => (
            <Button key={label} variant="default" onClick={choose}>
              {label}
            </Button>
          ))}
        </Flex>
      )}
    </Note>
  ))
}

const EXAMPLES = 3
/** Values outside are rare, and most often have a wrong unit. */
const USUAL = { from: 2, to: 12 }

export function ValuePreview({ read, kind }: { read: ReadLines; kind: Kind }) {
  const pks = read.lines.map(({ measured }) => measured.pk)
  const unusual = pks.filter((pk) => pk < USUAL.from || pk > USUAL.to).length
  const bare = read.lines.filter(({ isDefault }) => isDefault.unit).length
  const untyped = read.lines.filter(({ isDefault }) => isDefault.type).length
  return (
    <Flex component="section" direction="column" gap="xs" aria-label="What the values become">
      <ul className="small">
        {read.lines.slice(0, EXAMPLES).map(({ line, name, compound, value, measured }) => (
          <li key={line}>
            {`${name || compound}: ${value} is ${measured.value}, pK ${measured.bound === 'upper' ? '≤ ' : measured.bound === 'lower' ? '≥ ' : ''}${measured.pk.toFixed(2)}`}
          </li>
        ))}
      </ul>
      <Histogram pks={pks} />
      {bare > 0 && (
        <p className="small quiet">{`${countOf(bare, 'value')} without a unit: ${kind.unit === 'p' ? `p${kind.type}` : kind.unit}, as chosen.`}</p>
      )}
      {untyped > 0 && (
        <p className="small quiet">{`${countOf(untyped, 'value')} without a type: ${kind.type}, as chosen.`}</p>
      )}
      {unusual > 0 && (
        <Note tone="warning">{`${countOf(unusual, 'value')} with a pK below 2 or above 12. Is the unit right?`}</Note>
      )}
    </Flex>
  )
}

/** One bar per unit of pK, from 0 to 16. */
function Histogram({ pks }: { pks: number[] }) {
  const [low, high] = [Math.floor(Math.min(...pks)), Math.floor(Math.max(...pks))]
  const bins = Array.from({ length: high - low + 1 }, (_, at) => ({
    pk: low + at,
    count: pks.filter((pk) => Math.floor(pk) === low + at).length,
  }))
  const most = Math.max(...bins.map(({ count }) => count))
  return (
    <ol className={classes.bars} aria-label="Distribution of pK">
      {bins.map(({ pk, count }) => (
        <li key={pk} aria-label={`pK ${pk} to ${pk + 1}: ${count}`}>
          <span className={classes.bar} style={{ blockSize: `${(48 * count) / most}px` }} />
          <span className="small quiet">{pk}</span>
        </li>
      ))}
    </ol>
  )
}
