import { signedUnits, usdcUnits } from '@svc/contracts/common/usdc'
import type { LegStanding } from '@svc/contracts/hl-leg/money'
import { isOutage } from '@svc/service'
import type { Context } from '#context.ts'
import type { LegAtVenue } from './rules/leg-part.ts'

/** A leg as a mark counts it, with the times that order it against transfers. */
export interface LegReadingAt extends LegAtVenue {
  readonly readAt: Date | null
  /** When a transfer of the leg last changed its state. */
  readonly changedAt: Date | null
}

/** Maximum number of legs in one question. */
const ASKED_MAX = 100

/**
 * Asks for the legs of mandates. A mandate without a leg is missing from the result; null while hl-leg does not answer, so
 * that vaults without legs are still marked.
 */
export async function readLegs(
  { ask, log, settings }: Pick<Context, 'ask' | 'log' | 'settings'>,
  publicIds: readonly string[],
): Promise<ReadonlyMap<string, LegReadingAt> | null> {
  const found = new Map<string, LegReadingAt>()
  if (publicIds.length === 0) return found
  try {
    for (let from = 0; from < publicIds.length; from += ASKED_MAX) {
      const { legs } = await ask.legs.readLegWorths({
        public_ids: publicIds.slice(from, from + ASKED_MAX),
        for_mark: true,
      })
      for (const leg of legs) found.set(leg.public_id, legAt(leg))
    }
    return found
  } catch (error) {
    if (!isOutage(error)) throw error
    log.warn({ err: error, leg_enabled: settings.legEnabled }, 'legs not read')
    return null
  }
}

function legAt(leg: LegStanding): LegReadingAt {
  const { value_usdc, exit_usdc, foreign_usdc, read_at, row_changed_at } = leg
  return {
    value: value_usdc === null || exit_usdc === null ? null : signedUnits(value_usdc) - usdcUnits(exit_usdc),
    foreign: foreign_usdc === null ? null : signedUnits(foreign_usdc),
    delivered: usdcUnits(leg.delivered_usdc),
    left: usdcUnits(leg.left_usdc),
    endedOwed: usdcUnits(leg.ended_owed_usdc ?? '0'),
    withheld: leg.withheld_reason,
    readAt: read_at === null ? null : new Date(read_at),
    changedAt: row_changed_at === null ? null : new Date(row_changed_at),
  }
}
