/** An alert for the owner of a mandate. */
export interface OwnerAlert {
  readonly kind: string
  readonly severity: 'info' | 'warning' | 'critical'
  readonly text: string
  /** Names the occurrence: each is alerted once. */
  readonly about: string
  /** When the alert's request lapses by itself. */
  readonly endsAt?: Date
}

/** Alerts of a mandate: of the kinds and occurrences named; null means all of them. */
export interface AlertSelection {
  readonly kinds: readonly string[] | null
  readonly about: readonly string[] | null
}
