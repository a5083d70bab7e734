import { sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { ChainPoint } from '#books/rules/chain-order.ts'
import type { Mandate } from '../rules/mandate.ts'
import { mandateColumns } from '../rules/mandate-columns.ts'
import { limitColumns, limitsOf } from './limit-columns.ts'

const plain = table('mandate', mandateColumns)
/** A mandate, for statements that read it together with something else. */
export const mandates = table('mandate', {
  ...mandateColumns,
  ...limitColumns,
  ownerId: z.number().nullable(),
  ownerWallet: z.string().nullable(),
  agentId: z.number().nullable(),
  agentWallet: z.string().nullable(),
  stoppedInRecordBy: z.enum(['owner', 'stop_line']).nullable(),
  stoppedBlock: z.number().nullable(),
  stoppedBlockHash: z.string().nullable(),
  stoppedBlockTime: z.string().nullable(),
  recordSeq: z.number(),
  recordHash: z.string(),
})

/** Builds a block from its columns; null unless all are set. */
export const pointOf = (number: number | null, hash: string | null, time: string | null): ChainPoint | null =>
  number === null || hash === null || time === null ? null : { number, hash, time }

/** Builds a mandate from its columns. */
export const mandateOf = (row: RowOf<typeof mandates>): Mandate => ({
  ...plain.only(row),
  owner: row.ownerId === null || row.ownerWallet === null ? null : { id: row.ownerId, wallet: row.ownerWallet },
  limits: limitsOf(row),
  agent: row.agentId === null || row.agentWallet === null ? null : { id: row.agentId, wallet: row.agentWallet },
  stoppedInRecordBy: row.stoppedInRecordBy ?? (row.stoppedInRecordAt === null ? null : 'owner'),
  stoppedHead: pointOf(row.stoppedBlock, row.stoppedBlockHash, row.stoppedBlockTime),
  record: { seq: row.recordSeq, hash: row.recordHash },
})

/** A mandate as its columns give it. */
export const mandateRow = mandates.row.transform(mandateOf)

/** Excludes expired drafts, whether or not their rows are deleted yet; part of a WHERE. */
export const alive = (now: Date) => sql.fragment`(expires_at IS NULL OR expires_at > ${now.toISOString()})`

/** Who may see or change a mandate. */
export type Party = { readonly ownerId: number } | { readonly agentId: number }

/** Selects the mandates of a party; part of a WHERE. */
export const ofParty = (party: Party) =>
  'ownerId' in party ? sql.fragment`owner_id = ${party.ownerId}` : sql.fragment`agent_id = ${party.agentId}`

/** Distinguishes the names of prepared statements: each kind of party needs a statement under another name. */
export const partyKind = (party: Party) => ('ownerId' in party ? 'owner' : 'agent')

/** Returns a mandate that the party may see; null for any other. */
export function findMandate(db: Db, publicId: string, party: Party, now: Date): Promise<Mandate | null> {
  return db.maybeOne(sql.prepared(`find_mandate_${partyKind(party)}`, mandateRow)`
    SELECT ${mandates.list} FROM mandate WHERE public_id = ${publicId} AND ${ofParty(party)} AND ${alive(now)}`)
}

/** Locks a mandate that the party may see; null for any other. Lock the vault first, if at all. */
export function lockMandate(tx: Tx, publicId: string, party: Party, now: Date): Promise<Mandate | null> {
  return tx.maybeOne(sql.prepared(`lock_mandate_${partyKind(party)}`, mandateRow)`
    SELECT ${mandates.list} FROM mandate WHERE public_id = ${publicId} AND ${ofParty(party)} AND ${alive(now)} FOR UPDATE`)
}

/** Returns a mandate by its public id, for callers that are no party; null for unowned drafts. */
export function findMandateOfAnyone(db: Db, publicId: string): Promise<Mandate | null> {
  return db.maybeOne(
    sql.type(mandateRow)`SELECT ${mandates.list} FROM mandate WHERE public_id = ${publicId} AND owner_id IS NOT NULL`,
  )
}

/** Locks a mandate by its public id, for callers that are no party; null for unowned drafts. */
export function lockMandateOfAnyone(tx: Tx, publicId: string): Promise<Mandate | null> {
  return tx.maybeOne(sql.prepared('lock_mandate_of_anyone', mandateRow)`
    SELECT ${mandates.list} FROM mandate WHERE public_id = ${publicId} AND owner_id IS NOT NULL FOR UPDATE`)
}

/** Returns a mandate by keccak256 of its public id. */
export function findByIdHash(db: Db, idHash: string): Promise<Mandate | null> {
  return db.maybeOne(sql.type(mandateRow)`SELECT ${mandates.list} FROM mandate WHERE id_hash = ${idHash}`)
}

/** Locks a mandate by id. Throws if it does not exist. */
export function lockMandateById(tx: Tx, id: number): Promise<Mandate> {
  return tx.one(sql.type(mandateRow)`SELECT ${mandates.list} FROM mandate WHERE id = ${id} FOR UPDATE`)
}

/** Stores the agent's confirmation; the first one is kept. */
export async function acceptByAgent(tx: Tx, id: number, now: Date): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE mandate SET accepted_at = ${now.toISOString()}, changed_at = ${now.toISOString()}
    WHERE id = ${id} AND accepted_at IS NULL`)
}

/** Stores the wallet that the terms name as agent and fee recipient. */
export async function storeAgentWallet(tx: Tx, id: number, wallet: string): Promise<void> {
  await tx.query(sql.unsafe`UPDATE mandate SET agent_wallet = ${wallet} WHERE id = ${id}`)
}

/** Stores the stop in the record with the newest known block; the first stop is kept. */
export async function stopInRecord(
  tx: Tx,
  id: number,
  { now, by, head }: { readonly now: Date; readonly by: 'owner' | 'stop_line'; readonly head: ChainPoint | null },
): Promise<void> {
  const stop = mandates.set({
    stoppedInRecordAt: now,
    stoppedInRecordBy: by,
    stoppedBlock: head?.number ?? null,
    stoppedBlockHash: head?.hash ?? null,
    stoppedBlockTime: head?.time ?? null,
  })
  await tx.query(sql.unsafe`
    UPDATE mandate SET ${stop} WHERE id = ${id} AND stopped_in_record_at IS NULL`)
}

/** Notes that the owner stopped a mandate after the stop line had stopped it in the record. */
export async function stopByOwnerToo(tx: Tx, id: number): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE mandate SET stopped_in_record_by = 'owner' WHERE id = ${id} AND stopped_in_record_by = 'stop_line'`)
}

