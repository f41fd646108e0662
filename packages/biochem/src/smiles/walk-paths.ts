import type { MoleculeGraph } from './molecule-graph.ts'

/**
 * Visits each path of up to `longest` bonds once, as its atoms. They are distinct but for the last one, which may be one of
 * those before: a ring, or a ring with a tail. The array is reused: copy what must last.
 */
export function walkPaths(
  { neighbours }: MoleculeGraph,
  longest: number,
  visit: (path: readonly number[]) => void,
): void {
  const around = neighbours.map((some) => some.map(({ index }) => index))
  const path: number[] = []

  function extend(atom: number): void {
    path.push(atom)
    // From each of its ends a path is found once.
    if (path.length === 1 || (path[0] as number) < atom) visit(path)
    if (path.length <= longest) for (const next of around[atom] as number[]) goOn(next)
    path.pop()
  }

  function goOn(next: number): void {
    const last = path.length - 1
    if (next === path[last - 1]) return
    const place = path.indexOf(next)
    if (place === -1) extend(next)
    else if (isFirstFound(place)) {
      path.push(next)
      visit(path)
      path.pop()
    }
  }

  /** A ring is found in both directions, and from each of its atoms if it has no tail. */
  function isFirstFound(place: number): boolean {
    const last = path.at(-1) as number
    return (path[place + 1] as number) < last && (place > 0 || Math.min(...path) === path[0])
  }

  for (const atom of around.keys()) extend(atom)
}
