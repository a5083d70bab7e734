import { sql, type Pool, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** True when the tables of this service are there. */
export function hasSchema(pool: Pool): Promise<boolean> {
  return pool.oneFirst(sql.type(z.object({ there: z.boolean() }))`
    SELECT to_regclass('attempt') IS NOT NULL AND to_regclass('known_chain') IS NOT NULL AS there`)
}

/** How a sending ended. */
export type Outcome = 'done' | 'reverted' | 'cancelled' | 'nonce_taken' | 'refused' | 'expired' | 'lost'

/** Whose transactions: an account on a chain. */
export interface Account {
  readonly chainId: number
  readonly sender: string
}

/** A call that is to be sent. */
export interface Decision {
  readonly kind: 'mark' | 'settle'
  readonly publicId: string
  readonly vault: string
  readonly data: string
}

const sendingRow = z.object({
  id: z.number(),
  kind: z.enum(['mark', 'settle']),
  public_id: z.string(),
  vault: z.string(),
  data: z.string(),
  decided_at: z.string().transform((text) => new Date(text)),
  nonce: z.number().nullable(),
})
/** A decision that has not ended. */
export type Sending = z.output<typeof sendingRow>
const columns = sql.fragment`id, kind, public_id, vault, data, decided_at, nonce`

const attemptRow = z.object({
  number: z.number(),
  kind: z.enum(['call', 'cancel']),
  tx_hash: z.string(),
  raw: z.string(),
  fee_max: z.string().transform(BigInt),
  tip_max: z.string().transform(BigInt),
  signed_at: z.string().transform((text) => new Date(text)),
})
/** A signed transaction of a sending. */
export type Attempt = z.output<typeof attemptRow>

const open = ({ chainId, sender }: Account) =>
  sql.fragment`chain_id = ${chainId} AND sender = ${sender} AND ended_at IS NULL`

/** Everything that decides on nonces of an account happens one after the other, whichever process does it. */
async function lockAccount(tx: Tx, { chainId, sender }: Account): Promise<void> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended(${`sender:${chainId}:${sender}`}, 0))`)
}

/** Stores a decision; false while another one for the same vault has not ended. */
export async function queue(tx: Tx, account: Account, decision: Decision, now: Date): Promise<boolean> {
  await lockAccount(tx, account)
  const { rowCount } = await tx.query(sql.unsafe`
    INSERT INTO sending (chain_id, sender, kind, public_id, vault, data, decided_at)
    SELECT ${account.chainId}, ${account.sender}, ${decision.kind}, ${decision.publicId}, ${decision.vault},
      ${decision.data}, ${now.toISOString()}
    WHERE NOT EXISTS (
      SELECT 1 FROM sending WHERE chain_id = ${account.chainId} AND vault = ${decision.vault} AND ended_at IS NULL)`)
  return rowCount > 0
}

/** Decisions that wait to be signed, oldest first. */
export function waiting(tx: Tx, account: Account, max: number): Promise<readonly Sending[]> {
  return tx.any(
    sql.type(
      sendingRow,
    )`SELECT ${columns} FROM sending WHERE ${open(account)} AND nonce IS NULL ORDER BY id LIMIT ${max}`,
  )
}

/** Sendings on their way, by nonce. */
export function onTheirWay(tx: Tx, account: Account, max: number): Promise<readonly (Sending & { nonce: number })[]> {
  return tx.any(sql.type(sendingRow.extend({ nonce: z.number() }))`
    SELECT ${columns} FROM sending WHERE ${open(account)} AND nonce IS NOT NULL ORDER BY nonce LIMIT ${max}`)
}

/**
 * The nonce after all those given that are on their way or ended since `since`, at least `least`. The ended ones count as
 * well, since a node that lags still takes their nonces for free.
 */
export async function nextNonce(tx: Tx, { chainId, sender }: Account, least: number, since: Date): Promise<number> {
  const next = await tx.oneFirst(sql.type(z.object({ next: z.number() }))`
    SELECT coalesce(max(nonce) + 1, 0)::bigint AS next FROM sending
    WHERE chain_id = ${chainId} AND sender = ${sender} AND (ended_at IS NULL OR ended_at > ${since.toISOString()})`)
  return Math.max(next, least)
}

/** Signed transactions of a sending, oldest first. */
export function attemptsOf(tx: Tx, sendingId: number): Promise<readonly Attempt[]> {
  return tx.any(sql.type(attemptRow)`
    SELECT number, kind, tx_hash, raw, fee_max, tip_max, signed_at FROM attempt WHERE sending_id = ${sendingId}
    ORDER BY number`)
}

/** Stores one more signed transaction of the same nonce; false when another process was quicker. */
export async function storeAttempt(tx: Tx, sendingId: number, attempt: Attempt): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`
    INSERT INTO attempt (sending_id, number, kind, tx_hash, raw, fee_max, tip_max, signed_at)
    VALUES (${sendingId}, ${attempt.number}, ${attempt.kind}, ${attempt.tx_hash}, ${attempt.raw},
      ${String(attempt.fee_max)}, ${String(attempt.tip_max)}, ${attempt.signed_at.toISOString()})
    ON CONFLICT DO NOTHING`)
  return rowCount > 0
}

/**
 * Gives a waiting sending its nonce together with its first signed transaction; false when another process was quicker
 * with the sending or with the nonce, and then the transaction must not leave this one.
 */
export async function storeFirst(
  tx: Tx,
  account: Account,
  sendingId: number,
  nonce: number,
  attempt: Attempt,
): Promise<boolean> {
  await lockAccount(tx, account)
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE sending SET nonce = ${nonce}
    WHERE id = ${sendingId} AND ended_at IS NULL AND nonce IS NULL AND NOT EXISTS (
      SELECT 1 FROM sending other WHERE other.chain_id = ${account.chainId} AND other.sender = ${account.sender}
        AND other.nonce = ${nonce} AND other.ended_at IS NULL)`)
  return rowCount > 0 && storeAttempt(tx, sendingId, attempt)
}

