/** Words for counts and lists, kept short however many there are. */

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** The first few of a list, and how many more there are. */
export function nameSome(names: readonly string[], shown = 6): string {
  const distinct = [...new Set(names)]
  const first = distinct.slice(0, shown).join(', ')
  return distinct.length > shown ? `${first} and ${distinct.length - shown} more` : first
}
