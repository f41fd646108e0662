/**
 * Cuts a full sequence like a crystallised construct: one stretch of it, with a few unresolved loops. Models are
 * trained on such cuts because users upload constructs, not full sequences.
 */

export type Random = () => number

const LENGTH_MIN = 60
const SHARE_MIN = 0.25
const GAPS_MAX = 3
const GAP_LENGTH_MIN = 3
const GAP_LENGTH_SPAN = 15

export function cropSequence(sequence: string, random: Random): string[] {
  const share = SHARE_MIN + (1 - SHARE_MIN) * random()
  const length = Math.min(
    sequence.length,
    Math.max(LENGTH_MIN, Math.round(sequence.length * share)),
  )
  const start = Math.floor(random() * (sequence.length - length + 1))
  return cutGaps(sequence.slice(start, start + length), random)
}

/** A small seeded generator (mulberry32), so that an export is reproducible bit for bit. */
export function seededRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function cutGaps(stretch: string, random: Random): string[] {
  let segments = [stretch]
  const gaps = Math.floor(random() * (GAPS_MAX + 1))
  for (let gap = 0; gap < gaps; gap += 1) segments = segments.flatMap(cutLongest(segments, random))
  return segments.filter((segment) => segment.length > 0)
}

function cutLongest(
  segments: string[],
  random: Random,
): (segment: string, index: number) => string[] {
  const longest = segments.reduce(
    (best, segment, index) => (segment.length > (segments[best]?.length ?? 0) ? index : best),
    0,
  )
  return (segment, index) => {
    if (index !== longest) return [segment]
    const length = GAP_LENGTH_MIN + Math.floor(random() * GAP_LENGTH_SPAN)
    const at = Math.floor(random() * segment.length)
    return [segment.slice(0, at), segment.slice(at + length)]
  }
}
