import { sql, units, type Db } from '@svc/postgres'
import { z } from 'zod'
import { mandateState } from '@svc/contracts/mandates/fields'

const followedVault = z.object({
  public_id: z.string(),
  chain_id: z.number(),
  address: z.string(),
  state: mandateState,
  newest_at: z.string().nullable(),
  newest_worth: units.nullable(),
  newest_withheld: z.string().nullable(),
})

/**
 * Returns the vaults that the keeper marks, with the newest row of their series, in the order of the mandates. A closed
 * mandate is included until a row after its closing is stored; else the series would end with money that was paid out.
 */
export function vaultsToMark(db: Db, after: string | null, limit: number) {
  const page =
    after === null ? sql.fragment`` : sql.fragment`AND m.id > (SELECT id FROM mandate WHERE public_id = ${after})`
  return db.any(sql.type(followedVault)`
    SELECT m.public_id, v.chain_id, v.address, m.state, w.at AS newest_at, w.worth AS newest_worth,
      w.withheld_reason AS newest_withheld
    FROM mandate m JOIN vault v ON v.mandate_id = m.id LEFT JOIN LATERAL (
      SELECT at, worth, withheld_reason FROM worth WHERE mandate_id = m.id ORDER BY at DESC LIMIT 1) w ON true
    WHERE v.canonical AND (m.state <> 'closed' OR w.at IS NULL OR w.at < m.state_since) ${page}
    ORDER BY m.id LIMIT ${limit}`)
}
