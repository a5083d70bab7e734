import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'
import type { AssetListing } from '../rules/asset-venues.ts'

const priceRow = z.object({ asked: z.string(), price: z.number() })

/**
 * Returns the newest price at or before each time, keyed by the time as it was asked: of a scan of at most six minutes before,
 * else of an observation of the board. A time without either is absent.
 */
export async function pricesAt(
  db: Db,
  { instance_id, exchange }: { readonly instance_id: number; readonly exchange: string },
  times: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.any(sql.type(priceRow)`
    SELECT asked, coalesce(scan.price, seen.price) AS price
    FROM unnest(${sql.array([...times], 'text')}) AS asked
      LEFT JOIN LATERAL (
        SELECT coalesce(last, (bid + ask) / 2) AS price FROM scan_minute
        WHERE instance_id = ${instance_id} AND error IS NULL AND coalesce(last, bid + ask) IS NOT NULL
          AND minute <= asked::timestamptz AND minute > asked::timestamptz - interval '6 minutes'
        ORDER BY minute DESC LIMIT 1) AS scan ON true
      LEFT JOIN LATERAL (
        SELECT observation.price[array_position(instance_ids, ${instance_id})] AS price FROM observation
        WHERE exchange = ${exchange} AND scan.price IS NULL
          AND minute <= asked::timestamptz AND minute > asked::timestamptz - interval '6 minutes'
        ORDER BY minute DESC LIMIT 1) AS seen ON true
    WHERE coalesce(scan.price, seen.price) IS NOT NULL`)
  return new Map(rows.map(({ asked, price }) => [asked, price]))
}

const listingRow = z.object({
  instance_id: z.number(),
  token_id: z.string(),
  exchange: z.string(),
  symbol: z.string(),
  base: z.string(),
  quote: z.string(),
  name: z.string().nullable(),
  chain: z.string().nullable(),
  address: z.string().nullable(),
})

const LISTINGS_MAX = 300

/** Returns the listings that may be of one asset: those with the same ticker, and those with the same approved address. */
export async function listingsOf(
  db: Db,
  base: string,
  contract: { readonly chain: string; readonly address: string } | null,
): Promise<readonly AssetListing[]> {
  return db.any(sql.type(listingRow)`
    SELECT token.instance_id, token.token_id, exchange, symbol, base, quote, name, chain, address
    FROM token JOIN token_instance AS instance USING (instance_id)
      LEFT JOIN verified_contract AS contract USING (instance_id)
    WHERE trading <> 'delisted' AND (base = ${base} OR token.instance_id IN (
      SELECT instance_id FROM verified_contract WHERE address = ${contract?.address ?? null} AND chain = ${contract?.chain ?? null}))
    ORDER BY token.instance_id LIMIT ${LISTINGS_MAX}`)
}

const noticeRow = z.object({
  at: z.string(),
  kind: z.enum(['listed', 'flag_raised', 'flag_ended', 'lifecycle']),
  detail: z.string(),
  effective_at: z.string().nullable(),
  source: z.string().nullable(),
  published_at: z.string().nullable(),
  title: z.string().nullable(),
  url: z.string().nullable(),
})
export type StoredNotice = z.output<typeof noticeRow>

/**
 * Returns what the venue has said about an instance, and its lifecycle changes, newest first. A flag of an announcement has
 * its text: the flag is named after what the title says, and both were published at the same time.
 */
export async function noticesOf(db: Db, instanceId: number, max: number): Promise<readonly StoredNotice[]> {
  return db.any(sql.type(noticeRow)`
    SELECT at, kind, detail, effective_at, source, published_at, title, url FROM (
      SELECT at, CASE WHEN raised THEN 'flag_raised' ELSE 'flag_ended' END AS kind, flag AS detail, event.effective_at, event.source,
        event.published_at, title, url
      FROM venue_flag_event AS event LEFT JOIN LATERAL (
        SELECT title, url FROM token_instance AS instance JOIN token ON token.token_id = instance.token_id
          JOIN venue_announcement AS told ON told.exchange = token.exchange
        WHERE instance.instance_id = event.instance_id AND event.raised AND event.flag = 'announcement.' || told.meaning
          AND told.source = event.source AND told.published_at IS NOT DISTINCT FROM event.published_at
          AND told.first_seen_at <= event.at AND (base = ANY(bases) OR symbol = ANY(symbols))
        ORDER BY told.first_seen_at DESC, announcement_id LIMIT 1) AS announcement ON true
      WHERE event.instance_id = ${instanceId}
      UNION ALL
      SELECT at, 'lifecycle', to_state, NULL, NULL, NULL, NULL, NULL FROM lifecycle_event
      WHERE instance_id = ${instanceId} AND from_state IS NOT NULL
        AND token_id = (SELECT token_id FROM token_instance WHERE instance_id = ${instanceId})
      UNION ALL
      SELECT listed_at, 'listed', 'listed', NULL, NULL, NULL, NULL, NULL FROM token_instance
      WHERE instance_id = ${instanceId} AND listed_at IS NOT NULL
    ) AS one ORDER BY at DESC, kind, detail LIMIT ${max}`)
}
