/** Random choices and molecules, the same for the same seed. */

/** Numbers from 0 to 1, by Park and Miller's minimal standard generator. Their timing still depends on the machine. */
export function makeRandom(start: number): () => number {
  let state = (start % 2_147_483_646) + 1
  return () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** Lines of distinct alcohols, starting from a number. */
export function makeMolecules(from: number, count: number): string {
  return Array.from({ length: count }, (_, at) => {
    const branches = (from + at + 1).toString(2).replaceAll('0', 'C').replaceAll('1', 'C(C)')
    return `C${branches}O`
  }).join('\n')
}
