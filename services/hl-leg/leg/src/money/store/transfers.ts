import { legTransfer, type LegTransfer, transferKind, transferState } from '@svc/contracts/hl-leg/money'
import { usdcText } from '@svc/limits'
import type { RowOf as EffectOf } from '@svc/outbound'
import { instant, jsonAsWritten, named, sql, table, units, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'
import { after, isOpen, movesAtVenue, stateOf, type TransferEvent } from '../rules/transfer-state.ts'

const unitsOrNone = units.nullable()
/** What a transfer is stored with first. */
const opened = table('transfer', {
  transfer_id: z.string(),
  public_id: z.string(),
  kind: transferKind,
  network: z.enum(['testnet', 'mainnet']),
  owner_address: z.string().transform((text) => text as `0x${string}`),
  chain_id: z.number().nullable(),
  vault: z.string().nullable(),
  amount: units,
  last: z.boolean(),
  kept_by_owner: unitsOrNone,
  owed_beyond: unitsOrNone,
  fee_owed: unitsOrNone,
  ref: z.string().nullable(),
  chain: legTransfer.shape.chain_step,
  venue: legTransfer.shape.venue_step,
  state: transferState,
  open: z.boolean(),
  nonce: z.number().nullable(),
  action: jsonAsWritten(z.record(z.string(), z.unknown()).nullable()),
  venue_hash: z.string().nullable(),
  venue_at: instant.nullable(),
  opened_at: instant,
  changed_at: instant,
})
const inserted = table('transfer', {
  ...opened.columns,
  effect_state: z.enum(['planned', 'ended']),
  effect_outcome: z.enum(['done', 'abandoned']).nullable(),
  effect_informed_at: instant.nullable(),
})
const transfers = table('transfer', {
  id: named('effect_id', z.number()),
  ...opened.columns,
  reason: z.string().nullable(),
  tx_hash: z.string().nullable(),
  body: z.string().nullable(),
  copies_unknown: z.number(),
})
const { row: transferRow, list: columns } = transfers
/** A transfer of leg money. Base units of USDC. */
export type Transfer = RowOf<typeof transfers>
/** A transfer as the machine of effects drives its half at the venue. */
export type TransferEffect = EffectOf<typeof transferRow>

/**
 * The half of a transfer at the venue is an effect outside: the columns `effect_…` are those of the machine that drives it. The half
 * on the chain is a transaction of keeper. What does not move at the venue has ended there from the start.
 */
export const venueTransferKind = {
  name: 'venue_transfer',
  table: 'transfer',
  idColumn: 'effect_id',
  row: transferRow,
  former: {
    state: sql.fragment`(CASE WHEN venue = 'signed' THEN 'sent'
      WHEN venue = 'none' AND open AND kind IN ('fund', 'return', 'activation', 'refund') THEN 'planned' ELSE 'ended' END)`,
    outcome: sql.fragment`(CASE venue WHEN 'landed' THEN 'done' WHEN 'refused' THEN 'refused' ELSE 'abandoned' END)`,
    copies: sql.fragment`copies_unknown`,
    // The venue admits a nonce for two days; an hour later its entry is listed.
    overAfter: sql.fragment`(nonce + 176400000)`,
  },
}

/** Columns that an event may change. */
const moved = transfers.pick(
  'chain',
  'venue',
  'state',
  'open',
  'reason',
  'tx_hash',
  'nonce',
  'body',
  'ref',
  'venue_hash',
  'venue_at',
  'changed_at',
)

/** Serialises what decides on the transfers of a mandate. */
export async function lockMoney(tx: Tx, publicId: string): Promise<void> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended(${`money:${publicId}`}, 0))`)
}

export function findTransfer(db: Db, transferId: string): Promise<Transfer | null> {
  return db.maybeOne(sql.type(transferRow)`SELECT ${columns} FROM transfer WHERE transfer_id = ${transferId}`)
}

/** Locks a transfer for a change. */
export function lockTransfer(tx: Tx, transferId: string): Promise<Transfer | null> {
  return tx.maybeOne(
    sql.type(transferRow)`SELECT ${columns} FROM transfer WHERE transfer_id = ${transferId} FOR UPDATE`,
  )
}

/** Returns the return that an owner was asked to sign with this nonce. */
export function findReturn(db: Db, publicId: string, nonce: number): Promise<Transfer | null> {
  return db.maybeOne(sql.type(transferRow)`
    SELECT ${columns} FROM transfer WHERE public_id = ${publicId} AND kind = 'return' AND nonce = ${nonce}`)
}

/** Returns all transfers of mandates, oldest first. */
export function transfersOf(db: Db, publicIds: readonly string[]): Promise<readonly Transfer[]> {
  return db.any(sql.type(transferRow)`
    SELECT ${columns} FROM transfer WHERE public_id = ANY(${sql.array([...publicIds], 'text')})
    ORDER BY opened_at, transfer_id`)
}

const ofAccountRow = transferRow.extend({ owner_id: z.number() })
const publicIdRow = z.object({ public_id: z.string() })

/** Returns mandates whose leg was funded and has not ended, by id. */
export function mandatesWithFundings(db: Db, limit: number): Promise<readonly string[]> {
  return db.anyFirst(sql.type(publicIdRow)`
    SELECT DISTINCT public_id FROM transfer t
    WHERE kind = 'fund' AND NOT EXISTS (
      SELECT 1 FROM transfer l WHERE l.public_id = t.public_id AND l.last AND l.state = 'confirmed')
    ORDER BY public_id LIMIT ${limit}`)
}

/** Returns all transfers of owner addresses on a network, oldest first. */
export function transfersOfOwners(db: Db, network: string, owners: readonly string[]): Promise<readonly Transfer[]> {
  return db.any(sql.type(transferRow)`
    SELECT ${columns} FROM transfer
    WHERE network = ${network} AND owner_address = ANY(${sql.array([...owners], 'text')})
    ORDER BY opened_at, transfer_id`)
}

/** Returns all transfers of owners' accounts on a network with the account of each, whatever their addresses, oldest first. */
export function transfersOfAccounts(
  db: Db,
  network: string,
  ownerIds: readonly number[],
): Promise<readonly (Transfer & { readonly owner_id: number })[]> {
  return db.any(sql.type(ofAccountRow)`
    SELECT ${columns}, owner_id FROM (
      SELECT transfer.*, leg.owner_id FROM transfer JOIN leg USING (public_id)
      WHERE transfer.network = ${network} AND leg.owner_id = ANY(${sql.array([...ownerIds], 'int8')})) AS of_account
    ORDER BY opened_at, transfer_id`)
}

/** Returns transfers that are open or changed since a time, by id. */
export function listTransfers(
  db: Db,
  { after: last, changedSince, limit }: { after: string | null; changedSince: Date | null; limit: number },
): Promise<readonly Transfer[]> {
  const page = last === null ? sql.fragment`` : sql.fragment`AND transfer_id > ${last}`
  const wanted =
    changedSince === null ? sql.fragment`open` : sql.fragment`(open OR changed_at >= ${changedSince.toISOString()})`
  return db.any(sql.type(transferRow)`
    SELECT ${columns} FROM transfer WHERE ${wanted} ${page} ORDER BY transfer_id LIMIT ${limit}`)
}

/** Selects what a job works on: signed bytes, and what was planned until the half on the chain ended it. */
export const dueTransfers = { where: sql.fragment`(venue = 'signed' OR NOT open)`, order: sql.fragment`effect_next_at` }

/** A transfer to store. */
export type NewTransfer = Pick<
  Transfer,
  'transfer_id' | 'public_id' | 'kind' | 'network' | 'owner_address' | 'chain_id' | 'vault' | 'amount' | 'last' | 'ref'
> &
  Partial<Pick<Transfer, 'kept_by_owner' | 'owed_beyond' | 'fee_owed' | 'nonce' | 'action' | 'venue_hash' | 'venue_at'>>

/** What a transfer may lack. */
const WITHOUT = {
  kept_by_owner: null,
  owed_beyond: null,
  fee_owed: null,
  nonce: null,
  action: null,
  venue_hash: null,
  venue_at: null,
} as const

/** Stores a transfer before anything is sent for it. Returns false if one of its leg is open, or the id is known. */
export async function insertTransfer(tx: Tx, row: NewTransfer, now: Date): Promise<boolean> {
  const landed = row.venue_hash != null
  const standing = { kind: row.kind, chain: 'none', venue: landed ? 'landed' : 'none' } as const
  const stand = { ...standing, state: stateOf(standing), open: isOpen(standing), opened_at: now, changed_at: now }
  const effect = movesAtVenue(row.kind)
    ? ({ effect_state: 'planned', effect_outcome: null, effect_informed_at: null } as const)
    : ({ effect_state: 'ended', effect_outcome: landed ? 'done' : 'abandoned', effect_informed_at: now } as const)
  const { rowCount } = await tx.query(sql.unsafe`
    ${inserted.insert({ ...WITHOUT, ...row, ...stand, ...effect })} ON CONFLICT DO NOTHING`)
  if (rowCount > 0)
    await insertStep(tx, row.transfer_id, { event: 'opened', state: stateOf(standing), detail: null }, now)
  return rowCount > 0
}

/** What an event tells besides itself. */
export interface Told {
  readonly reason?: string | null
  readonly txHash?: string | null
  readonly nonce?: number
  readonly body?: string
  readonly ref?: string
  readonly venueHash?: string
  readonly venueAt?: Date
}

/**
 * Moves a locked transfer on. Returns it as it is afterwards; unchanged if the event says what is known, null if the event
 * contradicts it.
 */
export async function moveTransfer(
  tx: Tx,
  transfer: Transfer,
  event: TransferEvent,
  told: Told,
  now: Date,
): Promise<Transfer | null> {
  const { kind, chain, venue } = transfer
  const next = after({ kind, chain, venue }, event)
  if (next === null) return null
  if (next.chain === chain && next.venue === venue && (told.txHash ?? transfer.tx_hash) === transfer.tx_hash)
    return transfer
  const state = stateOf(next)
  const change = moved.set({
    ...next,
    state,
    open: isOpen(next),
    reason: told.reason ?? null,
    tx_hash: told.txHash ?? transfer.tx_hash,
    nonce: told.nonce ?? transfer.nonce,
    body: told.body ?? transfer.body,
    ref: told.ref ?? transfer.ref,
    venue_hash: told.venueHash ?? transfer.venue_hash,
    venue_at: told.venueAt ?? transfer.venue_at,
    changed_at: now,
  })
  const changed = await tx.one(sql.type(transferRow)`
    UPDATE transfer SET ${change} WHERE transfer_id = ${transfer.transfer_id} RETURNING ${columns}`)
  await insertStep(tx, transfer.transfer_id, { event, state, detail: told.reason ?? told.txHash ?? null }, now)
  return changed
}

/** Voids a return that nobody signed. Returns false if it was signed meanwhile: its money may move. */
export async function voidReturn(tx: Tx, { transfer_id }: Transfer, reason: string, now: Date): Promise<boolean> {
  const locked = await lockTransfer(tx, transfer_id)
  return locked !== null && (await moveTransfer(tx, locked, 'voided', { reason }, now)) !== null
}

async function insertStep(
  tx: Tx,
  transferId: string,
  step: { readonly event: string; readonly state: string; readonly detail: string | null },
  now: Date,
): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO transfer_step (transfer_id, number, event, state, detail, at)
    SELECT ${transferId}, count(*) + 1, ${step.event}, ${step.state}, ${step.detail}, ${now.toISOString()}
    FROM transfer_step WHERE transfer_id = ${transferId}`)
}

