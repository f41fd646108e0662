/** A day, with the time on hover; `Never` if there is none. */
import { formatDay, formatMinute } from './format.ts'

export function Day({ at }: { at: string | null }) {
  if (at === null) return <span className="quiet">Never</span>
  return (
    <time dateTime={at} title={formatMinute(at)}>
      {formatDay(at)}
    </time>
  )
}
