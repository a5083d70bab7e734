import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const row = z.object({
  instance_id: z.number(),
  flag: z.string(),
  meaning: z.literal('delisted_elsewhere'),
  effective_at: z.null(),
  at: z.string(),
  source: z.string(),
  published_at: z.null(),
})

/**
 * Returns instances that are not delisted but whose asset another venue delisted within 60 days, as flags. An asset is
 * identified by its approved contract; the case of hexadecimal addresses is ignored, because it only encodes a checksum.
 * An equal ticker proves nothing.
 */
export async function delistedElsewhere(db: Db, now: Date): Promise<readonly z.output<typeof row>[]> {
  return db.any(sql.type(row)`
    WITH contract AS (
      SELECT instance.instance_id, chain, CASE WHEN address LIKE '0x%' THEN lower(address) ELSE address END AS address,
        exchange, trading, trading_since
      FROM verified_contract JOIN token_instance AS instance USING (instance_id)
        JOIN token ON token.token_id = instance.token_id
      WHERE chain IS NOT NULL AND address IS NOT NULL
    )
    SELECT living.instance_id, 'delisted at ' || ended.exchange AS flag, 'delisted_elsewhere' AS meaning, NULL AS effective_at,
      max(ended.trading_since) AS at, 'market list of ' || ended.exchange AS source, NULL AS published_at
    FROM contract AS living JOIN contract AS ended USING (chain, address)
    WHERE living.trading <> 'delisted' AND ended.trading = 'delisted' AND living.exchange <> ended.exchange
      AND ended.trading_since > ${now.toISOString()}::timestamptz - interval '60 days'
    GROUP BY living.instance_id, ended.exchange ORDER BY living.instance_id, ended.exchange`)
}
