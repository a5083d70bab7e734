/** What of an entry decides where it stands. */
export interface Grouped {
  readonly seq: number
  readonly tx_hash: string | null
  readonly approval_id: string | null
}

/** Entries of one transaction are one group, those of one held call another; every other entry stands alone. */
export function groupOf({ seq, tx_hash, approval_id }: Grouped): string {
  if (tx_hash !== null) return `tx:${tx_hash}`
  return approval_id === null ? `entry:${seq}` : `approval:${approval_id}`
}
