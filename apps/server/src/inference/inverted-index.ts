import { keepPrivate, type NumbersOf, type Share } from './shared-arrays.ts'

/** Counts the members that sets of integers share with a query. Visits only sets that share something. */
export type InvertedIndex = {
  /** Size of each set. */
  sizes: Uint32Array
  /** How many of the members each set contains. */
  countShared(members: Iterable<number>): Uint32Array
}

export const PLACES_IN_TWO_BYTES = 65_536

/** Members are 0 or more; memory grows with the largest. */
export function invertSets(sets: (number[] | Uint32Array)[], share = keepPrivate): InvertedIndex {
  const sizes = Uint32Array.from(sets, ({ length }) => length)
  const forEachMember: ForEachMember = (visit) => {
    for (const [place, set] of sets.entries()) for (const member of set) visit(place, member)
  }
  const members = countMembers(forEachMember)
  const Places = sets.length <= PLACES_IN_TWO_BYTES ? Uint16Array : Uint32Array
  const { starts, holders } = listHolders<Uint16Array | Uint32Array>(
    forEachMember,
    members,
    Places,
    share,
  )

  function countShared(members: Iterable<number>): Uint32Array {
    const shared = new Uint32Array(sizes.length)
    for (const member of members) {
      addOne(shared, holders, starts[member] ?? 0, starts[member + 1] ?? 0)
    }
    return shared
  }

  return { sizes, countShared }
}

/** Adds 1 at each of these places. Takes arrays as arguments on purpose: as captured ones they are several times slower. */
function addOne(
  counts: Uint32Array,
  places: Uint16Array | Uint32Array,
  start: number,
  end: number,
): void {
  for (let at = start; at < end; at += 1) {
    const place = places[at] as number
    counts[place] = (counts[place] as number) + 1
  }
}

/** Calls back with the place of each set and each of its members. */
type ForEachMember = (visit: (place: number, member: number) => void) => void

/**
 * Places of the sets that contain member m: `holders` from `starts[m]` to before `starts[m + 1]`. Members are counted
 * first, then filled in: one list per member would take several times as long at every start.
 */
export function listHolders<Places extends Uint16Array | Uint32Array>(
  forEachMember: ForEachMember,
  members: number,
  kind: NumbersOf<Places>,
  share: Share = keepPrivate,
): { starts: Uint32Array; holders: Places } {
  const starts = share(Uint32Array, () => {
    const counts = new Uint32Array(members + 1)
    forEachMember((_place, member) => {
      counts[member + 1] = (counts[member + 1] ?? 0) + 1
    })
    let total = 0
    return counts.map((count) => (total += count))
  })
  const holders = share(kind, () => {
    const ends = starts.slice()
    const filled = new kind(starts[members] ?? 0)
    forEachMember((place, member) => {
      const end = ends[member] ?? 0
      filled[end] = place
      ends[member] = end + 1
    })
    return filled
  })
  return { starts, holders }
}

/** The largest member plus one. */
function countMembers(forEachMember: ForEachMember): number {
  let count = 0
  forEachMember((_place, member) => {
    count = Math.max(count, member + 1)
  })
  return count
}
