import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const row = z.object({ vault_id: z.string(), total: z.number() })

/** Returns the vaults of a page of live operators, best recorded first, and the number of all of them. */
export async function operatorPage(
  db: Db,
  kind: 'signal' | 'vault' | null,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly vaultIds: readonly string[]; readonly total: number }> {
  // At most 10,000 operators are compared; a seller without a good row of the Hall comes last, then the older one first.
  const rows = await db.any(sql.type(row)`
    SELECT o.vault_id, count(*) OVER () AS total
    FROM operator o LEFT JOIN operator_end e ON e.operator_id = o.id
      LEFT JOIN hall_record h ON h.agent_id = o.agent_id AND h.standing <> 'error'
    WHERE e.at IS NULL AND (${kind}::text IS NULL OR o.kind = ${kind})
    ORDER BY h.days_live DESC NULLS LAST, h.adherence_pct[4] DESC NULLS LAST, o.seq LIMIT ${limit} OFFSET ${offset}`)
  if (rows.length > 0 || offset === 0)
    return { vaultIds: rows.map(({ vault_id }) => vault_id), total: rows[0]?.total ?? 0 }
  return { vaultIds: [], total: (await operatorPage(db, kind, { limit: 1, offset: 0 })).total }
}
