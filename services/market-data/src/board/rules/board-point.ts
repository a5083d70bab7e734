import type { BoardRow, Lifecycle, Outlook, VenueFlag } from '@svc/contracts/market-data/board'
import type { OpenAlert } from '@svc/contracts/market-data/crisis'
import { letterOf } from './grades.ts'

/** Words by their stored codes. A word keeps its place for ever; new words go to the end. */
const LETTERS = ['A+', 'A', 'A-', 'B+', 'B', 'B-', 'C+', 'C', 'C-', 'D+', 'D', 'D-', 'F'] as const
const LIFECYCLES = ['new', 'active', 'watch', 'at_risk', 'halted', 'delisted'] as const satisfies Lifecycle[]
const OUTLOOKS = ['improving', 'stable', 'worsening'] as const satisfies Outlook[]
const FLAGS = ['caution', 'warning', 'margin_delisting', 'delisting_announced', 'delisted_elsewhere'] as const
const RULES = [
  'crash',
  'liquidity_withdrawal',
  'spread_blowout',
  'halt',
  'depeg',
  'official_notice',
  'cross_venue_gap',
] as const
const COMPONENTS = ['spread', 'depth', 'volume', 'stability'] as const

/** Bits of `state`. */
const OUTLOOK_SHIFT = 4
const BOUND = 1 << 8
const ALERTS_KNOWN = 1 << 9
const FLAG_SHIFT = 12

/** The members of a row that need codes. */
export interface PointCodes {
  readonly grades: number
  readonly state: number
  readonly alerts: number
}

type Coded = Pick<BoardRow, 'grades' | 'lifecycle' | 'outlook' | 'depth_is_lower_bound' | 'flags' | 'alerts'>

/** Throws for a word without a code: a history must not forget one silently. */
function codeOf<T extends string>(words: readonly T[], word: T): number {
  const code = words.indexOf(word)
  if (code < 0) throw new RangeError(`${word} has no code in the history of the board`)
  return code
}

/** Returns the codes of a row; zero is unknown, except in `lifecycle`. */
export function encodePoint(row: Coded): PointCodes {
  let grades = 0
  for (const [place, component] of COMPONENTS.entries()) {
    const grade = row.grades[component]
    if (grade !== null) grades |= (codeOf(LETTERS, grade) + 1) << (place * 4)
  }
  let state = codeOf(LIFECYCLES, row.lifecycle)
  if (row.outlook !== null) state |= (codeOf(OUTLOOKS, row.outlook) + 1) << OUTLOOK_SHIFT
  if (row.depth_is_lower_bound) state |= BOUND
  for (const { meaning } of row.flags) state |= 1 << (FLAG_SHIFT + codeOf(FLAGS, meaning))
  let alerts = 0
  if (row.alerts !== null) {
    state |= ALERTS_KNOWN
    for (const { rule, severity } of row.alerts) alerts |= severity << (codeOf(RULES, rule) * 2)
  }
  return { grades, state, alerts }
}

/** The same members as a history returns them. */
export interface DecodedPoint extends Pick<BoardRow, 'grades' | 'lifecycle' | 'outlook' | 'depth_is_lower_bound'> {
  readonly flags: VenueFlag['meaning'][]
  readonly alerts: Pick<OpenAlert, 'rule' | 'severity'>[] | null
}

/** Returns what `encodePoint` encoded. */
export function decodePoint({ grades, state, alerts }: PointCodes): DecodedPoint {
  const gradeAt = (place: number) => LETTERS[((grades >> (place * 4)) & 15) - 1] ?? null
  const severityOf = (place: number) => (alerts >> (place * 2)) & 3
  return {
    grades: { spread: gradeAt(0), depth: gradeAt(1), volume: gradeAt(2), stability: gradeAt(3) },
    lifecycle: LIFECYCLES[state & 15] ?? 'active',
    outlook: OUTLOOKS[((state >> OUTLOOK_SHIFT) & 15) - 1] ?? null,
    depth_is_lower_bound: (state & BOUND) !== 0,
    flags: FLAGS.filter((_, place) => (state & (1 << (FLAG_SHIFT + place))) !== 0),
    alerts:
      (state & ALERTS_KNOWN) === 0
        ? null
        : RULES.flatMap((rule, place) => (severityOf(place) === 0 ? [] : [{ rule, severity: severityOf(place) }])),
  }
}

/** Returns the letter of hundredths of a grade point average. */
export const letterOfHundredths = (gpa: number | null): BoardRow['grade'] => (gpa === null ? null : letterOf(gpa / 100))
