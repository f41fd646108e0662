/** Says why a character cannot stand where it does in a SMILES, in words that help to mend it. */

const reasons: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^\[/, 'This "[" is never closed'],
  [/^\]/, 'This "]" was never opened'],
  [/^>/, 'A ">" makes this a reaction; only single molecules are read'],
  [/^\*/, 'The wildcard "*" stands for any atom: this is not one molecule'],
  [
    /^[~!&;@^{}]/,
    'This character belongs to a search pattern (SMARTS) or a query, not to a molecule',
  ],
  [/^%/, 'A "%" must be followed by a ring number of two digits'],
  [/^[,]/, 'A comma is not part of a SMILES; write a space between the SMILES and the name'],
  [/^["']/, 'Quotation marks are not part of a SMILES'],
  [/^\s/, 'A SMILES holds no spaces or line breaks'],
  [/^\|/, 'A "|" is not part of a SMILES'],
]

export function explainCharacter(smiles: string, index: number): string {
  const character = String.fromCodePoint(smiles.codePointAt(index) ?? 0)
  const known = reasons.find(([pattern]) => pattern.test(character))
  if (known) return known[1]
  const code = character.codePointAt(0) ?? 0
  if (code < 32 || (code >= 127 && code < 160)) return 'There is a control character in the SMILES'
  if (code > 126) return `"${character}" is not an ASCII character, and a SMILES has no others`
  if (/[A-Za-z]/.test(character)) {
    return `"${character}" is not an atom that can stand without brackets`
  }
  return `"${character}" is not part of a SMILES`
}
