/** A user's own alerts as lines of text: a SMARTS, a space, and a name. */
import type { OwnAlert } from '@pkdex/contract'

/** The maximum length of a name on the server. */
const NAME_CHARACTERS_MAX = 80

/** Blank lines are ignored. A pattern without a name is named by its SMARTS. */
export function readPatterns(text: string): OwnAlert[] {
  return text.split('\n').flatMap((line) => {
    const [smarts = '', ...words] = line.trim().split(/\s+/)
    if (smarts === '') return []
    return [{ name: words.join(' ') || nameless(smarts), smarts }]
  })
}

export function writePatterns(patterns: OwnAlert[]): string {
  return patterns
    .map(({ name, smarts }) => (name === nameless(smarts) ? smarts : `${smarts} ${name}`))
    .join('\n')
}

function nameless(smarts: string): string {
  return smarts.slice(0, NAME_CHARACTERS_MAX)
}
