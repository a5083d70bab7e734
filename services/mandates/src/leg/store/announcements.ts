import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

/** Kind of the entry that announces a rule which applies to mandates that were signed before it. */
export const RULE_ANNOUNCED = 'rule_announced'

const idRow = z.object({ id: z.number() })

/**
 * Returns mandates that are signed and not closed, whose newest terms allow a market of the leg in the first edition of the
 * clauses, and whose records announce no rule yet.
 */
export function unannounced(db: Db, max: number): Promise<readonly number[]> {
  return db.anyFirst(sql.type(idRow)`
    SELECT m.id FROM mandate m
    JOIN LATERAL (
      SELECT edition, terms FROM signed_terms WHERE mandate_id = m.id ORDER BY n DESC LIMIT 1) AS signed ON true
    WHERE m.state NOT IN ('draft', 'closed') AND signed.edition = 1
      AND EXISTS (SELECT FROM jsonb_array_elements(signed.terms->'markets') AS market WHERE market->>'id' LIKE 'hl:%')
      AND NOT EXISTS (SELECT FROM record_entry WHERE mandate_id = m.id AND kind = ${RULE_ANNOUNCED})
    ORDER BY m.id LIMIT ${max}`)
}
