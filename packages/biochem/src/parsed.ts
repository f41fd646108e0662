/** The result of a parser: the value, or the line and the reason, so that the file can be corrected. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; line: number; reason: string }

/** A successful result. */
export function parsed<T>(value: T): Parsed<T> {
  return { ok: true, value }
}

/** `line` counts from 1; 0 means the file as a whole. */
export function unreadable(line: number, reason: string): Parsed<never> {
  return { ok: false, line, reason }
}
