/** Checks a screen for structural alerts before it is paid: how many compounds have one, and which are skipped. */
import type { ScreenQuote, ScreenRequest } from '@pkdex/contract'
import type { ReadFacts } from '#server/files/service.ts'
import type { InputRow, Plan } from './plan.ts'

type Flagged = NonNullable<ScreenQuote['flagged']>

type Checked = {
  /** Skipped compounds keep their row, with the alert as the reason. */
  plan: Plan
  flagged: Flagged
  leftOut: number
}

type Check = {
  userId: string
  plan: Plan
  lists: ScreenRequest['leave_out']
  /** No further check starts after this `performance.now()` time. */
  until?: number
}

export async function leaveOutFlagged(
  readFacts: ReadFacts,
  { userId, plan, lists = [], until = Infinity }: Check,
): Promise<Checked> {
  const standards = plan.rows.flatMap(({ standard }) => standard ?? [])
  const facts = await readFacts(userId, standards, { until })
  const flagged: Flagged = { count: 0, by_list: { PAINS: 0, Brenk: 0, own: 0 }, unchecked: 0 }
  let leftOut = 0
  const rows = plan.rows.map((row): InputRow => {
    if (row.standard === null) return row
    const known = facts.get(row.standard)
    if (known === undefined) flagged.unchecked += 1
    if (known === undefined || known.alerts.length === 0) return row
    flagged.count += 1
    for (const list of known.lists) flagged.by_list[list] += 1
    if (!lists.some((list) => known.lists.has(list))) return row
    leftOut += 1
    return { ...row, standard: null, reason: `Left out: ${known.alerts.join(', ')}.` }
  })
  const keys = plan.keys.map((key, at) => (rows[at]?.standard === null ? '' : key))
  const total = plan.targets.length * keys.filter((key) => key !== '').length
  return { plan: { ...plan, rows, keys, total }, flagged, leftOut }
}
