import { refuse, type InputOf } from '@svc/contract'
import { signedUnits, usdcUnits } from '@svc/contracts/common/usdc'
import type { hlLeg } from '@svc/contracts/hl-leg'
import { transferConflict } from '@svc/contracts/hl-leg/money'
import { countAlarm, isOutage } from '@svc/service'
import type { Context } from '#context.ts'
import { askMode } from '#legs/ask-mode.ts'
import { readLeg, type Leg } from '#legs/store/legs.ts'
import { explainNow } from './explain-leg.ts'
import { fallbackOf, feeOwed, owedBy, type Fallback } from './rules/fallback.ts'
import { lastExplained, type Explanation } from './store/explanations.ts'

type Input = InputOf<typeof hlLeg.operations.openLegTransfer>

/** How a leg ends, with the fee that its owner owes for what the vault does not get. Base units of USDC. */
export interface End extends Fallback {
  readonly fee: bigint
}

/** Less than this is not owed: 0.01 USDC. */
const DUST = 10_000n
const conflict = (why: string): never => refuse(transferConflict, why)

/**
 * Reads what a leg that keeper wants to end owes now: mode, account and equation are asked for in this very step. Before the
 * fallback only a flat leg that owes nothing may end; refuses any other. Returns null for a transfer that ends nothing.
 */
export async function readEnd(context: Context, { kind, public_id, ...given }: Input): Promise<End | null> {
  if (kind !== 'closing' && kind !== 'fallback') return null
  const leg = (await readLeg(context.pool, public_id)) ?? conflict('The mandate has no leg.')
  if (kind === 'closing') return requireNothingOwed(await explainedNow(context, leg))
  const [mandate] = (await context.mandates.listLegMandates({ public_ids: [public_id] })).mandates
  if (mandate === undefined) return conflict('The mandate is unknown.')
  const known = {
    now: await explainedNow(context, leg).catch((error: unknown) => unlessOutage(context, leg, error)),
    lately: await lastExplained(context.pool, public_id),
    marked: given.marked_usdc == null ? null : usdcUnits(given.marked_usdc),
    legOut: usdcUnits(given.amount_usdc),
  }
  const end = fallbackOf(known) ?? nothingKnown(context, leg)
  const profit = mandate.vault?.profit_usdc
  const fee = feeOwed(end, {
    profit: profit == null ? null : signedUnits(profit),
    feeBps: BigInt(mandate.limits.fee_bps),
    legOut: known.legOut,
  })
  return { ...end, fee }
}

/** Returns the explained reading of now; null for an account in another mode, and for one that is not explained. */
async function explainedNow(context: Context, leg: Leg): Promise<Explanation | null> {
  const { standard } = await askMode(context, 'worth', leg)
  const one = standard ? await explainNow(context, 'worth', leg) : null
  return one?.holds === true ? one : null
}

function requireNothingOwed(one: Explanation | null): End {
  if (one === null) return conflict('The account is not explained by a reading of now.')
  if (!one.flat) return conflict('The account has a position.')
  if (owedBy(one) >= DUST) return conflict('The leg owes money.')
  return { amount: 0n, kept: 0n, beyond: owedBy(one), fee: 0n }
}

function unlessOutage({ log }: Context, { publicId }: Leg, error: unknown): null {
  if (!isOutage(error)) throw error
  log.warn({ err: error, public_id: publicId }, 'the account of a leg cannot be read at its fallback')
  return null
}

function nothingKnown({ log }: Context, { publicId }: Leg): never {
  const alarm = 'leg_unexplained'
  countAlarm(alarm, 'hl-leg')
  log.error({ alarm, public_id: publicId }, 'a leg cannot end: no explained reading and no mark of it is known')
  return conflict('Neither an explained reading nor a mark of the leg is known.')
}
