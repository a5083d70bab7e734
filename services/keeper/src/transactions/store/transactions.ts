import { Rows, type RowOf } from '@svc/outbound'
import { instant, sql, table, units, type Pool, type Tx } from '@svc/postgres'
import { z } from 'zod'

const thereRow = z.object({ there: z.boolean() })

/** Returns whether the tables of this service exist. */
export function hasSchema(pool: Pool): Promise<boolean> {
  return pool.oneFirst(sql.type(thereRow)`
    SELECT to_regclass('attempt') IS NOT NULL AND to_regclass('known_chain') IS NOT NULL AS there`)
}

/** How a transaction ended. */
export type Outcome = 'done' | 'reverted' | 'cancelled' | 'nonce_taken' | 'refused' | 'expired' | 'lost'

/** The account that sends, on a chain. */
export interface Account {
  readonly chainId: number
  readonly sender: string
}

const kind = z.enum(['mark', 'settle', 'fund_leg', 'give_back', 'approve', 'top_up', 'gas_drip'])
/** What a call does. */
export type TransactionKind = z.output<typeof kind>

/** A call, or a transfer of ether, that was decided on. */
export interface Decision {
  readonly kind: TransactionKind
  /** Null for a transfer of ether. */
  readonly publicId: string | null
  /** Orders calls: one transaction is open for a vault. The recipient of a transfer of ether. */
  readonly vault: string
  readonly data: string
  /** The called contract; the vault if absent. */
  readonly target?: string
  /** The transfer of leg money that the call belongs to. */
  readonly transferId?: string
  /** Wei to send; 0 if absent. */
  readonly value?: bigint
}

const transactions = table('transaction', {
  chain_id: z.number(),
  sender: z.string(),
  kind,
  public_id: z.string().nullable(),
  vault: z.string(),
  target: z.string().nullable(),
  data: z.string(),
  transfer_id: z.string().nullable(),
  value_wei: units,
  decided_at: instant,
})
const ownRow = transactions.omit('chain_id', 'sender', 'transfer_id').row.extend({ nonce: z.number().nullable() })
/** A transaction; without a nonce until it is signed. */
export type Transaction = RowOf<typeof ownRow>

/** Transactions are effects outside: the columns `effect_…` are those of the machine that drives them. */
export const transactionKind = {
  name: 'transaction',
  table: 'transaction',
  row: ownRow,
  former: {
    state: sql.fragment`(CASE WHEN ended_at IS NOT NULL THEN 'ended' WHEN nonce IS NULL THEN 'planned' ELSE 'sent' END)`,
    outcome: sql.fragment`(CASE WHEN outcome IN ('done', 'expired') THEN outcome
      WHEN outcome IN ('reverted', 'refused') THEN 'refused' WHEN outcome = 'lost' THEN 'expired' ELSE 'replaced' END)`,
    copies: sql.fragment`(CASE WHEN nonce IS NULL THEN 0 ELSE 1 END)`,
    overAfter: sql.fragment`nonce`,
  },
}
export const transactionRows = new Rows(transactionKind)

const attempts = table('attempt', {
  transaction_id: z.number(),
  number: z.number(),
  kind: z.enum(['call', 'cancel']),
  tx_hash: z.string(),
  raw: z.string(),
  fee_max: units,
  tip_max: units,
  signed_at: instant,
})
const anAttempt = attempts.omit('transaction_id')
/** A signed form of a transaction: the call, or a cancellation with its nonce. */
export type Attempt = z.output<typeof anAttempt.row>

const open = ({ chainId, sender }: Account) =>
  sql.fragment`chain_id = ${chainId} AND sender = ${sender} AND ended_at IS NULL`

