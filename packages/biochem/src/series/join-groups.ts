/**
 * Joins a core and groups. Most positions of most compounds carry hydrogen, so a core with its hydrogens in place is
 * built once and cached.
 */
import { type RdkitModule, type RdkitMolecule, trapped } from '../smiles/rdkit.ts'
import type { SeriesRow } from './decompose.ts'

type Parts = Pick<SeriesRow, 'core' | 'groups'>

export type Joiner = {
  /**
   * The molecule of a core and groups, as canonical SMILES; null if they do not fit, for example a double-bonded group on
   * a core that has a single bond there.
   */
  join(parts: Parts): string | null
  /** Frees the cached cores. */
  delete(): void
}

/** Throws an `RdkitTrap` if RDKit breaks; it cannot be used after that. */
export function openJoiner(rdkit: RdkitModule): Joiner {
  const cores = new Map<string, RdkitMolecule | null>()

  const coreWith = (core: string, hydrogens: string[]) => {
    const key = [core, ...hydrogens].join(' ')
    const known = cores.get(key)
    if (known !== undefined) return known
    const smiles = hydrogens.length === 0 ? core : zip(rdkit, core, hydrogens)
    const read = smiles === null ? null : rdkit.get_mol(smiles)
    cores.set(key, read)
    return read
  }

  return {
    join: ({ core, groups }) =>
      trapped(() => {
        // A bridged group is listed at two positions but is one part.
        const parts = [...new Set(Object.values(groups))].toSorted()
        const others = parts.filter((part) => !isHydrogen(part))
        const filled = coreWith(core, parts.filter(isHydrogen))
        if (filled === null) return null
        return cleanSmiles(
          rdkit,
          others.length === 0 ? filled.get_smiles() : zip(rdkit, filled, others),
        )
      }),
    delete: () => {
      for (const core of cores.values()) core?.delete()
      cores.clear()
    },
  }
}

/** For a single molecule. */
export function joinGroups(rdkit: RdkitModule, parts: Parts): string | null {
  const joiner = openJoiner(rdkit)
  const smiles = joiner.join(parts)
  joiner.delete()
  return smiles
}

function isHydrogen(part: string): boolean {
  return /^\[H\]\[\*:\d+\]$/.test(part)
}

/** Null if a part does not fit: RDKit throws then, but remains usable. */
function zip(rdkit: RdkitModule, core: RdkitMolecule | string, parts: string[]): string | null {
  using read = typeof core === 'string' ? rdkit.get_mol(core) : null
  using others = rdkit.get_mol(parts.join('.'))
  const into = typeof core === 'string' ? read : core
  if (into === null || others === null) return null
  try {
    using joined = rdkit.molzip(into, others)
    return joined?.get_smiles() ?? null
  } catch {
    return null
  }
}

/** Parses the SMILES again, so that explicit hydrogens become implicit; null if an attachment point remains. */
function cleanSmiles(rdkit: RdkitModule, joined: string | null): string | null {
  using clean = joined === null ? null : rdkit.get_mol(joined)
  const smiles = clean?.get_smiles() ?? null
  return smiles === null || /[*.]/.test(smiles) ? null : smiles
}
