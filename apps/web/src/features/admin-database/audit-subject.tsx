/** Whom or what an action was about. A user is a link, by e-mail where the entry tells it. */
import { Link } from 'react-router'

type Props = { subject: string; before: unknown; after: unknown }

export function AuditSubject({ subject, before, after }: Props) {
  const [, userId] = /^user ([\da-f-]{36})$/.exec(subject) ?? []
  if (userId === undefined) return <span className="quiet">{subject}</span>
  return (
    <Link to={`/admin/users/${userId}`} title={userId}>
      {emailOf(after) ?? emailOf(before) ?? `user ${userId.slice(0, 8)}`}
    </Link>
  )
}

function emailOf(fields: unknown): string | null {
  if (typeof fields !== 'object' || fields === null || !('email' in fields)) return null
  return typeof fields.email === 'string' ? fields.email : null
}
