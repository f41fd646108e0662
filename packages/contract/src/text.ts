/** Kinds of text that many parts of the contract use. */
import { z } from 'zod'

/** No control characters. Written out: JSON Schema validators in other languages do not know `\P{Cc}`. */
// oxlint-disable-next-line no-control-regex -- these are the ones
export const NO_CONTROL_CHARACTERS = /^[^\u0000-\u001F\u007F-\u009F]*$/

/** A moment as ISO 8601 in UTC. Named in the OpenAPI document, but not validated: the server writes it. */
export const Moment = z.string().meta({ format: 'date-time' })
