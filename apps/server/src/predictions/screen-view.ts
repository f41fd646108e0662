/** The rows of a screen as its page shows them: chosen columns in their order, a row per pair or per compound. */
import { columns, fileHeading, type ScreenTarget } from '@pkdex/contract'
import { AppError } from '#server/platform/errors.ts'
import type { WideRow, WideTable } from './own-columns.ts'
import { standardOf, withStandard } from './standard-smiles.ts'

type View = {
  /** Names of columns with commas between; `@2`: of the second target. */
  columns: string
  by: 'pair' | 'compound'
  targets: ScreenTarget[]
}

export function viewTable({ pages }: WideTable, { by, targets, ...view }: View): WideTable {
  const shown = view.columns.split(',').map((token) => readToken(token, targets))
  const width = by === 'compound' ? targets.length : 1
  return {
    columns: shown.map(({ heading }) => heading),
    async *pages(from, to) {
      let waiting: WideRow[] = []
      for await (const page of pages(from * width, to * width)) {
        waiting.push(...page)
        const whole = Math.floor(waiting.length / width)
        yield Array.from({ length: whole }, (_, at) =>
          joinPairs(waiting.slice(at * width, (at + 1) * width), shown),
        )
        waiting = waiting.slice(whole * width)
      }
    },
  }
}

type ShownColumn = {
  heading: string
  /** That of the same column in a row of a pair. */
  own: string
  /** Index of its target among those of the compound; null: of the strongest pair. */
  place: number | null
}

function readToken(token: string, targets: ScreenTarget[]): ShownColumn {
  const [name = '', number] = token.split('@')
  const target = number === undefined ? null : targets[Number(number) - 1]
  if (!isColumn(name) || target === undefined) {
    throw new AppError('invalid_request', `The screen has no column “${token}”.`)
  }
  const own = fileHeading(name)
  if (target === null) return { heading: own, own, place: null }
  const isAlone = targets.filter((one) => one.name === target.name).length === 1
  const title = isAlone ? target.name : `${target.name}, chain ${target.chain}`
  return { heading: `${title} ${own}`, own, place: Number(number) - 1 }
}

/** Poses have their columns in files under other names than in rows. */
const ofPoses = ['structure_adjusted_kd', 'structure_lower', 'structure_upper']

function isColumn(name: string): boolean {
  return Object.hasOwn(columns, name) || ofPoses.includes(name)
}

const BEST = fileHeading('best_kd')

function joinPairs(pairs: WideRow[], shown: ShownColumn[]): WideRow {
  const numberOf = (row: WideRow) => (typeof row[BEST] === 'number' ? row[BEST] : -Infinity)
  const strongest = pairs.toSorted((a, b) => numberOf(b) - numberOf(a))[0] ?? {}
  const cells = shown.map(({ heading, own, place }) => {
    return [heading, (place === null ? strongest : pairs[place])?.[own]]
  })
  return withStandard(Object.fromEntries(cells), standardOf(strongest))
}
