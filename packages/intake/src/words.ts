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
  return text.split(/\r\n|\r|\n/).flatMap((line, at) => {
    if (line.trim() === '') return []
    const [compound = '', value = ''] = line.length > 5000 ? [''] : cut(line)
    return [
      {
        line: at + 1,
        text: line,
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

/** Types and relations in words, which belong to the value. */
const leadWord =
  /^(?:[=:<>~≈≤≥]+|p?(?:k[di]|ic50):?|than|less|more|greater|at|least|most|up|to|over|under|above|below|ca\.?|c\.|circa|about|around|approx\.?|approximately)$/iu

/** The value is the first number after the compound that only units follow, with its sign; the compound may have spaces. */
function cut(line: string): string[] {
  const words = [...line.matchAll(/\S+/g)]
  let at = words.findLastIndex(([word]) => isNumberWord(word))
  // An error or a count behind the value is not the value.
  while (at > 1 && /^(?:±|\+\/?-|\(?n=?|=)$/iu.test(words[at - 1]?.[0] ?? '')) {
    at = words.slice(0, at - 1).findLastIndex(([word]) => isNumberWord(word))
  }
  const isSigned = /^["']?[<>≤≥~=≈]+["']?$/u.test(words[at - 1]?.[0] ?? '')
  let first = isSigned ? at - 1 : at
  while (first > 1 && leadWord.test(words[first - 1]?.[0] ?? '')) first -= 1
  const value = words[first]
  if (first < 1 || value === undefined) return [line]
  return [line.slice(0, value.index).trim(), line.slice(value.index).trim()]
}
