import { crisisRule } from '@svc/contracts/market-data/crisis'
import { SCORE_DAYS, SCOREBOARD_MONTHS_MAX } from '@svc/contracts/market-data/scoreboard'
import { instant, sql, table, type Db, type RowOf } from '@svc/postgres'
import { z } from 'zod'
import type { PairsScore, RankedPair } from '../rules/score-pairs.ts'

const scores = table('score_month', {
  month: z.string(),
  days: z.number(),
  snapshot: z.string(),
  pairs: z.number(),
  delisted: z.number(),
  auc: z.number().nullable(),
  top_pairs: z.number(),
  top_delisted: z.number(),
  computed_at: instant,
})
const rules = table('crisis_month', {
  month: z.string(),
  rule: crisisRule,
  days: z.number(),
  pairs: z.number(),
  episodes: z.number(),
  alerted: z.number(),
  recovered: z.number(),
  ended: z.number(),
  unknown: z.number(),
  computed_at: instant,
})

/** A month whose ranks can be judged: the days that count are over. */
const dueRow = z.object({ month: z.string(), days: z.number(), snapshot: z.string() })
export type DueScore = z.output<typeof dueRow>

/** A snapshot of a month is of its first seven days. */
const SNAPSHOT_DAYS = 7

/** Returns the months to judge and over how many days, the oldest first: each whose days are over and which is not stored. */
export function dueScores(db: Db, now: Date, max: number): Promise<readonly DueScore[]> {
  const today = now.toISOString().slice(0, 10)
  return db.any(sql.type(dueRow)`
    SELECT month::text, days, snapshot::text FROM (
      SELECT date_trunc('month', day)::date AS month, min(day) AS snapshot FROM rank_day
      WHERE extract(day FROM day) <= ${SNAPSHOT_DAYS}::int GROUP BY 1
    ) AS begun, unnest(${sql.array(SCORE_DAYS, 'int4')}) AS over (days)
    WHERE snapshot + days < ${today}::date
      AND NOT EXISTS (SELECT FROM score_month AS known WHERE known.month = begun.month AND known.days = over.days)
    ORDER BY snapshot, days LIMIT ${max}`)
}

const sinceRow = z.object({ since: z.string().nullable() })
const rankedRow = z.object({ rank: z.number(), delisted: z.boolean() })

/** Returns the pairs that were ranked on a day and not announced for delisting then, with what became of them within the days. */
export function rankedPairs(db: Db, { snapshot, days }: DueScore): Promise<readonly RankedPair[]> {
  return db.any(sql.type(rankedRow)`
    WITH span AS (SELECT ${snapshot}::date + 1 AS first, ${snapshot}::date + 1 + ${days}::int AS last)
    SELECT one.rank, EXISTS (
        SELECT FROM venue_flag_event WHERE instance_id = one.id AND meaning = 'delisting_announced' AND raised
          AND at >= span.first AND at < span.last
      ) OR EXISTS (
        SELECT FROM token_instance WHERE instance_id = one.id AND trading = 'delisted'
          AND trading_since >= span.first AND trading_since < span.last
      ) AS delisted
    FROM span, rank_day, unnest(instance_ids, rank) AS one (id, rank)
    WHERE day = ${snapshot}::date AND NOT EXISTS (
        SELECT FROM venue_flag_event WHERE instance_id = one.id AND meaning = 'delisting_announced' AND raised AND at < span.first
      ) AND NOT EXISTS (
        SELECT FROM token_instance WHERE instance_id = one.id AND trading = 'delisted' AND trading_since < span.first
      )`)
}

/** Stores what the ranks of a month were worth; what is stored stays. Returns the number of rows. */
export async function putScore(
  db: Db,
  { month, days, snapshot }: DueScore,
  score: PairsScore,
  now: Date,
): Promise<number> {
  const { pairs, delisted, auc, top } = score
  const row = {
    month,
    days,
    snapshot,
    pairs,
    delisted,
    auc,
    top_pairs: top.pairs,
    top_delisted: top.delisted,
    computed_at: now,
  }
  const { rowCount } = await db.query(sql.unsafe`${scores.insert(row)} ON CONFLICT DO NOTHING`)
  return rowCount
}

/** Days after a month in which its episodes may still close. */
const CLOSING_DAYS = 7

/** Stores what each crisis rule did in the months that ended a week ago; what is stored stays. Returns the number of rows. */
export async function putRules(db: Db, now: Date): Promise<number> {
  const { rowCount } = await db.query(sql.unsafe`
    WITH watched AS (
      SELECT date_trunc('month', day)::date AS month, (date_trunc('month', day) + interval '1 month')::date AS next,
        count(DISTINCT day) AS days, round(sum(cardinality(instance_ids))::numeric / count(DISTINCT day)) AS pairs
      FROM rank_day GROUP BY 1, 2
    ), due AS (
      SELECT *, next + ${CLOSING_DAYS}::int AS judged FROM watched
      WHERE next + ${CLOSING_DAYS}::int <= ${now.toISOString().slice(0, 10)}::date
        AND NOT EXISTS (SELECT FROM crisis_month WHERE crisis_month.month = watched.month)
    )
    INSERT INTO crisis_month (month, rule, days, pairs, episodes, alerted, recovered, ended, unknown, computed_at)
    SELECT month, one.rule, days, pairs, count(id), count(DISTINCT instance_id),
      count(id) FILTER (WHERE closed_at < judged AND close_reason = 'recovered'),
      count(id) FILTER (WHERE closed_at < judged AND close_reason = 'ended'),
      count(id) FILTER (WHERE closed_at < judged AND close_reason IS NULL), ${now.toISOString()}::timestamptz
    FROM due CROSS JOIN unnest(${sql.array(crisisRule.options, 'text')}) AS one (rule)
      LEFT JOIN crisis_episode ON crisis_episode.rule = one.rule AND opened_at >= month AND opened_at < next
        AND EXISTS (SELECT FROM rank_day WHERE day = opened_at::date)
    GROUP BY month, one.rule, days, pairs
    ON CONFLICT DO NOTHING`)
  return rowCount
}

/** Returns what was stored of the newest months, the newest first, and the first day of which ranks are kept. */
export async function readMonths(db: Db): Promise<{
  readonly scores: readonly RowOf<typeof scores>[]
  readonly rules: readonly RowOf<typeof rules>[]
  readonly since: string | null
}> {
  const [months, options] = [SCOREBOARD_MONTHS_MAX, crisisRule.options.length]
  return {
    scores: await db.any(sql.type(scores.row)`
      SELECT ${scores.list} FROM score_month ORDER BY month DESC, days LIMIT ${months * SCORE_DAYS.length}`),
    rules: await db.any(sql.type(rules.row)`
      SELECT ${rules.list} FROM crisis_month ORDER BY month DESC, rule LIMIT ${months * options}`),
    since: await db.maybeOneFirst(sql.type(sinceRow)`SELECT min(day)::text AS since FROM rank_day`),
  }
}
