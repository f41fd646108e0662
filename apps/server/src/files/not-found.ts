/** A name that none of the user's targets or compounds has. */
import { AppError } from '#server/platform/errors.ts'
import type { Kind } from './store.ts'

export function wordNotFound(kind: Kind, name: string): string {
  return `You have no ${kind.slice(0, -1)} named “${name}”.`
}

export function notFound(kind: Kind, name: string): AppError {
  return new AppError('not_found', wordNotFound(kind, name))
}
