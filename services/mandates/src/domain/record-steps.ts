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

/** Of entries in rising order, those that belong into this answer: the new ones up to the page's end, and the late ones. */
export function pageOf<T extends Grouped>(
  entries: readonly T[],
  since: number,
  pageMax: number,
): { readonly page: readonly T[]; readonly nextSince: number; readonly more: boolean } {
  const fresh = entries.filter(({ seq }) => seq > since)
  const page = [...entries.filter(({ seq }) => seq <= since), ...fresh.slice(0, pageMax)]
  return { page, nextSince: fresh.slice(0, pageMax).at(-1)?.seq ?? since, more: fresh.length > pageMax }
}
