import type { FieldError } from '@svc/contract'
import { SIGNAL_VALID_MAX_MS } from '@svc/contracts/gallery/signals'
import type { SignalSide } from './signal-hash.ts'

/** What an operator says. */
export interface GivenSignal {
  readonly market: string
  readonly side: SignalSide
  readonly weight_bps: number
  readonly limit_price: string | null
  readonly valid_until: string | null
  readonly note: string | null
}

/** Returns what is wrong with a signal that is published at `now`, by member. */
export function signalProblems(given: GivenSignal, now: Date): readonly FieldError[] {
  const problems: FieldError[] = []
  if ((given.side === 'flat') !== (given.weight_bps === 0))
    problems.push({
      pointer: '/body/weight_bps',
      code: 'side_and_weight',
      detail: 'must be 0 for flat, and above 0 for long and short',
    })
  if (given.side === 'flat' && given.limit_price !== null)
    problems.push({
      pointer: '/body/limit_price',
      code: 'limit_of_flat',
      detail: 'leave it out for flat: a close waits for no price',
    })
  const until = given.valid_until === null ? null : Date.parse(given.valid_until)
  if (until !== null && (until <= now.getTime() || until > now.getTime() + SIGNAL_VALID_MAX_MS))
    problems.push({ pointer: '/body/valid_until', code: 'out_of_range', detail: 'must lie ahead, by at most 7 days' })
  return problems
}

/** Returns true if two signals say the same. */
export const saysTheSame = (one: GivenSignal, other: GivenSignal): boolean =>
  one.market === other.market &&
  one.side === other.side &&
  one.weight_bps === other.weight_bps &&
  one.limit_price === other.limit_price &&
  one.valid_until === other.valid_until &&
  one.note === other.note
