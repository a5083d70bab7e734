import { SCORE_DAYS } from '@svc/contracts/market-data/scoreboard'
import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { BoardEntry } from '../rules/board.ts'
import { rankOf } from '../rules/delisting-worth.ts'
import { MEMORY_SPANS, type RankDay } from '../rules/rank-memory.ts'

/** Stores the ranks of a board as those of its UTC day; a later board of the day replaces them. */
export async function putRanks(tx: Tx, computedAt: Date, entries: readonly BoardEntry[]): Promise<void> {
  const ranked = entries.flatMap(({ instance_id, risk }) => {
    const rank = rankOf(risk)
    return rank === null ? [] : [[instance_id, Math.round(rank)] as const]
  })
  await tx.query(sql.unsafe`
    INSERT INTO rank_day (part, day, instance_ids, rank)
    SELECT id >> 6, ${computedAt.toISOString().slice(0, 10)}::date, array_agg(id ORDER BY id), array_agg(rank ORDER BY id)
    FROM ${sql.unnest(ranked, ['int4', 'int2'])} AS one (id, rank)
    GROUP BY id >> 6
    ON CONFLICT (part, day) DO UPDATE SET instance_ids = excluded.instance_ids, rank = excluded.rank`)
}

const dayRow = z.object({ day: z.string(), rank: z.number() })

/** Returns the known ranks of an instance on the days that a memory covers, oldest first. */
export async function rankDays(db: Db, instanceId: number, today: string): Promise<readonly RankDay[]> {
  return db.any(sql.type(dayRow)`
    SELECT day::text, rank[place] AS rank
    FROM rank_day, LATERAL (SELECT array_position(instance_ids, ${instanceId}) AS place) AS found
    WHERE part = ${instanceId >> 6} AND day > ${today}::date - ${Math.max(...MEMORY_SPANS)}::int AND place IS NOT NULL
    ORDER BY day`)
}

/** Days for which ranks are kept: what a memory covers, and the longest wait of the scoreboard with a week for its job. */
const KEPT_DAYS = Math.max(...MEMORY_SPANS, ...SCORE_DAYS) + 8

/** Deletes ranks of days that nothing reads any more; returns the number of rows. */
export async function forgetRanks(db: Db, now: Date, max: number): Promise<number> {
  const { rowCount } = await db.query(sql.unsafe`
    DELETE FROM rank_day WHERE (part, day) IN (
      SELECT part, day FROM rank_day WHERE day <= ${now.toISOString().slice(0, 10)}::date - ${KEPT_DAYS}::int LIMIT ${max})`)
  return rowCount
}
