import type { Series } from './slos.ts'

/** A condition that needs a person. */
export interface Alert {
  /** Also the name of its runbook. */
  readonly name: string
  /** page: now; ticket: within days. */
  readonly severity: 'page' | 'ticket'
  readonly summary: string
  readonly expr: string
  /** Minutes for which the condition must hold. */
  readonly minutes: number
  /**
   * Series, invented by hand, by which a test makes it fire and by which it stays silent. Without them `tools/flow/alerts` makes it
   * fire by an event, and takes the series from a process.
   */
  readonly fires?: Series
  readonly stays?: Series
  /** Minute at which the test looks; default 60. */
  readonly at?: number
}