/** Lists mandates of a party, newest first, from `before`, where the previous page ended. */
export async function listMandates(
  db: Db,
  query: { readonly party: Party; readonly before: number | null; readonly limit: number; readonly now: Date },
): Promise<{ readonly items: readonly Mandate[]; readonly next: number | null }> {
  const rows = await db.any(sql.type(mandateRow)`
    SELECT ${mandates.list} FROM mandate
    WHERE ${ofParty(query.party)} AND ${alive(query.now)} AND (${query.before}::bigint IS NULL OR id < ${query.before})
    ORDER BY id DESC LIMIT ${query.limit + 1}`)
  const items = rows.slice(0, query.limit)
  return { items, next: rows.length > query.limit ? (items.at(-1)?.id ?? null) : null }
}

/** Lists mandates that wait for the agent's confirmation, newest first. */
export function offersOf(
  db: Db,
  agentId: number,
  before: number | null,
  limit: number,
  now: Date,
): Promise<readonly Mandate[]> {
  return db.any(sql.type(mandateRow)`
    SELECT ${mandates.list} FROM mandate
    WHERE agent_id = ${agentId} AND accepted_at IS NULL AND owner_id IS NOT NULL AND state IN ('draft', 'signed', 'working', 'paused')
      AND ${alive(now)} AND (${before}::bigint IS NULL OR id < ${before})
    ORDER BY id DESC LIMIT ${limit}`)
}

const countRow = z.object({ count: z.number() })

/** Serialises signatures for an agent until the transaction ends, so that its policy's count stays correct. */
export async function lockAgent(tx: Tx, agentId: number): Promise<void> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended(${`agent:${agentId}`}, 0))`)
}

/** Counts the agent's other mandates that are signed and not over. */
export async function countOpenOfAgent(db: Db, agentId: number, exceptId: number | null): Promise<number> {
  const { count } = await db.one(sql.type(countRow)`
    SELECT count(*) FROM mandate
    WHERE agent_id = ${agentId} AND state IN ('signed', 'working', 'paused') AND id IS DISTINCT FROM ${exceptId}::bigint`)
  return count
}

const idRow = z.object({ id: z.number() })

/** Returns mandates past their end whose state is not ended yet, oldest end first. */
export async function dueToEnd(db: Db, now: Date, max: number): Promise<readonly number[]> {
  const rows = await db.any(sql.type(idRow)`
    SELECT id FROM mandate WHERE state IN ('signed', 'working', 'paused') AND ends_at <= ${now.toISOString()}
    ORDER BY ends_at LIMIT ${max}`)
  return rows.map(({ id }) => id)
}
