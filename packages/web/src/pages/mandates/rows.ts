import type { MandateSummary } from '@svc/contracts/mandates/mandate'
import type { MandateState } from '@svc/contracts/mandates/fields'
import type { Live } from './lives.ts'

/** A mandate as the list shows it; `live` is null while its figures are not known. */
export interface Row {
  readonly mandate: MandateSummary
  readonly live: Live | null
}

/** Groups of the list, in its order. */
export type Group = 'waiting' | 'working' | 'rest'
/** What the list can be narrowed to. */
export const filters = ['all', 'waiting', 'working', 'preparing', 'over'] as const
export type Filter = (typeof filters)[number]

const FILTERED: Readonly<Record<MandateState, Filter>> = {
  draft: 'preparing',
  signed: 'preparing',
  working: 'working',
  paused: 'working',
  stopped: 'over',
  ended: 'over',
  closed: 'over',
}
/** States whose figures change by themselves, so that they are polled. */
const MOVING: readonly MandateState[] = ['signed', 'working', 'paused', 'stopped', 'ended']
/** Greatest number of mandates whose figures are polled; the allowance of reads is 600 a minute. */
export const POLLED_MAX = 60

/** Returns the public ids whose figures are polled: the newest ones that can still change. */
export const polledIds = (mandates: readonly MandateSummary[]): readonly string[] =>
  mandates
    .filter(({ state }) => MOVING.includes(state))
    .slice(0, POLLED_MAX)
    .map(({ public_id }) => public_id)

/** Returns the state that is shown: the newest of the two answers. */
export const stateOf = ({ mandate, live }: Row): MandateState => live?.state ?? mandate.state

/** Returns how many actions wait for the owner; 0 while that is not known. */
export const waitingOf = ({ live }: Row): number => live?.approvals_waiting.length ?? 0

/** Returns the group of a row. */
export function groupOf(row: Row): Group {
  if (waitingOf(row) > 0) return 'waiting'
  return stateOf(row) === 'working' ? 'working' : 'rest'
}

/** Returns true if a filter shows a row. */
export function isShown(row: Row, filter: Filter): boolean {
  if (filter === 'all') return true
  if (filter === 'waiting') return waitingOf(row) > 0
  return FILTERED[stateOf(row)] === filter
}

const RANK: Readonly<Record<Group, number>> = { waiting: 0, working: 1, rest: 2 }
const STATE_RANK: Readonly<Record<MandateState, number>> = {
  working: 0,
  paused: 1,
  signed: 2,
  draft: 3,
  stopped: 4,
  ended: 5,
  closed: 6,
}

/** Compares two rows: what waits for the owner, then what works, then the rest by state; the newest change first. */
export function compareRows(one: Row, other: Row): number {
  const byGroup = RANK[groupOf(one)] - RANK[groupOf(other)]
  if (byGroup !== 0) return byGroup
  if (groupOf(one) === 'waiting') {
    const byDeadline = (deadlineOf(one) ?? '~').localeCompare(deadlineOf(other) ?? '~')
    if (byDeadline !== 0) return byDeadline
  }
  const byState = STATE_RANK[stateOf(one)] - STATE_RANK[stateOf(other)]
  if (byState !== 0) return byState
  return (
    other.mandate.changed_at.localeCompare(one.mandate.changed_at) ||
    one.mandate.public_id.localeCompare(other.mandate.public_id)
  )
}

/** Returns when the first waiting action expires; null without one. */
export function deadlineOf({ live }: Row): string | null {
  const [first] = (live?.approvals_waiting ?? []).map(({ expires_at }) => expires_at).toSorted()
  return first ?? null
}

/** Counts the rows that each filter shows. */
export const countsOf = (rows: readonly Row[]): Readonly<Record<Filter, number>> =>
  Object.fromEntries(filters.map((filter) => [filter, rows.filter((row) => isShown(row, filter)).length])) as Record<
    Filter,
    number
  >
