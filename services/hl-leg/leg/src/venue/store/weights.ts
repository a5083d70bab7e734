import { weightClasses } from '@svc/contracts/hl-leg/venue'
import { sql, type Pool } from '@svc/postgres'
import { z } from 'zod'
import { planSpending, shareOf, type Spent, type Wanted, type WeightClass } from '@svc/venue/rules/weights'

const spentRow = z.object({
  class: z.enum(weightClasses),
  minute: z.number(),
  recent: z.number(),
  lent: z.number(),
  frees_in: z.number(),
})
const NOTHING: Spent = { minute: 0, recent: 0, lent: 0 }
const SEC_MAX = 60

/** A network address, and the weight that it may spend in a minute. */
interface Egress {
  readonly name: string
  readonly minuteMax: number
}

/**
 * Spends weight of the address `egress` for a class, counted for all processes by the clock of Postgres. Returns null
 * if it was spent, and otherwise the seconds after which it may be tried again.
 */
export async function spendWeight(pool: Pool, egress: Egress, by: WeightClass, wanted: Wanted): Promise<number | null> {
  return (await spendOwnShare(pool, egress, by, wanted)) ? null : spendShares(pool, egress, by, wanted)
}

const isSpentRow = z.object({ spent: z.boolean() })

/**
 * Spends the weight from the own share of a class, in one round trip: nearly every request is paid so. Returns false if the
 * share does not suffice, or is not of the class alone.
 */
async function spendOwnShare(pool: Pool, egress: Egress, by: WeightClass, { atMost }: Wanted): Promise<boolean> {
  if (by === 'relays' || by === 'visitors') return false
  const share = shareOf(by, egress.minuteMax)
  return pool.oneFirst(sql.prepared('spend_own_share', isSpentRow)`
    SELECT spend_own_share(${egress.name}, ${by}, ${share}, ${atMost}) AS spent`)
}

/** Spends what the share of a class lacks from what the classes above it left unused. */
function spendShares(pool: Pool, egress: Egress, by: WeightClass, wanted: Wanted): Promise<number | null> {
  return pool.transaction(async (tx) => {
    // Spenders of an address wait for each other, so that two cannot spend the same weight.
    await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended(${`venue_weight ${egress.name}`}, 0))`)
    // One row for each class that spent within a minute; frees_in: until its oldest weight is a minute old.
    const rows = await tx.any(sql.type(spentRow)`
      SELECT class, sum(weight)::int AS minute,
        coalesce(sum(weight) FILTER (WHERE at > clock_timestamp() - interval '10 s'), 0)::int AS recent,
        coalesce(sum(weight) FILTER (WHERE lent), 0)::int AS lent,
        greatest(1, ceil(extract(epoch FROM min(at) - clock_timestamp()) + ${SEC_MAX}))::int AS frees_in
      FROM venue_weight WHERE egress = ${egress.name} AND at > clock_timestamp() - interval '1 minute'
      GROUP BY class`)
    const of = (one: WeightClass) => rows.find((row) => row.class === one)
    const spent = Object.fromEntries(weightClasses.map((one) => [one, of(one) ?? NOTHING]))
    const charges = planSpending(egress.minuteMax, spent as Record<WeightClass, Spent>, by, wanted)
    if (charges === null) return freesIn(rows, by)
    for (const charge of charges)
      await tx.query(sql.unsafe`
        INSERT INTO venue_weight (egress, class, lent, at, weight)
        VALUES (${egress.name}, ${charge.class}, ${charge.lent}, date_trunc('second', clock_timestamp()), ${charge.weight})
        ON CONFLICT (egress, class, lent, at) DO UPDATE SET weight = venue_weight.weight + excluded.weight`)
    return null
  })
}

/** Returns the seconds until the oldest weight of a class, or of one that it shares with, stops counting. */
function freesIn(rows: readonly z.output<typeof spentRow>[], by: WeightClass): number {
  const sharers: readonly WeightClass[] = by === 'relays' || by === 'visitors' ? ['relays', 'visitors'] : [by]
  return Math.min(SEC_MAX, ...rows.filter((row) => sharers.includes(row.class)).map((row) => row.frees_in))
}

/** Adds weight that a request turned out to cost beyond what was spent for it. */
export async function addWeight(pool: Pool, egress: string, by: WeightClass, weight: number): Promise<void> {
  // As in spend_own_share, nobody waits until it is on the disk.
  await pool.query(sql.unsafe`
    INSERT INTO venue_weight (egress, class, lent, at, weight)
    SELECT ${egress}, ${by}, false, date_trunc('second', clock_timestamp()), ${weight}
    FROM set_config('synchronous_commit', 'off', true)
    ON CONFLICT (egress, class, lent, at) DO UPDATE SET weight = venue_weight.weight + excluded.weight`)
}

/** Takes back weight that was spent for a request and did not turn out to be needed. */
export async function returnWeight(pool: Pool, egress: string, by: WeightClass, weight: number): Promise<void> {
  // From the oldest row that has more: it stops counting first, so that never too little counts.
  await pool.query(sql.unsafe`
    UPDATE venue_weight SET weight = weight - ${weight}
    WHERE (egress, class, lent, at) = (
      SELECT egress, class, lent, at FROM venue_weight
      WHERE egress = ${egress} AND class = ${by} AND NOT lent AND weight > ${weight}
        AND at > clock_timestamp() - interval '1 minute'
      ORDER BY at LIMIT 1 FOR UPDATE)`)
}

/** Deletes weight that no longer counts. */
export async function forgetWeight(pool: Pool): Promise<void> {
  await pool.query(sql.unsafe`DELETE FROM venue_weight WHERE at < clock_timestamp() - interval '2 minutes'`)
}
