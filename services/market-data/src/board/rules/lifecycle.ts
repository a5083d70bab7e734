import type { Letter, Lifecycle, Outlook, VenueFlag } from '@svc/contracts/market-data/board'
import type { Trading } from '#listings/rules/listing.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const NEW_MS = 30 * DAY_MS
const HALT_SHOWN_MS = 15 * MINUTE_MS
const WATCH_GPA = 1.7
const WATCH_GPA_MS = DAY_MS
const WATCH_OUTLOOK_MS = 3 * DAY_MS
const WATCH_SCORE = 85
const AT_RISK_SCORE = 95
/** Volume grades of thinly traded pairs. */
const THIN_VOLUME: readonly (Letter | null)[] = ['D', 'D-', 'F']

/** Facts that determine the state of a token. Times in milliseconds. */
export interface LifecycleFacts {
  readonly trading: Trading
  readonly tradingSince: number
  readonly delistCause: string | null
  /** Null if the age of the listing is unknown. */
  readonly listedAt: number | null
  readonly flags: readonly VenueFlag[]
  readonly score: number | null
  readonly gpa: number | null
  readonly volumeGrade: Letter | null
  /** Whether a crisis episode of the pair is open. */
  readonly inCrisis: boolean
  /** Whether one is over and remembered. */
  readonly afterCrisis: boolean
  /** Since when the grade point average has been below the limit without interruption. */
  readonly lowGpaSince: number | null
  readonly worseningSince: number | null
}

export interface LifecycleVerdict {
  readonly state: Lifecycle
  readonly cause: string
}

/** Returns since when a condition holds, given the previous answer; null if it does not hold. */
export const sinceWhen = (holds: boolean, before: number | null, now: number): number | null =>
  holds ? (before ?? now) : null

export const gpaIsLow = (gpa: number | null): boolean => gpa !== null && gpa < WATCH_GPA
export const isWorsening = (outlook: Outlook | null): boolean => outlook === 'worsening'

/** Returns the most severe state whose condition holds, with the condition as its cause. */
export function lifecycleOf(facts: LifecycleFacts, now: number): LifecycleVerdict {
  if (facts.trading === 'delisted') return { state: 'delisted', cause: facts.delistCause ?? 'delisted' }
  // A short halt is shown only with its crisis: state and crisis then say the same.
  if (facts.trading === 'halted' && (facts.inCrisis || now - facts.tradingSince >= HALT_SHOWN_MS))
    return { state: 'halted', cause: 'venue_status' }
  const grave = graveFlag(facts.flags)
  if (grave !== null) return { state: 'at_risk', cause: `flag_${grave}` }
  if (isScoredAtRisk(facts)) return { state: 'at_risk', cause: 'risk_score' }
  if (facts.inCrisis) return { state: 'watch', cause: 'crisis_open' }
  if (facts.afterCrisis) return { state: 'watch', cause: 'crisis_recent' }
  if (facts.score !== null && facts.score >= WATCH_SCORE) return { state: 'watch', cause: 'risk_score' }
  if (facts.lowGpaSince !== null && now - facts.lowGpaSince >= WATCH_GPA_MS) return { state: 'watch', cause: 'low_gpa' }
  if (facts.worseningSince !== null && now - facts.worseningSince >= WATCH_OUTLOOK_MS)
    return { state: 'watch', cause: 'outlook_worsening' }
  if (facts.listedAt !== null && now - facts.listedAt < NEW_MS) return { state: 'new', cause: 'listed' }
  return { state: 'active', cause: 'trading' }
}

/** Every ranking has a last place: a score makes a pair `at_risk` only if it is also illiquid by an absolute measure. */
const isScoredAtRisk = ({ score, gpa, volumeGrade }: LifecycleFacts): boolean =>
  score !== null && score >= AT_RISK_SCORE && (gpaIsLow(gpa) || THIN_VOLUME.includes(volumeGrade))

const GRAVITY: readonly VenueFlag['meaning'][] = ['delisting_announced', 'warning', 'caution']

/** Returns the most severe official flag of the pair itself. */
function graveFlag(flags: readonly VenueFlag[]): VenueFlag['meaning'] | null {
  return GRAVITY.find((meaning) => flags.some((flag) => flag.meaning === meaning)) ?? null
}
