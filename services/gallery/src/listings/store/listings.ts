import { listingBody, listingStatus, listingType, priceModel } from '@svc/contracts/gallery/listings'
import { json, sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const listings = table('listing', {
  id: z.string(),
  seq: z.number(),
  type: listingType,
  seller_agent_id: z.number(),
  title: z.string(),
  summary: z.string(),
  price_model: priceModel,
  price_cherry: z.number().nullable(),
  vault_id: z.string().nullable(),
  body: json(listingBody),
  published_at: z.string(),
})
const newListings = listings.omit('seq')
const row = listings.row.extend({
  status: listingStatus,
  status_reason: z.string(),
  status_at: z.string(),
})
/** A listing with its state. The listing of an operator that has ended is withdrawn. */
export type Listing = z.output<typeof row>
export type ListingType = Listing['type']
export type ListingStatus = Listing['status']

/**
 * Listings with the newest row of their status. An operator that ended withdraws its listings from that moment on; the
 * row that says so may follow later.
 */
const LISTINGS = sql.fragment`
  SELECT ${listings.listOf('l')},
    CASE WHEN e.at IS NULL THEN s.status ELSE 'withdrawn' END AS status,
    CASE WHEN e.at IS NULL OR s.status = 'withdrawn' THEN s.reason ELSE 'its operator has ended' END AS status_reason,
    CASE WHEN e.at IS NULL OR s.status = 'withdrawn' THEN s.at ELSE e.at END AS status_at
  FROM listing l
  JOIN LATERAL (SELECT status, reason, at FROM listing_status WHERE listing_id = l.id ORDER BY seq DESC LIMIT 1) s ON true
  LEFT JOIN LATERAL (
    SELECT operator_end.at FROM operator JOIN operator_end ON operator_end.operator_id = operator.id
    WHERE operator.vault_id = l.vault_id LIMIT 1
  ) e ON true`
/** Listings whose stored state is not withdrawn, by the index listing_withdrawn. */
const NOT_WITHDRAWN = sql.fragment`
  NOT EXISTS (SELECT FROM listing_status WHERE listing_id = l.id AND status = 'withdrawn')`

/** Returns a listing with its present status; null for an unknown id. */
export function findListing(db: Db, listingId: string): Promise<Listing | null> {
  return db.maybeOne(sql.type(row)`${LISTINGS} WHERE l.id = ${listingId}`)
}

/** Which listings a page shows. */
export interface ListingFilter {
  readonly type?: ListingType | undefined
  readonly priceModel?: Listing['price_model'] | undefined
  readonly sellerId?: number | undefined
  readonly vaultId?: string | undefined
  /** `seq` of the last listing of the previous page. */
  readonly before?: number | null
  readonly limit: number
}

/** Returns listings that are live, newest first. */
export function liveListings(db: Db, filter: ListingFilter): Promise<readonly Listing[]> {
  const { type = null, priceModel: model = null, sellerId = null, vaultId = null, before = null, limit } = filter
  // Read backwards by seq and looked up one by one, so that a page ends the scan.
  return db.any(sql.type(row)`
    SELECT * FROM (${LISTINGS}
      WHERE ${NOT_WITHDRAWN} AND (${type}::text IS NULL OR l.type = ${type}) AND (${model}::text IS NULL OR l.price_model = ${model})
        AND (${sellerId}::bigint IS NULL OR l.seller_agent_id = ${sellerId})
        AND (${vaultId}::text IS NULL OR l.vault_id = ${vaultId}) AND (${before}::bigint IS NULL OR l.seq < ${before})
      ORDER BY l.seq DESC) AS known
    WHERE status = 'live' ORDER BY seq DESC LIMIT ${limit}`)
}

/** Appends a state to a listing. Locks the listing, so that states have one order; returns false if it is withdrawn. */
export async function appendStatus(
  tx: Tx,
  listingId: string,
  { status, reason, at }: { readonly status: ListingStatus; readonly reason: string; readonly at: Date },
): Promise<boolean> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended(${`listing:${listingId}`}, 0))`)
  const { rowCount } = await tx.query(sql.unsafe`
    INSERT INTO listing_status (listing_id, seq, status, reason, at)
    SELECT listing_id, seq + 1, ${status}, ${reason}, ${at.toISOString()}
    FROM (SELECT listing_id, seq, status FROM listing_status WHERE listing_id = ${listingId} ORDER BY seq DESC LIMIT 1) AS newest
    WHERE status <> 'withdrawn'`)
  return rowCount === 1
}

/** Returns the listings in which vaults stand now. */
export function listingsOfVaults(db: Db, vaultIds: readonly string[]): Promise<readonly Listing[]> {
  return db.any(sql.type(row)`
    ${LISTINGS} JOIN vault_listing v ON v.listing_id = l.id
    WHERE v.vault_id = ANY(${sql.array([...vaultIds], 'text')}) ORDER BY l.seq`)
}

/** A new listing, which is live. */
export type NewListing = Omit<RowOf<typeof newListings>, 'published_at'>

/** Stores a listing that is live from now on. */
export async function insertListing(tx: Tx, listing: NewListing, now: Date): Promise<void> {
  const at = now.toISOString()
  await tx.query(sql.unsafe`
    WITH stored AS (
      ${newListings.insert({ ...listing, published_at: at })} RETURNING id)
    INSERT INTO listing_status (listing_id, seq, status, reason, at) SELECT id, 1, 'live', 'published', ${at} FROM stored`)
}

/** Puts a vault into a listing. Returns null, or the other listing that has the vault. */
export async function takeVault(tx: Tx, vaultId: string, listingId: string): Promise<string | null> {
  const holder = z.object({ listing_id: z.string() })
  const taken = await tx.maybeOne(sql.type(holder)`
    INSERT INTO vault_listing (vault_id, listing_id) VALUES (${vaultId}, ${listingId})
    ON CONFLICT DO NOTHING RETURNING listing_id`)
  if (taken !== null) return null
  return (await tx.one(sql.type(holder)`SELECT listing_id FROM vault_listing WHERE vault_id = ${vaultId}`)).listing_id
}

/** Withdraws a listing and frees its vault. One that is withdrawn stays as it is. Returns true if it was not. */
export async function withdraw(tx: Tx, listingId: string, reason: string, at: Date): Promise<boolean> {
  const appended = await appendStatus(tx, listingId, { status: 'withdrawn', reason, at })
  await tx.query(sql.unsafe`DELETE FROM vault_listing WHERE listing_id = ${listingId}`)
  return appended
}

const countRow = z.object({ count: z.number() })

/** Counts the listings of a seller that are not withdrawn. */
export async function countOpen(tx: Tx, sellerId: number): Promise<number> {
  const { count } = await tx.one(sql.type(countRow)`
    SELECT count(*) FROM (${LISTINGS} WHERE l.seller_agent_id = ${sellerId} AND ${NOT_WITHDRAWN}) AS listings
    WHERE status <> 'withdrawn'`)
  return count
}

/** Returns earlier listings of the same seller and type, newest first. */
export function earlierListings(db: Db, listing: Listing, limit: number): Promise<readonly Listing[]> {
  return db.any(sql.type(row)`
    ${LISTINGS} WHERE l.seller_agent_id = ${listing.seller_agent_id} AND l.type = ${listing.type} AND l.seq < ${listing.seq}
    ORDER BY l.seq DESC LIMIT ${limit}`)
}

/** Returns listings whose stored status is not withdrawn, oldest first; that of an ended operator is among them. */
export function openListings(db: Db, afterSeq: number, limit: number): Promise<readonly Listing[]> {
  return db.any(sql.type(row)`
    ${LISTINGS} WHERE ${NOT_WITHDRAWN} AND l.seq > ${afterSeq} ORDER BY l.seq LIMIT ${limit}`)
}
