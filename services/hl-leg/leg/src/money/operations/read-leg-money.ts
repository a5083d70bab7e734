import { ok } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import type { LegStanding } from '@svc/contracts/hl-leg/money'
import { usdcUnits } from '@svc/contracts/common/usdc'
import { countedWorth, usdcText } from '@svc/limits'
import { isOutage, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { isLive } from '#legs/rules/standing.ts'
import { readLeg } from '#legs/store/legs.ts'
import { explainNow } from '../explain-leg.ts'
import { legStandings } from '../leg-standings.ts'
import { mandateOf, requireFunding } from '../mandate-of.ts'
import { owedBy } from '../rules/fallback.ts'
import { isEnd, lentTo } from '../rules/lent.ts'
import { unitsOf } from '../rules/return-amount.ts'
import { givesBack } from '../rules/transfer-state.ts'
import { explanationsOf, type Explanation } from '../store/explanations.ts'
import { transfersOf, type Transfer } from '../store/transfers.ts'

const LENT_NOTE =
  'Test money of the house mirrors the money of the vault in your account at the venue. It is not yours: it is returned with the leg, and what the leg gained or lost falls to the vault.'
/** Seconds that a transfer usually takes from each of its states; a state that waits for somebody has none. */
const ETA_SEC: Readonly<Partial<Record<Transfer['state'], number>>> = {
  on_chain: 60,
  confirmed: 40,
  sent: 10,
  delivered_at_venue: 60,
  unbacked: 120,
}

export const readLegMoney: BoundHandler<Context, typeof hlLeg.operations.readLegMoney> =
  (context) =>
  async ({ public_id }, call) => {
    requireFunding(context)
    const mandate = await mandateOf(context, public_id, call)
    const [[standing], rows, explanations] = await Promise.all([
      legStandings(context, [public_id]),
      transfersOf(context.pool, [public_id]),
      explanationsOf(context.pool, [public_id]),
    ])
    const explanation = explanations.get(public_id) ?? (await explainFirst(context, standing))
    const end = rows.find(isEnd)
    const paidOut = rows.filter(({ kind, state }) => givesBack(kind) && kind !== 'turn_back' && state === 'confirmed')
    return ok(200, {
      public_id,
      vault_usdc: mandate.vault?.accounted_usdc ?? '0',
      venue_estimate_usdc: standing === undefined ? null : estimateOf(standing),
      foreign_usdc: standing?.foreign_usdc ?? null,
      venue_read_at: standing?.read_at ?? null,
      moving: rows.filter(isMoving).map(movingView),
      paid_out_usdc: usdcText(paidOut.reduce((sum, { amount }) => sum + amount, 0n)),
      lent_usdc: usdcText(lentTo(rows.map((row) => ({ ...row, landed: row.venue === 'landed' })))),
      lent_note: LENT_NOTE,
      leg_debt_usdc: standing?.leg_debt_usdc ?? '0',
      owed_usdc: owedText(explanation, end),
      kept_by_owner_usdc: end === undefined ? null : usdcText(end.kept_by_owner ?? 0n),
      fee_owed_usdc: end === undefined ? null : usdcText(end.fee_owed ?? 0n),
      equation:
        explanation === null
          ? null
          : {
              left: usdcText(explanation.value),
              right: usdcText(explanation.expected),
              holds: explanation.holds,
            },
    })
  }

/** Compares an account that was read, and never compared, with its history; null while that is not possible. */
async function explainFirst(context: Context, standing: LegStanding | undefined): Promise<Explanation | null> {
  const leg = standing?.read_at == null ? null : await readLeg(context.pool, standing.public_id)
  if (leg === null || !isLive(leg.state)) return null
  try {
    return await explainNow(context, 'worth', leg)
  } catch (error) {
    if (!isOutage(error)) throw error
    return null
  }
}

/** What the leg owes now, or what it owed at its end beyond what the vault got; null if unknown. */
function owedText(explanation: Explanation | null, end: Transfer | undefined): string | null {
  if (end !== undefined) return usdcText(end.owed_beyond ?? 0n)
  return explanation?.holds === true ? usdcText(owedBy(explanation)) : null
}

/** Leg money at the venue by the newest reading, less the allowance for closing; null without a reading. */
function estimateOf({ value_usdc, exit_usdc, foreign_usdc }: LegStanding): string | null {
  if (value_usdc === null || exit_usdc === null || foreign_usdc === null) return null
  return usdcText(countedWorth({ value: unitsOf(value_usdc) - usdcUnits(exit_usdc), foreign: unitsOf(foreign_usdc) }))
}

/** A return that nobody signed moves nothing. */
const isMoving = ({ open, state, kind }: Transfer): boolean => open && !(kind === 'return' && state === 'planned')

const movingView = (row: Transfer) => ({
  transfer_id: row.transfer_id,
  direction: givesBack(row.kind) ? ('back' as const) : ('out' as const),
  amount_usdc: usdcText(row.amount),
  state: row.state,
  reason: row.reason,
  since: row.changed_at.toISOString(),
  eta_seconds: row.reason === 'pool_low' ? null : (ETA_SEC[row.state] ?? null),
  tx_hash: row.tx_hash as `0x${string}` | null,
})
