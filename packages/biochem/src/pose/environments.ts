/** The surroundings of each atom, as text, without bond orders: for matching atoms and for comparing molecules. */
import { neighboursOf, type Parts } from './molecule-parts.ts'

/** For each atom one text per radius of 0 to `radiusMax` bonds; `labels` describe single atoms. */
export function environmentsOf(parts: Parts, labels: string[], radiusMax = 3): string[][] {
  let current = labels
  const texts = labels.map((text) => [text])
  for (let radius = 1; radius <= radiusMax; radius++) {
    const last = current
    current = last.map((text, i) => {
      const around = neighboursOf(parts, i).map((j) => last[j] ?? '')
      return `${text}(${around.toSorted().join()})`
    })
    for (const [i, text] of current.entries()) texts[i]?.push(text)
  }
  return texts
}

const SIMILARITY_RADIUS = 2

/**
 * Tanimoto similarity over atom environments up to two bonds. Like a Morgan fingerprint but without bond orders, which
 * a ligand from a PDB file does not have.
 */
export function similarityWithoutOrders(one: Parts, other: Parts): number {
  const [first, second] = [environmentSet(one), environmentSet(other)]
  const shared = [...first].filter((text) => second.has(text)).length
  const all = first.size + second.size - shared
  return all === 0 ? 0 : shared / all
}

function environmentSet(parts: Parts): Set<string> {
  const labels = parts.elements.map((element, i) => {
    const ring = parts.isInRing[i] === true ? '*' : ''
    return `${element}${neighboursOf(parts, i).length}${ring}`
  })
  return new Set(environmentsOf(parts, labels, SIMILARITY_RADIUS).flat())
}
