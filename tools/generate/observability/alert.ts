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
   * Series, invented by hand, by which a test makes it fire and by which it stays silent: only for metrics of others, whose exporters do
   * not run here. Any other alert is made to fire by an event, and its series are those of a process (`@svc/testing/alerts`).
   */
  readonly fires?: Series
  readonly stays?: Series
  /** Minute at which the test looks; default 60. */
  readonly at?: number
}
