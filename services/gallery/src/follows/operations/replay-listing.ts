import { ok, refuse } from '@svc/contract'
import { usdcUnits } from '@svc/contracts/common/usdc'
import type { gallery } from '@svc/contracts/gallery'
import { notHirable, REPLAY_DAYS, REPLAY_FREE_DAYS, REPLAY_SIGNALS_MAX } from '@svc/contracts/gallery/follows'
import { unknownListing } from '@svc/contracts/gallery/listing-refusals'
import type { FollowMandate } from '@svc/contracts/mandates/follows'
import { usdcText } from '@svc/limits'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { followFigures } from '#gaps/store/follow-figures.ts'
import { findListing, type Listing } from '#listings/store/listings.ts'
import { paidSeqs } from '#reads/paid-seqs.ts'
import { signalsSince, type Signal } from '#signals/store/signals.ts'
import { decidedSignal } from '../decided-signal.ts'
import { mandateNamed } from '../mandate-named.ts'
import { mandateOfCaller } from '../read-parties.ts'
import { replaySignals, type ReplayTerms } from '../rules/replay-signals.ts'
import { takerFeeOf } from '../rules/taker-fee.ts'

const DAY_MS = 86_400_000

export const replayListing: BoundHandler<Context, typeof gallery.operations.replayListing> =
  (context) =>
  async ({ listing_id: listingId, ...named }, call) => {
    const mandateId = mandateNamed(named)
    const { pool, settings } = context
    const listing = (await findListing(pool, listingId)) ?? refuse(unknownListing)
    const vaultId = listing.vault_id ?? refuse(notHirable)
    const mandate = await mandateOfCaller(context, mandateId, call)
    const since = new Date(call.now.getTime() - REPLAY_DAYS * DAY_MS)
    const [all, figures] = await Promise.all([
      signalsSince(pool, vaultId, since, REPLAY_SIGNALS_MAX),
      followFigures(pool, [vaultId]),
    ])
    const accounts = [...new Set([callerOf(call).account_id, mandate.owner_id])]
    const signals = await readable(context, listing, all, { vaultId, accounts, now: call.now })
    const gap = figures.get(vaultId)?.gapBpsMedian ?? null
    const terms = termsOf(mandate, { gapBps: String(gap ?? 0), band: settings.slippagePct })
    const replayed = signals.map((signal) => ({ ...decidedSignal(signal), price: signal.recorded_price }))
    const { end, traded, venueFees, gapCost, performanceFee, changeBps, maxDrawdownBps, ...counts } = replaySignals(
      replayed,
      terms,
    )
    return ok(200, {
      listing_id: listingId,
      mandate_id: mandateId,
      public_id: mandateId,
      from: signals[0]?.recorded_at ?? null,
      to: signals.at(-1)?.recorded_at ?? null,
      signals: signals.length,
      signals_left_out: all.length - signals.length,
      ...counts,
      start_usdc: mandate.budget_usdc,
      end_usdc: usdcText(end),
      change_bps: changeBps,
      max_drawdown_bps: maxDrawdownBps,
      traded_usdc: usdcText(traded),
      venue_fees_usdc: usdcText(venueFees),
      performance_fee_usdc: usdcText(performanceFee),
      gap_bps: gap,
      gap_cost_usdc: usdcText(gapCost),
    })
  }

/** Returns the signals that the accounts may learn from: all of a free listing, else those paid for or old. */
async function readable(
  context: Context,
  { price_cherry: price }: Listing,
  all: readonly Signal[],
  by: { readonly vaultId: string; readonly accounts: readonly number[]; readonly now: Date },
): Promise<readonly Signal[]> {
  const freeBefore = by.now.getTime() - REPLAY_FREE_DAYS * DAY_MS
  const isFree = ({ recorded_at }: Signal) => price === null || Date.parse(recorded_at) < freeBefore
  const asked = all.filter((signal) => !isFree(signal)).map(({ seq }) => seq)
  const paid = await paidSeqs(context, by.accounts, by.vaultId, asked)
  return all.filter((signal) => isFree(signal) || paid.has(signal.seq))
}

const termsOf = (mandate: FollowMandate, market: Pick<ReplayTerms, 'gapBps' | 'band'>): ReplayTerms => ({
  ...market,
  budget: usdcUnits(mandate.budget_usdc),
  perTxCap: usdcUnits(mandate.per_tx_cap_usdc),
  dailyCap: usdcUnits(mandate.daily_cap_usdc),
  approvalAbove: mandate.approval_above_usdc === null ? null : usdcUnits(mandate.approval_above_usdc),
  stopLine: usdcUnits(mandate.stop_line_usdc),
  feeBps: mandate.fee_bps,
  markets: mandate.markets,
  takerFee: takerFeeOf,
})
