/** Business constants that client and server share. */

/** Time between two polls of a task. */
export const POLL_INTERVAL_MS = 1500
/** Half-width of the interval that is shown with every prediction, in pKd units. */
export const FIXED_INTERVAL_PKD = 1.5
/** Level of the fixed interval, in percent. */
export const FIXED_INTERVAL_PERCENT = 95
/** Longest name of a target or a compound, in characters. */
export const NAME_CHARACTERS_MAX = 200
