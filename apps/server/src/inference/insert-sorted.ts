/** Into a sorted list of at most `count`, behind the members that stay before it; the last of a full list goes. */
export function insertSorted<One>(
  list: One[],
  one: One,
  count: number,
  staysBefore: (other: One) => boolean,
): void {
  let rank = list.length
  for (; rank > 0; rank -= 1) {
    const before = list[rank - 1]
    if (before === undefined || staysBefore(before)) break
    if (rank < count) list[rank] = before
  }
  if (rank < count) list[rank] = one
}
