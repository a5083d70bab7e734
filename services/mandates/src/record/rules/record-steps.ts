/** The members of an entry that decide its group. */
export interface Grouped {
  readonly seq: number
  readonly tx_hash: string | null
  /** The transaction, else the held call, that it belongs to. */
  readonly group_key: string | null
}

/** Returns the group of an entry: one per transaction, else one per held call, else one per entry. */
export function groupOf({ seq, tx_hash, group_key }: Grouped): string {
  if (tx_hash !== null) return `tx:${tx_hash}`
  return group_key === null ? `entry:${seq}` : `approval:${group_key}`
}

/**
 * As many of the groups as fit, whole, because a reader replaces a group by what it gets of it: first those with entries
 * after `since`, in their order, then late ones. What is new and does not fit comes with the next read: `nextSince` is
 * before it. A single group always fits.
 */
export function wholeGroups<T extends Grouped>(
  entries: readonly T[],
  since: number,
  pageEnd: number,
  max: number,
): { readonly steps: readonly T[]; readonly nextSince: number } {
  const firstNew = (group: readonly T[]) => Math.min(...group.map(({ seq }) => (seq > since ? seq : Infinity)))
  const groups = [...Map.groupBy(entries, groupOf).values()].toSorted(
    (one, other) => firstNew(one) - firstNew(other) || 0,
  )
  const steps: T[] = []
  let nextSince = pageEnd
  for (const group of groups) {
    if (steps.length > 0 && steps.length + group.length > max) {
      nextSince = Math.min(pageEnd, firstNew(group) - 1)
      break
    }
    steps.push(...group)
  }
  return { steps: steps.toSorted((one, other) => one.seq - other.seq), nextSince }
}
