import { ok, refuse } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import { venueFiles } from '@svc/contracts/market-data/venues'
import { BURSTS_MAX, notATarget, type TargetHistory } from '@svc/contracts/market-data/research'
import { miningRefusals } from '@svc/contracts/mining/refusals'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { targetFacts } from '../target-facts.ts'
import { boardStanding } from '../rules/board-standing.ts'
import { historyOf, windowStart } from '../rules/target-history.ts'
import { readBuckets } from '../store/scan-buckets.ts'
import { readTargetHours } from '../store/target-hours.ts'
import { captureSummary, researchTarget, type CaptureSummary } from '../store/target-research.ts'
import { tokenIdOf } from '#listings/store/tokens.ts'

export const readTargetHistory: BoundHandler<Context, typeof marketData.operations.readTargetHistory> =
  (context) =>
  async ({ account_id, exchange, symbol, days }, call) => {
    const { pool, board } = context
    const tokenId = await tokenIdOf(pool, exchange, symbol)
    if (tokenId === null) refuse(miningRefusals.unknownPair)
    const target = await researchTarget(pool, account_id, tokenId)
    if (target === null) refuse(notATarget)
    const now = call.now.getTime()
    const from = new Date(windowStart(now, days))
    const [stored, captures, snapshot, hours] = await Promise.all([
      readBuckets(pool, target.instance_id, from),
      captureSummary(pool, target.instance_id, from, BURSTS_MAX),
      board.latest(),
      readTargetHours(pool, target.instance_id),
    ])
    const entry = snapshot?.byTokenId.get(tokenId)
    // A former token with the same symbol is another asset.
    const own = entry?.instance_id === target.instance_id ? entry : undefined
    const facts = await targetFacts(context, target, { now: call.now, board: snapshot, own, hours, buckets: stored })
    const { token_id, base, quote, name } = target
    return ok(200, {
      pair: { token_id, exchange, symbol, base, quote, name },
      lifecycle: own?.row.lifecycle ?? (target.trading === 'trading' ? 'active' : target.trading),
      source: target.source,
      target: { added_at: target.added_at, status: target.status },
      ...historyOf(stored, {
        days,
        addedAt: Date.parse(target.added_at),
        isActive: target.status === 'active',
        now,
      }),
      hours: hours?.hours ?? [],
      hours_read_at: hours?.read_at ?? null,
      ...facts,
      watched_since: target.first_seen_at,
      publishes_flags: publishesFlags(exchange),
      captures: capturesOf(captures),
      contract:
        target.chain === null || target.address === null ? null : { chain: target.chain, address: target.address },
      board: snapshot === null || own === undefined ? null : boardStanding(snapshot, own),
    })
  }

function capturesOf({ bursts, ...summary }: CaptureSummary): TargetHistory['captures'] {
  return {
    ...summary,
    bursts: bursts.map((burst) => ({
      start: new Date(burst.startMs).toISOString(),
      duration_ms: burst.durationMs,
      orders: burst.orders,
      fills: burst.fills,
      notional_usd: burst.notionalUsd,
      signed_notional_usd: burst.signedNotionalUsd,
      range_bps: burst.rangeBps,
      impact_bps: burst.impactBps,
      replenishment_half_life_ms: burst.replenishmentHalfLifeMs,
      reversion_10s: burst.reversion10s,
      reversion_60s: burst.reversion60s,
    })),
  }
}

/** Returns whether a venue publishes flags or announcements about its pairs without a key. */
function publishesFlags(exchange: string): boolean {
  const file = venueFiles.get(exchange)
  return file !== undefined && (file.flags !== null || file.announcements !== undefined)
}
