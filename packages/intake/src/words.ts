/** Pasted lines of words: compound, value and unit, separated by spaces. */
import { isNumberWord } from './marks.ts'

/** One value to read, with its cells. */
export type ValueLine = {
  line: number
  text: string
  compound: string
  name: string
  value: string
  unit: string
  type: string
  relation: string
}

export function splitWords(text: string): ValueLine[] {
  return text.split(/\r\n|\r|\n/).flatMap((said, at) => {
    if (said.trim() === '') return []
    const [compound = '', value = ''] = said.length > 5000 ? [''] : cut(said)
    return [
      {
        line: at + 1,
        text: said,
        compound: compound.trim(),
        name: '',
        value,
        unit: '',
        type: '',
        relation: '',
      },
    ]
  })
}

/** The value is the first number after the compound that only units follow, with its sign; the compound may have spaces. */
function cut(line: string): string[] {
  const words = [...line.matchAll(/\S+/g)]
  let at = words.findLastIndex(([word]) => isNumberWord(word))
  // An error or a count behind the value is not the value.
  while (at > 1 && /^(?:±|\+\/?-|\(?n=?|=)$/iu.test(words[at - 1]?.[0] ?? '')) {
    at = words.slice(0, at - 1).findLastIndex(([word]) => isNumberWord(word))
  }
  const isSigned = /^["']?[<>≤≥~=≈]+["']?$/u.test(words[at - 1]?.[0] ?? '')
  const first = isSigned ? at - 1 : at
  const value = words[first]
  if (first < 1 || value === undefined) return [line]
  return [line.slice(0, value.index).trim(), line.slice(value.index).trim()]
}
