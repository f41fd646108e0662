/** One sentence or two about what became of an upload. */
import type { Target, UploadAnswer } from '@pkdex/contract'

type Naming = Pick<UploadAnswer, 'names' | 'renamed' | 'unchanged'>

export function describeTarget({ renamed, unchanged }: Naming, targets: Target[]): string {
  const [target] = targets
  const [other] = renamed
  if (unchanged.length > 0) return `${target?.name} is there already, with the same content.`
  const read = `${target?.name}: chain ${target?.chain}, ${count(target?.residues ?? 0, 'residue')}.`
  return other === undefined
    ? read
    : `${read} Another structure is called ${other.from}; this one is ${other.to}.`
}

export function describeCompounds(naming: Naming, rejectedLines: number): string {
  const { names, renamed, unchanged } = naming
  const added = names.length - unchanged.length
  return [
    added > 0 ? `${count(added, 'compound')} read.` : '',
    unchanged.length > 0 ? `${count(unchanged.length, 'compound')} there already.` : '',
    renamed.length > 0 ? `${count(renamed.length, 'compound')} renamed.` : '',
    rejectedLines > 0
      ? `${count(rejectedLines, 'line')} ${rejectedLines === 1 ? 'was' : 'were'} not taken.`
      : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
