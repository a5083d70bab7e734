import { sql, type Tx } from '@svc/postgres'
import { z } from 'zod'

const dayRow = z.object({ day: z.string(), fills: z.number() })

/** Stores how many executions of others an account had on UTC days; the highest count stays. Returns the days that grew. */
export function noteForeignDays(
  tx: Tx,
  publicId: string,
  days: ReadonlyMap<string, number>,
): Promise<readonly z.output<typeof dayRow>[]> {
  return tx.any(sql.type(dayRow)`
    INSERT INTO foreign_day (public_id, day, fills)
    SELECT ${publicId}, day, fills FROM unnest(${sql.array([...days.keys()], 'date')}, ${sql.array([...days.values()], 'int4')})
      AS counted (day, fills)
    ON CONFLICT (public_id, day) DO UPDATE SET fills = excluded.fills WHERE foreign_day.fills < excluded.fills
    RETURNING day, fills`)
}
