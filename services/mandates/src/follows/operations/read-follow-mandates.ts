import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { FollowMandate } from '@svc/contracts/mandates/follows'
import { limitsCodec } from '@svc/contracts/mandates/limit-schemas'
import { assessOrder, usageAt, usdcText } from '@svc/limits'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { secondsOf, termsFromLimits, termsFromSigned } from '#limits/engine-terms.ts'
import { signedFigures } from '#limits/terms-of-mandate.ts'
import { ownerIdOf } from '#mandate/rules/mandate.ts'
import { stateNow } from '#states/mandate-view.ts'
import { isPaused, stopOf } from '#leg/rules/stop-of.ts'
import { followUse, type FollowUse } from '../store/follow-use.ts'
import { legMandates, type LegMandateRow } from '#leg/store/leg-mandates.ts'

export const readFollowMandates: BoundHandler<Context, typeof mandates.operations.readFollowMandates> =
  (context) =>
  async ({ public_ids: publicIds }, { now }) => {
    const { pool, settings } = context
    const rows = await legMandates(pool, { publicIds }, now)
    const ids = rows.map(({ mandate }) => mandate.id)
    const uses = new Map((await followUse(pool, ids, now)).map((use) => [use.mandate_id, use]))
    return ok(200, {
      mandates: rows.flatMap((row) => {
        const use = uses.get(row.mandate.id)
        return use === undefined ? [] : [followView(settings.approvalEnabled, row, use, now)]
      }),
    })
  }

/** Returns a mandate with what an order of its agent may cost now; the stop line is judged with the order itself. */
function followView(approvals: boolean, row: LegMandateRow, use: FollowUse, now: Date): FollowMandate {
  const { mandate, vault } = row
  const terms = termsFromSigned(use.terms, approvals) ?? termsFromLimits(mandate)
  const at = secondsOf(now)
  const markets = use.terms === null ? [] : signedFigures({ terms: use.terms }).markets.map(({ id }) => id)
  const seen = {
    working: stateNow(mandate, vault, now) === 'working',
    paused: isPaused(mandate, vault),
    stop: stopOf(mandate, vault),
    markets,
    used: (vault === null ? 0n : usageAt(terms, vault.books, at).used) + use.leg_used,
    held: use.held,
    own: 0n,
    approvedUpTo: null,
    worth: terms.stopLine + 1n,
    guards: [],
  }
  const attempt = { by: 'agent', market: markets[0] ?? '', notional: 0n, loss: 0n, at } as const
  const open = assessOrder(terms, seen, { ...attempt, opening: true }).maxPassing
  const limits = limitsCodec.encode(mandate.limits)
  return {
    public_id: mandate.publicId,
    state: stateNow(mandate, vault, now),
    owner_id: ownerIdOf(mandate),
    agent_id: mandate.agent?.id ?? null,
    markets,
    budget_usdc: limits.budget_usdc,
    per_tx_cap_usdc: limits.per_tx_cap_usdc,
    daily_cap_usdc: limits.daily_cap_usdc,
    stop_line_usdc: limits.stop_line_usdc,
    fee_bps: limits.fee_bps,
    approval_above_usdc: terms.approvalAbove === null ? null : usdcText(terms.approvalAbove),
    open_max_usdc: open === null ? null : usdcText(open),
    may_close: assessOrder(terms, seen, { ...attempt, opening: false }).refusal === null,
  }
}
