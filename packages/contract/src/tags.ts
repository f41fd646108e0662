/** Short words that a user puts on screens and make lists, to find them again. */
import { z } from 'zod'
import { NO_CONTROL_CHARACTERS } from './text.ts'

export const TAGS_MAX = 10
export const TAG_CHARACTERS_MAX = 40

/** Commas separate tags where several stand in one text. */
export const Tag = z
  .string()
  .max(TAG_CHARACTERS_MAX)
  .regex(NO_CONTROL_CHARACTERS, 'must not contain control characters')
  .regex(/^[^,]*$/, 'must not contain commas')

export const Tags = z
  .array(Tag)
  .max(TAGS_MAX)
  .describe(
    `At most ${TAGS_MAX}; they replace the earlier ones. Empty and repeated ones are dropped.`,
  )

/** As they are stored. */
export function toTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.normalize('NFC').trim()))].filter((tag) => tag !== '')
}
