/** Lists the modified residues that are read as their standard parent, most frequent first. */
import type { Chain, Structure } from './structure.ts'

export function listMapped(chains: readonly Chain[]): Structure['mapped'] {
  const counts = new Map<string, { from: string; to: string; count: number }>()
  for (const residue of chains.flatMap((chain) => chain.residues)) {
    if (residue.name === residue.parent || residue.letter === 'X') continue
    const entry = counts.get(residue.name) ?? { from: residue.name, to: residue.parent, count: 0 }
    entry.count++
    counts.set(residue.name, entry)
  }
  return [...counts.values()].toSorted((one, other) => other.count - one.count)
}
