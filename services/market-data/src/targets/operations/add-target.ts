import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { marketData } from '@svc/contracts/market-data'
import { targetLimit, venueFull } from '@svc/contracts/market-data/targets'
import { miningRefusals } from '@svc/contracts/mining/refusals'
import { tiers } from '@svc/contracts/subscriptions/tiers'
import type { Tx } from '@svc/postgres'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { lookUpPairs } from '#listings/pair-lookup.ts'
import { fullFor } from '../places.ts'
import { nextPlaceAt } from '../store/scan-places.ts'
import { openTurn } from '../store/scan-turns.ts'
import { lockAccount, putTarget, targetsOf } from '../store/targets.ts'

export const addTarget: BoundHandler<Context, typeof marketData.operations.addTarget> =
  (context) =>
  async ({ exchange, symbol, microburst_hf_captures }, call) => {
    const { account_id, tier } = callerOf(call)
    if ((microburst_hf_captures ?? 0) > 0 && tier < 2)
      refuse(common.tierRequired, 'microburst_hf_captures above 0 needs Tier 2: leave it out, or subscribe.', {
        required_tier: 2,
        upgrade: 'POST /subscriptions/cherries/subscribe',
      })
    const [pair] = await lookUpPairs(context, [{ exchange, symbol }])
    if (pair === null || pair === undefined)
      refuse(miningRefusals.unknownPair, `${exchange} has no pair ${symbol} on the board.`)
    const { targets: limit } = tiers[tier]
    return call.effect(async (tx) => {
      await lockAccount(tx, account_id, tier)
      const active = (await targetsOf(tx, account_id)).filter((one) => one.status === 'active')
      const known = active.some((one) => one.token_id === pair.token_id)
      if (!known && active.length >= limit)
        refuse(targetLimit, `Tier ${tier} includes ${limit} targets, and ${active.length} are active.`, {
          limit,
          used: active.length,
        })
      if (!known) await keepPlace(context, tx, { exchange, tokenId: pair.token_id, now: call.now })
      await putTarget(tx, account_id, pair.token_id, microburst_hf_captures ?? null, call.now)
      await openTurn(tx, pair.token_id, call.now)
      const inPath = symbol.replace('/', '_')
      return ok(200, {
        ok: true,
        exchange,
        symbol,
        priority_pool: true,
        message: known
          ? `${symbol} on ${exchange} is among your targets already and is scanned every minute.`
          : `${symbol} on ${exchange} is scanned within a minute, and every minute from then on. The first data is there in about two minutes.`,
        next_steps: [
          'GET /agent/targets',
          `GET /agent/research/${exchange}/${inPath}`,
          `GET /research/pair?exchange=${exchange}&symbol=${encodeURIComponent(symbol)}`,
          'POST /reports/pair_pdf',
        ],
      })
    })
  }

/** Refuses a pair that nobody watches yet if its venue carries no further scan. */
async function keepPlace(
  context: Context,
  tx: Tx,
  { exchange, tokenId, now }: { readonly exchange: string; readonly tokenId: string; readonly now: Date },
): Promise<void> {
  const full = await fullFor(context, tx, exchange, tokenId)
  if (full === null) return
  const { capacity, scanned } = full
  const retryAt = await nextPlaceAt(tx, exchange, now)
  const when = retryAt === null ? 'no place is foreseeable' : `a place becomes free at ${retryAt}`
  refuse(venueFull, `${exchange} carries ${capacity} scanned pairs, and ${scanned} are scanned: ${when}.`, {
    exchange,
    scan_capacity: capacity,
    scan_pairs: scanned,
    retry_at: retryAt,
    reason: retryAt === null ? 'not_foreseeable' : 'delisting_announced',
  })
}
