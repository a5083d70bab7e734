import type { OwnRefusal } from '@svc/contracts/hl-trade/account'
import { ownRefusal } from '@svc/contracts/hl-trade/account'
import type { Network } from '@svc/hyperliquid'
import { instant, named, sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import type { Address } from 'viem'
import { z } from 'zod'

const address = z.string().transform((text) => text as Address)
const keyState = z.enum(['none', 'offered', 'enabled', 'revoked', 'expired', 'orphaned'])
/** Where the order key of a link stands, as stored. */
export type KeyState = z.output<typeof keyState>

const links = table('own_account', {
  linkId: z.string(),
  ownerId: z.number(),
  network: z.enum(['testnet', 'mainnet']),
  wallet: address,
  linkedAt: instant,
  termsHash: z.string().nullable(),
  refused: ownRefusal.nullable(),
  keyState,
  epoch: z.number().nullable(),
  agent: named('agent_address', address.nullable()),
  fingerprint: named('seed_fingerprint', z.string().nullable()),
  validUntil: instant.nullable(),
  builder: named('builder_address', address.nullable()),
  builderFeeMax: z.number().nullable(),
  builderReadAt: instant.nullable(),
  surveyedAt: instant.nullable(),
})
const { row: linkRow, list: columns } = links
/** An owner's link to an own account. Addresses are lower case. */
export type Link = RowOf<typeof links>

const made = links.pick('linkId', 'ownerId', 'network', 'wallet', 'termsHash', 'linkedAt', 'surveyedAt')
const keys = links.pick('keyState', 'epoch', 'agent', 'fingerprint', 'validUntil')

/** Returns the link of an owner; null if no account is linked. */
export function linkOf(db: Db, network: Network, ownerId: number): Promise<Link | null> {
  return db.maybeOne(sql.type(linkRow)`
    SELECT ${columns} FROM own_account WHERE network = ${network} AND owner_id = ${ownerId} AND ended_at IS NULL`)
}

/** Returns the link of a wallet; null if it is linked to nobody. */
export function linkOfWallet(db: Db, network: Network, wallet: Address): Promise<Link | null> {
  return db.maybeOne(sql.type(linkRow)`
    SELECT ${columns} FROM own_account
    WHERE network = ${network} AND wallet = ${wallet.toLowerCase()} AND ended_at IS NULL`)
}

/** Returns a link that has not ended and locks it; null if it has. */
export function lockLink(tx: Tx, linkId: string): Promise<Link | null> {
  return tx.maybeOne(sql.type(linkRow)`
    SELECT ${columns} FROM own_account WHERE link_id = ${linkId} AND ended_at IS NULL FOR UPDATE`)
}

/** Waits until no other transaction links an account of this owner, or this wallet. Locks in one order for all callers. */
export async function lockLinking(tx: Tx, network: Network, ownerId: number, wallet: Address): Promise<void> {
  for (const name of [`own owner ${network} ${ownerId}`, `own wallet ${network} ${wallet.toLowerCase()}`])
    await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}

/** Stores a new link; its owner and its wallet must have none. */
export function insertLink(
  tx: Tx,
  link: {
    readonly linkId: string
    readonly ownerId: number
    readonly network: Network
    readonly wallet: Address
    readonly termsHash: string | null
  },
  now: Date,
): Promise<Link> {
  const row = { ...link, wallet: link.wallet.toLowerCase() as Address, linkedAt: now, surveyedAt: now }
  return tx.one(sql.type(linkRow)`
    ${made.insert(row)}
    RETURNING ${columns}`)
}

/** Stores that an owner linked the same wallet again: the account was examined, and terms may have been named. */
export function renewLink(tx: Tx, linkId: string, termsHash: string | null, now: Date): Promise<Link> {
  return tx.one(sql.type(linkRow)`
    UPDATE own_account SET refused = NULL, terms_hash = coalesce(${termsHash}, terms_hash), surveyed_at = ${now.toISOString()}
    WHERE link_id = ${linkId} RETURNING ${columns}`)
}

/** Ends a link. */
export async function endLink(tx: Tx, linkId: string, now: Date): Promise<void> {
  await tx.query(sql.unsafe`UPDATE own_account SET ended_at = ${now.toISOString()} WHERE link_id = ${linkId}`)
}

/**
 * Stores which key is offered to an owner who has enabled none yet, and returns the link then; null if a key was enabled
 * before, which stays shown.
 */
export function noteOffered(
  db: Db,
  linkId: string,
  key: { readonly epoch: number; readonly agent: Address; readonly fingerprint: string },
): Promise<Link | null> {
  return db.maybeOne(sql.type(linkRow)`
    UPDATE own_account SET ${keys.set({ ...key, keyState: 'offered', validUntil: null })}
    WHERE link_id = ${linkId} AND key_state IN ('none', 'offered') RETURNING ${columns}`)
}

/** Stores that the venue lists a key. The link must be locked. */
export function enableKey(
  tx: Tx,
  linkId: string,
  key: {
    readonly epoch: number
    readonly agent: Address
    readonly fingerprint: string
    readonly validUntil: Date | null
  },
): Promise<Link> {
  return tx.one(sql.type(linkRow)`
    UPDATE own_account SET ${keys.set({ ...key, keyState: 'enabled' })}
    WHERE link_id = ${linkId} RETURNING ${columns}`)
}

/** Stores what became of the key of a link. The link must be locked. */
export function moveKey(tx: Tx, linkId: string, to: Exclude<KeyState, 'none' | 'offered' | 'enabled'>): Promise<Link> {
  return tx.one(sql.type(linkRow)`
    UPDATE own_account SET key_state = ${to} WHERE link_id = ${linkId} RETURNING ${columns}`)
}

/** Stores that an account was examined, and why it may not be traded. */
export async function noteSurvey(db: Db, linkId: string, refused: OwnRefusal | null, now: Date): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE own_account SET refused = ${refused}, surveyed_at = ${now.toISOString()} WHERE link_id = ${linkId}`)
}

/** Stores what the venue says of the builder fee that an owner approved. */
export function noteBuilderFee(
  db: Db,
  linkId: string,
  fee: { readonly builder: Address; readonly max: number },
  now: Date,
): Promise<Link> {
  return db.one(sql.type(linkRow)`
    UPDATE own_account SET builder_address = ${fee.builder.toLowerCase()}, builder_fee_max = ${fee.max},
      builder_read_at = ${now.toISOString()}
    WHERE link_id = ${linkId} RETURNING ${columns}`)
}

/** Lets the next tick examine an account, for example because the venue refused its key. */
export async function askSurvey(db: Db, linkId: string): Promise<void> {
  await db.query(sql.unsafe`UPDATE own_account SET surveyed_at = NULL WHERE link_id = ${linkId}`)
}

/** Lists links that are due to be examined, the longest due first. */
export function linksToSurvey(db: Db, network: Network, before: Date, limit: number): Promise<readonly Link[]> {
  return db.any(sql.type(linkRow)`
    SELECT ${columns} FROM own_account
    WHERE network = ${network} AND ended_at IS NULL AND (surveyed_at IS NULL OR surveyed_at <= ${before.toISOString()})
    ORDER BY surveyed_at NULLS FIRST, link_id LIMIT ${limit}`)
}

/** Lists links whose key is enabled, in the order of their ids, after one of them. */
export function enabledLinks(db: Db, network: Network, after: string, limit: number): Promise<readonly Link[]> {
  return db.any(sql.type(linkRow)`
    SELECT ${columns} FROM own_account
    WHERE network = ${network} AND ended_at IS NULL AND key_state = 'enabled' AND link_id > ${after}
    ORDER BY link_id LIMIT ${limit}`)
}

const countRow = z.object({ count: z.number() })

/** Counts linked accounts that let a builder charge at least `fee`. */
export async function countApproved(db: Db, network: Network, builder: Address, fee: number): Promise<number> {
  return db.oneFirst(sql.type(countRow)`
    SELECT count(*)::integer AS count FROM own_account
    WHERE network = ${network} AND ended_at IS NULL AND builder_address = ${builder.toLowerCase()} AND builder_fee_max >= ${fee}`)
}
