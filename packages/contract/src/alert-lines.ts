/** A user's own alerts as lines of text: a SMARTS, a space, and a name. */
import type { OwnAlert } from './alerts.ts'

/** The maximum length of a name on the server. */
const NAME_CHARACTERS_MAX = 80

/** Blank lines are ignored. A pattern without a name is named by its SMARTS. */
export function readAlertLines(text: string): OwnAlert[] {
  return text.split(/\r\n|\n|\r/).flatMap((line) => {
    const [smarts = '', ...words] = line.trim().split(/\s+/)
    if (smarts === '') return []
    return [{ name: words.join(' ') || nameOf(smarts), smarts }]
  })
}

export function writeAlertLines(patterns: OwnAlert[]): string {
  return patterns
    .map(({ name, smarts }) => (name === nameOf(smarts) ? smarts : `${smarts} ${name}`))
    .join('\n')
}

function nameOf(smarts: string): string {
  return smarts.slice(0, NAME_CHARACTERS_MAX)
}
