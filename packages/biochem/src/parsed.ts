/** What a parser gives back: the value, or the line and the reason that a person needs to mend the file. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; line: number; reason: string }

/** What was read, as a success. */
export function parsed<T>(value: T): Parsed<T> {
  return { ok: true, value }
}

/** `line` counts from 1; 0 means the file as a whole. */
export function unreadable(line: number, reason: string): Parsed<never> {
  return { ok: false, line, reason }
}
