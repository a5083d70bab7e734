import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const confirmIdRow = z.object({ confirm_id: z.string() })

/** Binds a key of an account to a confirm_id; returns the confirm_id that the key is bound to, which may be another. */
export async function bindConfirmKey(
  db: Db,
  { accountId, key, confirmId }: { readonly accountId: number; readonly key: string; readonly confirmId: string },
  now: Date,
): Promise<string> {
  // The update changes nothing; it lets the statement return the row that stands.
  const { confirm_id } = await db.one(sql.type(confirmIdRow)`
    INSERT INTO confirm_key (account_id, confirm_key, confirm_id, stored_at)
    VALUES (${accountId}, ${key}, ${confirmId}, ${now.toISOString()})
    ON CONFLICT (account_id, confirm_key) DO UPDATE SET confirm_id = confirm_key.confirm_id
    RETURNING confirm_id`)
  return confirm_id
}