/** Serialises everything that decides on nonces of an account, across processes. */
async function lockAccount(tx: Tx, { chainId, sender }: Account): Promise<void> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended(${`sender:${chainId}:${sender}`}, 0))`)
}

const idRow = z.object({ id: z.number() })
const senderRow = z.object({ sender: z.string() })

/** Stores a decision and returns its id; null while another transaction for the same vault is open. */
export async function queueTransaction(
  tx: Tx,
  account: Account,
  decision: Decision,
  now: Date,
): Promise<number | null> {
  await lockAccount(tx, account)
  // Accounts differ between a mark and a call for leg money of the same vault.
  await tx.query(sql.unsafe`
    SELECT pg_advisory_xact_lock(hashtextextended(${`vault:${account.chainId}:${decision.vault}`}, 0))`)
  const row = {
    chain_id: account.chainId,
    sender: account.sender,
    kind: decision.kind,
    public_id: decision.publicId,
    vault: decision.vault,
    target: decision.target ?? null,
    data: decision.data,
    transfer_id: decision.transferId ?? null,
    value_wei: decision.value ?? 0n,
    decided_at: now,
  }
  return tx.maybeOneFirst(sql.type(idRow)`
    INSERT INTO transaction (${transactions.names})
    SELECT ${transactions.values(row)}
    WHERE NOT EXISTS (
      SELECT 1 FROM transaction WHERE chain_id = ${account.chainId} AND vault = ${decision.vault} AND ended_at IS NULL)
    RETURNING id`)
}

/** Transactions of an account that are meant: gas drips, all others, or all of them. */
export type Meant = 'gas_drip' | 'others' | 'all'
const MEANT = {
  gas_drip: sql.fragment`kind = 'gas_drip'`,
  others: sql.fragment`kind <> 'gas_drip'`,
  all: sql.fragment`true`,
} as const satisfies Record<Meant, unknown>

/** Returns whether an account has gas drips that are open or ended since a time. */
export function hasDrips(tx: Tx, account: Account, since: Date): Promise<boolean> {
  return tx.oneFirst(sql.type(thereRow)`
    SELECT EXISTS (SELECT 1 FROM transaction WHERE ${open(account)} AND ${MEANT.gas_drip}) OR EXISTS (
      SELECT 1 FROM transaction WHERE ended_at > ${since.toISOString()} AND chain_id = ${account.chainId}
        AND sender = ${account.sender} AND ${MEANT.gas_drip}) AS there`)
}

/** Returns the accounts beside the known ones with transactions that are open, or that ended with a nonce since a time. */
export function sendersBeside(
  tx: Tx,
  chainId: number,
  known: readonly string[],
  since: Date,
): Promise<readonly string[]> {
  const lower = sql.array(
    known.map((address) => address.toLowerCase()),
    'text',
  )
  return tx.anyFirst(sql.type(senderRow)`
    SELECT DISTINCT sender FROM transaction
    WHERE chain_id = ${chainId} AND NOT (lower(sender) = ANY(${lower}))
      AND (ended_at IS NULL OR (ended_at > ${since.toISOString()} AND nonce IS NOT NULL))
    ORDER BY sender`)
}

/** Selects transactions that wait to be signed, oldest first. */
export const waiting = (account: Account, meant: Meant) => ({
  where: sql.fragment`${open(account)} AND ${MEANT[meant]} AND nonce IS NULL`,
  order: sql.fragment`id`,
})

/** Selects transactions in flight, by nonce. */
export const inFlight = (account: Account, meant: Meant) => ({
  where: sql.fragment`${open(account)} AND ${MEANT[meant]} AND nonce IS NOT NULL`,
  order: sql.fragment`nonce`,
})

const nextRow = z.object({ next: z.number() })

/**
 * Returns the next nonce: at least `least`, and above those of transactions in flight or ended since `since`. Ended ones
 * count because a node that lags would accept their nonces again.
 */
export async function nextNonce(tx: Tx, { chainId, sender }: Account, least: number, since: Date): Promise<number> {
  const next = await tx.oneFirst(sql.type(nextRow)`
    SELECT coalesce(max(nonce) + 1, 0)::bigint AS next FROM transaction
    WHERE chain_id = ${chainId} AND sender = ${sender} AND (ended_at IS NULL OR ended_at > ${since.toISOString()})`)
  return Math.max(next, least)
}

/** Returns the attempts of a transaction, oldest first. */
export function attemptsOf(tx: Tx, transactionId: number): Promise<readonly Attempt[]> {
  return tx.any(sql.type(anAttempt.row)`
    SELECT ${anAttempt.list} FROM attempt WHERE transaction_id = ${transactionId} ORDER BY number`)
}

/** Stores a further attempt with the same nonce; returns false if another process was faster. */
export async function storeAttempt(tx: Tx, transactionId: number, signed: Attempt): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`
    ${attempts.insert({ ...signed, transaction_id: transactionId })} ON CONFLICT DO NOTHING`)
  return rowCount > 0
}

/**
 * Stores the nonce of a waiting transaction together with its first attempt. Returns false if another process was faster
 * with the transaction or the nonce: then this attempt must not be broadcast.
 */
export async function storeFirstAttempt(
  tx: Tx,
  account: Account,
  transactionId: number,
  nonce: number,
  attempt: Attempt,
): Promise<boolean> {
  await lockAccount(tx, account)
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE transaction SET nonce = ${nonce}
    WHERE id = ${transactionId} AND ended_at IS NULL AND nonce IS NULL AND NOT EXISTS (
      SELECT 1 FROM transaction other WHERE other.chain_id = ${account.chainId} AND other.sender = ${account.sender}
        AND other.nonce = ${nonce} AND other.ended_at IS NULL)`)
  return rowCount > 0 && storeAttempt(tx, transactionId, attempt)
}

