/** Kinds of refusals in the order in which they are drawn; another kind follows them. */
export const KINDS = [
  'TargetNotAllowed',
  'OverPerTxCap',
  'OverDailyCap',
  'MandateStopped',
  'MandateEnded',
  'server_guard',
  'owner_declined',
] as const
export type Kind = (typeof KINDS)[number]

/** Part of a rail of refusals. */
export interface KindPart {
  readonly kind: string
  readonly count: number
  /** Share of the longest rail of the list. */
  readonly share: number
}

const placeOf = (kind: string): number => {
  const at = (KINDS as readonly string[]).indexOf(kind)
  return at < 0 ? KINDS.length : at
}

/** Returns the parts of a rail of refusals; `most` is the greatest total of the list. */
export function kindParts(byKind: Readonly<Record<string, number>>, most: number): readonly KindPart[] {
  return Object.entries(byKind)
    .filter(([, count]) => count > 0)
    .toSorted(([a], [b]) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1))
    .map(([kind, count]) => ({ kind, count, share: most > 0 ? count / most : 0 }))
}
