/** What of an entry decides where it stands. */
export interface Grouped {
  readonly seq: number
  readonly tx_hash: string | null
  /** The transaction, else the held call, that it belongs to. */
  readonly group_key: string | null
}

/** Entries of one transaction are one group, those of one held call another; every other entry stands alone. */
export function groupOf({ seq, tx_hash, group_key }: Grouped): string {
  if (tx_hash !== null) return `tx:${tx_hash}`
  return group_key === null ? `entry:${seq}` : `approval:${group_key}`
}