/**
 * Counts a copy in the column of the last release before it is sent, so that no refusal of a copy of its own ends the transfer. Returns
 * false if the last release has ended it. Does not count as a movement.
 */
export async function countForLastRelease(db: Db, transferId: string): Promise<boolean> {
  const { rowCount } = await db.query(sql.unsafe`
    UPDATE transfer SET copies_unknown = copies_unknown + 1 WHERE transfer_id = ${transferId} AND venue = 'signed'`)
  return rowCount > 0
}

/** Stores why an open transfer waits; null ends that. Does not count as a movement. */
export async function noteReason(tx: Tx, transferId: string, reason: string | null): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE transfer SET reason = ${reason} WHERE transfer_id = ${transferId} AND reason IS DISTINCT FROM ${reason}`)
}

const venueHashRow = z.object({ venue_hash: z.string() })

/** Returns the ledger entries of an owner address that belong to transfers. */
export async function takenEntries(db: Db, network: string, owner: string): Promise<ReadonlySet<string>> {
  const hashes = await db.anyFirst(sql.type(venueHashRow)`
    SELECT venue_hash FROM transfer
    WHERE network = ${network} AND owner_address = ${owner} AND venue_hash IS NOT NULL`)
  return new Set(hashes)
}

const countedRow = z.object({ counted: z.boolean() })

/** Returns whether an entry of the venue's ledger was divided as a payment to the pool, or counts as money of the owner. */
export const isCountedElsewhere = (db: Db, hash: string): Promise<boolean> =>
  db.oneFirst(sql.type(countedRow)`
    SELECT EXISTS (SELECT FROM pool_payment WHERE venue_hash = ${hash})
      OR EXISTS (SELECT FROM ledger_entry WHERE hash = ${hash} AND NOT ours) AS counted`)

/** Returns a transfer as keeper reads it. */
export const transferView = (row: Transfer): LegTransfer => ({
  transfer_id: row.transfer_id,
  public_id: row.public_id,
  kind: row.kind,
  state: row.state,
  open: row.open,
  reason: row.reason,
  network: row.network,
  owner_address: row.owner_address,
  vault: row.vault,
  chain_id: row.chain_id,
  amount_usdc: usdcText(row.amount),
  last: row.last,
  ref: row.ref,
  nonce: row.nonce,
  signed: row.body !== null,
  chain_step: row.chain,
  venue_step: row.venue,
  tx_hash: row.tx_hash,
  venue_hash: row.venue_hash,
  venue_at: row.venue_at?.toISOString() ?? null,
  opened_at: row.opened_at.toISOString(),
  changed_at: row.changed_at.toISOString(),
})
