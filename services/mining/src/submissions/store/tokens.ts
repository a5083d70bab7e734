import { instant, sql, table, type Db, type RowOf } from '@svc/postgres'
import { z } from 'zod'
import type { TokenState } from '../rules/judge-entries.ts'
import { uniqueFields, type KnownValue } from '../rules/prechecks.ts'

const fieldRow = z.object({ field_name: z.string(), field_value: z.string().nullable(), pending: z.boolean() })

/** Returns the approved values and pending fields of a token; one statement, so that both are of the same moment. */
export async function tokenState(db: Db, tokenId: string): Promise<TokenState> {
  const rows = await db.any(sql.prepared('token_state', fieldRow)`
    SELECT field_name, field_value, false AS pending FROM verified_field WHERE token_id = ${tokenId}
    UNION ALL
    SELECT field_name, NULL, true FROM submission WHERE token_id = ${tokenId} AND status = 'pending'`)
  return {
    current: new Map(
      rows.flatMap((row) => (row.field_value === null ? [] : [[row.field_name, row.field_value] as const])),
    ),
    pending: new Set(rows.filter((row) => row.pending).map((row) => row.field_name)),
  }
}

const knownRow = z.object({
  token_id: z.string(),
  base: z.string(),
  field_name: z.string(),
  value: z.string(),
  skeleton: z.string(),
})

/**
 * Returns approved values of other tokens that may collide: of the same base (contract address), or with an equal
 * skeleton in a field with unique values. Bounded, newest first.
 */
export async function similarValues(
  db: Db,
  token: { readonly token_id: string; readonly base: string },
  values: readonly { readonly field_name: string; readonly skeleton: string }[],
): Promise<readonly KnownValue[]> {
  const wanted = values.filter((value) => uniqueFields.has(value.field_name))
  if (wanted.length === 0) return []
  return db.any(sql.type(knownRow)`
    (SELECT token_id, base, field_name, field_value AS value, skeleton FROM verified_field
      WHERE base = ${token.base} AND field_name = 'contract_address' AND token_id <> ${token.token_id}
      ORDER BY verified_at DESC LIMIT 50)
    UNION
    (SELECT known.token_id, base, known.field_name, field_value, known.skeleton FROM verified_field AS known
      JOIN unnest(${sql.array(
        wanted.map((value) => value.field_name),
        'text',
      )}, ${sql.array(
        wanted.map((value) => value.skeleton),
        'text',
      )})
        AS wanted (field_name, skeleton) USING (field_name, skeleton)
      WHERE token_id <> ${token.token_id}
      ORDER BY verified_at DESC LIMIT 50)`)
}

const verified = table('verified_field', {
  token_id: z.string(),
  field_name: z.string(),
  base: z.string(),
  field_value: z.string(),
  skeleton: z.string(),
  submission_id: z.string(),
  verified_at: instant,
})
const replaceVerified = verified.onConflict(['token_id', 'field_name'], ['base'])

/** Stores the verified value of a field; replaces an older one. */
export async function putVerified(db: Db, value: Omit<RowOf<typeof verified>, 'verified_at'>, at: Date): Promise<void> {
  await db.query(sql.unsafe`${verified.insert({ ...value, verified_at: at })} ${replaceVerified}`)
}