/** The outcome of a transaction. */
export interface TransactionEnding {
  readonly outcome: Outcome
  readonly detail: string | null
  readonly txHash: string | null
  /** What the chain charged, wei; null if nothing was mined for the transaction. */
  readonly fee: bigint | null
}

/** Stores the outcome of a transaction that ends in this transaction of Postgres. */
export async function storeEnding(
  tx: Tx,
  transactionId: number,
  { outcome, detail, txHash, fee }: TransactionEnding,
  now: Date,
): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE transaction SET ended_at = ${now.toISOString()}, outcome = ${outcome}, detail = ${detail},
      tx_hash = ${txHash}, fee_wei = ${fee === null ? null : String(fee)}
    WHERE id = ${transactionId}`)
}

/**
 * Reopens transactions whose nonces the chain does not count as used, because their blocks were replaced. Includes only
 * those that ended since `since` and whose nonce no open transaction has, and those that the last release reopened.
 */
export async function reopen(
  tx: Tx,
  account: Account,
  nonce: number,
  { since, now, max }: { readonly since: Date; readonly now: Date; readonly max: number },
): Promise<void> {
  await lockAccount(tx, account)
  const { chainId, sender } = account
  const set = sql.fragment`ended_at = NULL, outcome = NULL, detail = NULL, tx_hash = NULL, fee_wei = NULL`
  const where = sql.fragment`id IN (
    (SELECT max(id) FROM transaction s WHERE chain_id = ${chainId} AND sender = ${sender}
      AND nonce >= ${nonce} AND ended_at > ${since.toISOString()} AND NOT EXISTS (
        SELECT 1 FROM transaction given WHERE given.chain_id = s.chain_id AND given.sender = s.sender
          AND given.nonce = s.nonce AND given.ended_at IS NULL)
    GROUP BY nonce ORDER BY nonce LIMIT ${max})
    UNION ALL SELECT id FROM transaction WHERE ${open(account)} AND effect_state = 'ended')`
  await transactionRows.reorganise(tx, { set, where }, now)
}

const transferTransaction = z.object({
  id: z.number(),
  kind,
  transfer_id: z.string(),
  sender: z.string(),
  decided_at: instant,
  ended_at: z
    .string()
    .nullable()
    .transform((text) => (text === null ? null : new Date(text))),
  nonce: z.number().nullable(),
  outcome: z.enum(['done', 'reverted', 'cancelled', 'nonce_taken', 'refused', 'expired', 'lost']).nullable(),
  detail: z.string().nullable(),
  hashes: z.array(z.string()),
})
/** A transaction of a transfer with the hashes of its signed calls. */
export type TransferTransaction = z.output<typeof transferTransaction>

/** Returns the transactions of transfers on a chain, oldest first. */
export function transactionsOf(
  tx: Tx,
  chainId: number,
  transferIds: readonly string[],
): Promise<readonly TransferTransaction[]> {
  return tx.any(sql.type(transferTransaction)`
    SELECT id, kind, transfer_id, sender, decided_at, ended_at, nonce, outcome, detail, ARRAY(
      SELECT a.tx_hash FROM attempt a WHERE a.transaction_id = t.id AND a.kind = 'call' ORDER BY a.number) AS hashes
    FROM transaction t
    WHERE chain_id = ${chainId} AND transfer_id = ANY(${sql.array([...transferIds], 'text')}) ORDER BY id`)
}

/** Deletes transactions that ended before a time, except gas drips, and returns their number. */
export async function deleteEnded(tx: Tx, before: Date, max: number): Promise<number> {
  const { rowCount } = await tx.query(sql.unsafe`
    DELETE FROM transaction WHERE id IN (
      SELECT id FROM transaction WHERE ended_at < ${before.toISOString()} AND kind <> 'gas_drip' ORDER BY ended_at LIMIT ${max})`)
  return rowCount
}