/** What became of a sending. */
export interface Ending {
  readonly outcome: Outcome
  readonly detail: string | null
  readonly txHash: string | null
}

/** Ends a sending; one that has ended stays as it is. */
export async function end(tx: Tx, sendingId: number, ending: Ending, now: Date): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE sending SET ended_at = ${now.toISOString()}, outcome = ${ending.outcome}, detail = ${ending.detail},
      tx_hash = ${ending.txHash}
    WHERE id = ${sendingId} AND ended_at IS NULL`)
}

/**
 * Takes back endings of nonces that the chain does not count as used (any more): their blocks were replaced. Only those
 * ended since `since`, and none whose nonce has been given anew.
 */
export async function reopen(tx: Tx, account: Account, nonce: number, since: Date, max: number): Promise<number> {
  await lockAccount(tx, account)
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE sending SET ended_at = NULL, outcome = NULL, detail = NULL, tx_hash = NULL WHERE id IN (
      SELECT max(id) FROM sending s WHERE chain_id = ${account.chainId} AND sender = ${account.sender}
        AND nonce >= ${nonce} AND ended_at > ${since.toISOString()} AND NOT EXISTS (
          SELECT 1 FROM sending given WHERE given.chain_id = s.chain_id AND given.sender = s.sender
            AND given.nonce = s.nonce AND given.ended_at IS NULL)
      GROUP BY nonce ORDER BY nonce LIMIT ${max})`)
  return rowCount
}

/** Forgets sendings that ended before a time. */
export async function forgetSendings(tx: Tx, before: Date, max: number): Promise<number> {
  const { rowCount } = await tx.query(sql.unsafe`
    DELETE FROM sending WHERE id IN (
      SELECT id FROM sending WHERE ended_at < ${before.toISOString()} ORDER BY ended_at LIMIT ${max})`)
  return rowCount
}
