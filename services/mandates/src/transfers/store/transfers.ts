import { sql, table, units, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const transfers = table('transfer', {
  id: z.number(),
  agent_id: z.number(),
  chain_id: z.number(),
  asset: z.string(),
  amount: units,
  decimals: z.number(),
  tx_hash: z.string(),
  direction: z.enum(['in', 'out']),
  state: z.enum(['in_transit', 'delivered']),
  reason: z.enum(['waiting_for_chain', 'chain_not_read', 'asset_not_read', 'no_such_movement']).nullable(),
  eta_at: z.string().nullable(),
  reported_at: z.string(),
  delivered_at: z.string().nullable(),
  revision: z.number(),
})
/** A reported transfer. */
export type Transfer = RowOf<typeof transfers>

const newTransfers = transfers.omit('id', 'delivered_at', 'revision')

/** Stores a report. Returns null if the same report is already stored. */
export function insertTransfer(tx: Tx, transfer: Omit<RowOf<typeof newTransfers>, 'state'>): Promise<Transfer | null> {
  return tx.maybeOne(sql.type(transfers.row)`
    ${newTransfers.insert({ ...transfer, state: 'in_transit' })}
    ON CONFLICT (agent_id, chain_id, tx_hash, asset, direction, amount) DO NOTHING
    RETURNING ${transfers.list}`)
}

/** Returns the stored report with the same content; null if there is none. */
export function sameTransfer(
  db: Db,
  transfer: Pick<Transfer, 'agent_id' | 'chain_id' | 'tx_hash' | 'asset' | 'direction' | 'amount'>,
): Promise<Transfer | null> {
  return db.maybeOne(sql.type(transfers.row)`
    SELECT ${transfers.list} FROM transfer
    WHERE agent_id = ${transfer.agent_id} AND chain_id = ${transfer.chain_id} AND tx_hash = ${transfer.tx_hash}
      AND asset = ${transfer.asset} AND direction = ${transfer.direction} AND amount = ${String(transfer.amount)}`)
}

/** Number of newest transfers among which undelivered ones are counted. */
const COUNTED_AMONG = 3_600

const countRow = z.object({ count: z.number() })

/** Counts the undelivered transfers of an agent since a time whose transactions are searched on the chain. */
export async function countUndelivered(db: Db, agentId: number, since: Date): Promise<number> {
  const { count } = await db.one(sql.type(countRow)`
    SELECT count(*) FROM (
      SELECT state, reason, reported_at FROM transfer WHERE agent_id = ${agentId} ORDER BY id DESC LIMIT ${COUNTED_AMONG}) newest
    WHERE state = 'in_transit' AND reason IN ('waiting_for_chain', 'no_such_movement')
      AND reported_at > ${since.toISOString()}`)
  return count
}

/**
 * Locks the transfers of a transaction, including those that a concurrent transaction is storing. A report reads the chain
 * under this lock and an event waits for the lock, so that a report misses no event between its read and its
 * row.
 */
export async function lockTransfers(tx: Tx, chainId: number, txHash: string): Promise<void> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended(${`transfer:${chainId}:${txHash}`}, 0))`)
}

/** Returns the transfers of a transaction, oldest first. */
export function reportedTransfers(db: Db, chainId: number, txHash: string): Promise<readonly Transfer[]> {
  return db.any(sql.type(transfers.row)`
    SELECT ${transfers.list} FROM transfer WHERE chain_id = ${chainId} AND tx_hash = ${txHash} ORDER BY id`)
}

/** Marks a transfer as delivered by a movement of its transaction. */
export async function deliverTransfer(tx: Tx, id: number, movement: number, at: string): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE transfer SET state = 'delivered', reason = NULL, movement = ${movement}, delivered_at = ${at} WHERE id = ${id}`)
}

/** Stores the revision of a transaction that was compared with its transfers. */
export async function raiseRevision(tx: Tx, chainId: number, txHash: string, revision: number): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE transfer SET revision = ${revision} WHERE chain_id = ${chainId} AND tx_hash = ${txHash}`)
}

/** Sets a transfer in transit, with the reason. */
export async function keepInTransit(tx: Tx, id: number, reason: Transfer['reason']): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE transfer SET state = 'in_transit', reason = ${reason}, movement = NULL, delivered_at = NULL WHERE id = ${id}`)
}

const sumRow = z.object({
  chain_id: z.number(),
  asset: z.string(),
  decimals: z.number(),
  in_transit: units,
  delivered: units,
})

/** Returns the sums of an agent's transfers by chain and asset. */
export function transferSums(db: Db, agentId: number): Promise<readonly z.output<typeof sumRow>[]> {
  return db.any(sql.type(sumRow)`
    SELECT chain_id, asset, max(decimals) AS decimals,
      coalesce(sum(amount) FILTER (WHERE state = 'in_transit'), 0) AS in_transit,
      coalesce(sum(amount) FILTER (WHERE state = 'delivered'), 0) AS delivered
    FROM transfer WHERE agent_id = ${agentId} GROUP BY chain_id, asset ORDER BY chain_id, asset LIMIT 199`)
}

const addressRow = z.object({ address: z.string() })

/** Returns the vaults of an agent's mandates on a chain, in lower case. */
export async function vaultAddressesOf(db: Db, agentId: number, chainId: number): Promise<readonly string[]> {
  const rows = await db.any(sql.type(addressRow)`
    SELECT v.address FROM mandate m JOIN vault v ON v.mandate_id = m.id AND v.canonical
    WHERE m.agent_id = ${agentId} AND v.chain_id = ${chainId}`)
  return rows.map(({ address }) => address)
}

const moneyRow = z.object({
  chain_id: z.number(),
  in_vaults: units,
  held: units,
})

/** Returns the recognised USDC in the vaults of an agent's open mandates, and how much of it approvals of calls hold. */
export function vaultMoneyOf(db: Db, agentId: number, now: Date): Promise<readonly z.output<typeof moneyRow>[]> {
  return db.any(sql.type(moneyRow)`
    SELECT v.chain_id, coalesce(sum((v.books->>'accounted')::numeric), 0) AS in_vaults, coalesce(sum(h.held), 0) AS held
    FROM mandate m JOIN vault v ON v.mandate_id = m.id AND v.canonical
    LEFT JOIN LATERAL (
      SELECT sum(amount) AS held FROM approval a
      WHERE a.kind = 'call' AND a.mandate_id = m.id AND a.status IN ('pending', 'approved') AND a.expires_at > ${now.toISOString()}) h ON true
    WHERE m.agent_id = ${agentId} AND m.state <> 'closed' GROUP BY v.chain_id`)
}
