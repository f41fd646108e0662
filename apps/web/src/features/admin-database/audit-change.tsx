/** What an action changed: field by field where both sides name it, before and after it. */
import classes from './audit-change.module.css'

type Props = { before: unknown; after: unknown }

export function AuditChange({ before, after }: Props) {
  const changes = changesOf(before, after)
  if (changes.length === 0) return <span className={`faint ${classes.nothing}`}>–</span>
  return (
    <ul className={classes.changes}>
      {changes.map(({ field, from, to }) => (
        <li key={field}>
          <span className="quiet">{field}</span> {from !== undefined && <del>{show(from)}</del>}
          {from !== undefined && to !== undefined && <span aria-hidden="true"> → </span>}
          {to !== undefined && <ins>{show(to)}</ins>}
        </li>
      ))}
    </ul>
  )
}

type Change = { field: string; from: unknown; to: unknown }

/** Fields that stayed the same are left out, and the id: it stands beside the action. */
function changesOf(before: unknown, after: unknown): Change[] {
  const from = fieldsOf(before)
  const to = fieldsOf(after)
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .map((field) => ({ field, from: from[field], to: to[field] }))
    .filter(({ field, from: one, to: other }) => field !== '_id' && show(one) !== show(other))
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {}
  return typeof value === 'object' ? { ...value } : { value }
}

function show(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
