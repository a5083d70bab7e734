import { sql, table, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { Limits } from '@svc/limits'
import { limitRow, type LimitRow } from '#mandate/store/limit-columns.ts'
import type { AgentOfMandate, Mandate } from '#mandate/rules/mandate.ts'
import { alive, mandateRow, mandates } from '#mandate/store/mandates.ts'

const countRow = z.object({ count: z.number() })
const idRow = z.object({ id: z.number() })

const { columns } = mandates.omit(
  'id',
  'state',
  'stateCause',
  'acceptedAt',
  'stoppedInRecordAt',
  'stoppedInRecordBy',
  'stoppedBlock',
  'stoppedBlockHash',
  'stoppedBlockTime',
  'recordSeq',
  'recordHash',
)
/** The hash is keccak256 of the public id. */
const newMandates = table('mandate', { ...columns, idHash: z.string(), claimHash: z.string().nullable() })
type NewRow = RowOf<typeof newMandates>
type Grouped = keyof LimitRow | 'ownerId' | 'ownerWallet' | 'agentId' | 'agentWallet'

/** A new draft. */
export interface NewMandate extends Omit<NewRow, Grouped | 'stateSince' | 'createdAt' | 'changedAt'> {
  readonly owner: { readonly id: number; readonly wallet: string } | null
  readonly limits: Limits
  readonly agent: AgentOfMandate | null
  readonly expiresAt: Date
}

/** Stores a draft. */
export function insertMandate(tx: Tx, draft: NewMandate, now: Date): Promise<Mandate> {
  const { limits, owner, agent, ...values } = draft
  const row = {
    ...values,
    ...limitRow(limits),
    ownerId: owner?.id ?? null,
    ownerWallet: owner?.wallet ?? null,
    agentId: agent?.id ?? null,
    agentWallet: agent?.wallet ?? null,
    stateSince: now,
    createdAt: now,
    changedAt: now,
  }
  return tx.one(sql.type(mandateRow)`${newMandates.insert(row)} RETURNING ${mandates.list}`)
}

/** Makes an account the owner of an unowned draft. Returns null if the draft or its claim token is unknown. */
export function claimDraft(
  tx: Tx,
  claim: { readonly publicId: string; readonly claimHash: string },
  owner: { readonly id: number; readonly wallet: string },
  now: Date,
  expiresAt: Date,
): Promise<Mandate | null> {
  return tx.maybeOne(sql.type(mandateRow)`
    UPDATE mandate SET owner_id = ${owner.id}, owner_wallet = ${owner.wallet}, claim_hash = NULL,
      changed_at = ${now.toISOString()}, expires_at = ${expiresAt.toISOString()}
    WHERE public_id = ${claim.publicId} AND owner_id IS NULL AND claim_hash = ${claim.claimHash} AND ${alive(now)}
    RETURNING ${mandates.list}`)
}

/** Replaces the fields of a draft and its expiry. */
export function correctDraft(
  tx: Tx,
  id: number,
  change: Pick<NewMandate, 'name' | 'limits' | 'agent' | 'expiresAt'> & Pick<Mandate, 'acceptedAt'>,
  now: Date,
): Promise<Mandate> {
  const { limits, agent, ...values } = change
  const set = mandates.set({
    ...values,
    ...limitRow(limits),
    agentId: agent?.id ?? null,
    agentWallet: agent?.wallet ?? null,
    changedAt: now,
  })
  return tx.one(sql.type(mandateRow)`UPDATE mandate SET ${set} WHERE id = ${id} RETURNING ${mandates.list}`)
}

/** Counts the drafts of an owner. Locks the count until the transaction ends, so that concurrent inserts keep the maximum. */
export async function countDrafts(tx: Tx, ownerId: number, now: Date): Promise<number> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended(${`drafts:${ownerId}`}, 0))`)
  const { count } = await tx.one(sql.type(countRow)`
    SELECT count(*) FROM mandate WHERE owner_id = ${ownerId} AND state = 'draft' AND ${alive(now)}`)
  return count
}

/** Deletes unowned drafts that nobody claimed in time; they have no record. Returns their number. */
export async function deleteUnclaimed(tx: Tx, now: Date, max: number): Promise<number> {
  const rows = await tx.any(sql.type(idRow)`
    DELETE FROM mandate WHERE id IN (
      SELECT id FROM mandate WHERE owner_id IS NULL AND expires_at <= ${now.toISOString()}
      ORDER BY expires_at LIMIT ${max} FOR UPDATE SKIP LOCKED)
    RETURNING id`)
  return rows.length
}
