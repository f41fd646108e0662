/**
 * Counts the members that a query shares with each of many sets, where most members are in many sets. A member is a bitmap of
 * the sets that contain it, and bitmaps are added bit by bit like binary numbers, 32 sets at a time: an eighth of the
 * operations of adding 1 for each set of each member.
 */

/** Members from `from` to before `to`; a query's members are in this range. The result has at least one count per set. */
export function openSharedCounts(
  sets: Uint32Array[],
  { from, to }: { from: number; to: number },
): (query: Uint16Array) => Uint16Array {
  const words = Math.ceil(sets.length / 32)
  // The last bitmap is empty: queries are filled up with it.
  const maps = new Int32Array((to - from + 1) * words)
  for (const [place, set] of sets.entries()) {
    for (const member of set) {
      if (member < from || member >= to) continue
      const at = (member - from) * words + (place >> 5)
      maps[at] = (maps[at] as number) | (1 << (place & 31))
    }
  }

  return (query) => {
    const starts = new Uint32Array(Math.ceil(query.length / 4) * 4).fill((to - from) * words)
    for (let at = 0; at < query.length; at += 1) {
      starts[at] = ((query[at] as number) - from) * words
    }
    const counts = new Uint16Array(words * 32)
    for (let word = 0; word < words; word += 1) countWord(maps, starts, word, counts)
    return counts
  }
}

/** Enough for as many members as a query can have, beside `ones` and `twos`. */
const planes = new Int32Array(14)

/** Writes the counts of 32 sets. An index loop on purpose: it runs for every compound. */
function countWord(maps: Int32Array, starts: Uint32Array, word: number, counts: Uint16Array): void {
  let [ones, twos, used] = [0, 0, 0]
  for (let at = 0; at < starts.length; at += 4) {
    const a = maps[(starts[at] as number) + word] as number
    const b = maps[(starts[at + 1] as number) + word] as number
    const c = maps[(starts[at + 2] as number) + word] as number
    const d = maps[(starts[at + 3] as number) + word] as number
    const firstSum = a ^ b
    const first = (a & b) | (firstSum & ones)
    ones ^= firstSum
    const nextSum = c ^ d
    const next = (c & d) | (nextSum & ones)
    ones ^= nextSum
    const sum = first ^ next
    let carried = (first & next) | (sum & twos)
    twos ^= sum
    for (let plane = 0; carried !== 0; plane += 1) {
      const before = plane < used ? (planes[plane] as number) : 0
      planes[plane] = before ^ carried
      carried &= before
      if (plane >= used) used = plane + 1
    }
  }
  for (let lane = 0; lane < 32; lane += 1) {
    let count = ((ones >>> lane) & 1) + ((twos >>> lane) & 1) * 2
    for (let plane = 0; plane < used; plane += 1) {
      count += (((planes[plane] as number) >>> lane) & 1) << (plane + 2)
    }
    counts[word * 32 + lane] = count
  }
}
