import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const targetRow = z.object({
  token_id: z.string(),
  exchange: z.string(),
  symbol: z.string(),
  base: z.string(),
  quote: z.string(),
  name: z.string().nullable(),
  instance_id: z.number(),
  trading: z.enum(['trading', 'halted', 'delisted']),
  source: z.enum(['live', 'replay']),
  status: z.enum(['active', 'paused']),
  added_at: z.string(),
  first_seen_at: z.string(),
  chain: z.string().nullable(),
  address: z.string().nullable(),
})
export type ResearchTarget = z.output<typeof targetRow>

/** Returns a target of an account with its pair; null if the pair is not a target. */
export async function researchTarget(db: Db, accountId: number, tokenId: string): Promise<ResearchTarget | null> {
  return db.maybeOne(sql.type(targetRow)`
    SELECT token_id, exchange, symbol, base, quote, name, token.instance_id, trading, venue.source, target.status, added_at, first_seen_at,
      chain, address
    FROM target JOIN token USING (token_id) JOIN venue USING (exchange)
      JOIN token_instance AS instance USING (instance_id, token_id)
      LEFT JOIN verified_contract AS contract ON contract.instance_id = token.instance_id
    WHERE account_id = ${accountId} AND token_id = ${tokenId} AND target.status <> 'removed'`)
}

const burst = z.object({
  startMs: z.number(),
  durationMs: z.number(),
  orders: z.number(),
  fills: z.number(),
  notionalUsd: z.number(),
  signedNotionalUsd: z.number(),
  rangeBps: z.number(),
  impactBps: z.number().nullable(),
  replenishmentHalfLifeMs: z.number().nullable(),
  reversion10s: z.number().nullable(),
  reversion60s: z.number().nullable(),
})
const capturesRow = z.object({
  count: z.number(),
  seconds: z.number(),
  last_at: z.string().nullable(),
  burst_count: z.number(),
  bursts: z.array(burst),
})
export type CaptureSummary = z.output<typeof capturesRow>

/** Returns the finished captures of an instance since `from`, with their newest bursts. */
export async function captureSummary(
  db: Db,
  instanceId: number,
  from: Date,
  burstsMax: number,
): Promise<CaptureSummary> {
  return db.one(sql.type(capturesRow)`
    WITH capture AS MATERIALIZED (
      SELECT started_at, ended_at, bursts FROM hf_capture
      WHERE instance_id = ${instanceId} AND started_at >= ${from.toISOString()} AND ended_at IS NOT NULL
    ), found AS (
      SELECT one FROM capture, jsonb_array_elements(bursts) AS one ORDER BY (one->>'startMs')::float8 DESC LIMIT ${burstsMax}
    )
    SELECT count(*)::int AS count, coalesce(sum(extract(epoch FROM ended_at - started_at)), 0)::float8 AS seconds,
      max(ended_at) AS last_at, coalesce(sum(jsonb_array_length(bursts)), 0)::int AS burst_count,
      (SELECT coalesce(json_agg(one), '[]') FROM found) AS bursts
    FROM capture`)
}
