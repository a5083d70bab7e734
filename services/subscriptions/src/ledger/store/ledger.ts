import { sql, type Db, type Pool, type Tx } from '@svc/postgres'
import { CheckIntegrityConstraintViolationError } from 'slonik'
import { z } from 'zod'

export type TransferKind = 'welcome' | 'mining_reward' | 'subscription' | 'paid_read' | 'adjustment'

/** A transfer between a holder's user account and another: positive credits the holder, negative debits. */
export interface Posting {
  readonly key: string
  readonly kind: TransferKind
  readonly accountId: number
  readonly amount: number
  readonly reference: string
  readonly at: Date
  /** Ledger account at the other side; default: the account of the house that the kind implies. */
  readonly counter?: number
}

const posted = z.object({ transfer_id: z.number(), posted: z.boolean() })
export type Posted = z.output<typeof posted>

/** The balance is lower than the debit; the transaction can only roll back. */
export class Overdraft extends Error {
  override readonly name = 'Overdraft'
}

/** A balance would leave the range of exact JSON numbers; the transaction can only roll back. */
export class OutOfRange extends Error {
  override readonly name = 'OutOfRange'
}

function codeOf(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code: unknown = Reflect.get(cause, 'code')
    if (code !== undefined) return code
  }
  return undefined
}

/**
 * Posts a transfer in one round trip; opens the holder's account if there is none. For a known key with the same content,
 * returns the existing transfer (`posted: false`). Throws `Overdraft` or `OutOfRange`.
 */
export async function post(tx: Db, posting: Posting): Promise<Posted> {
  const { key, kind, accountId, amount, reference, at, counter = null } = posting
  try {
    return await tx.one(sql.prepared('ledger_post', posted)`
      SELECT transfer_id, posted FROM ledger_post(${key}, ${kind}::transfer_kind, ${accountId}::bigint, ${amount}::bigint, ${reference}, ${at.toISOString()}::timestamptz,
        ${counter}::bigint)`)
  } catch (error) {
    if (error instanceof CheckIntegrityConstraintViolationError && error.constraint === 'ledger_balance_not_negative') {
      throw new Overdraft('balance would be negative', { cause: error })
    }
    if (codeOf(error) === 'SV003') throw new OutOfRange('amount or balance out of range', { cause: error })
    throw error
  }
}

const idRow = z.object({ id: z.number() })

/** Opens a holder's user account with balance 0; changes nothing if it is open. */
export async function openUserAccount(tx: Tx, accountId: number): Promise<void> {
  await tx.one(sql.type(idRow)`SELECT ledger_user_account(${accountId}::bigint) AS id`)
}

const balanceRow = z.object({ balance: z.number() })

/** Returns the balance of a holder's user account; null while none is open. */
export async function balanceOf(db: Db, accountId: number): Promise<number | null> {
  const row = await db.maybeOne(sql.prepared('ledger_balance', balanceRow)`
    SELECT balance FROM ledger_account WHERE holder_id = ${accountId} AND kind = 'user'`)
  return row?.balance ?? null
}

const historyRow = z.object({
  transfer_id: z.number(),
  kind: z.enum(['welcome', 'mining_reward', 'subscription', 'paid_read', 'adjustment']),
  amount: z.number(),
  reference: z.string(),
  created_at: z.string(),
})
const chainedRow = historyRow.extend({ seq: z.number(), hash: z.string(), bought_by: z.number().nullable() })
/** A transfer of a holder with its place in the chain of its account. */
export type ChainedRow = z.output<typeof chainedRow>
export type HistoryRow = z.output<typeof historyRow>

/**
 * Returns transfers of a holder below a transfer id, newest first. Debits and credits each read at most `limit` entries of
 * an index, so the cost does not grow with the ledger. The bound 10000 lets the planner use the partial indexes, which
 * exclude the house accounts.
 */
export async function historyOf(
  db: Db,
  accountId: number,
  below: number,
  limit: number,
): Promise<readonly ChainedRow[]> {
  return db.any(sql.prepared('ledger_history', chainedRow)`
    WITH own AS (SELECT id FROM ledger_account WHERE holder_id = ${accountId} AND kind = 'user')
    SELECT side.transfer_id, side.kind, side.amount, side.reference, side.created_at, side.seq, encode(side.hash, 'hex') AS hash, p.bought_by FROM own, LATERAL (
      (SELECT id AS transfer_id, kind, -amount AS amount, reference, created_at, debit_seq AS seq, debit_hash AS hash FROM ledger_transfer
        WHERE debit_account_id = own.id AND debit_account_id >= 10000 AND id < ${below} ORDER BY debit_account_id, id DESC LIMIT ${limit})
      UNION ALL
      (SELECT id, kind, amount, reference, created_at, credit_seq, credit_hash FROM ledger_transfer
        WHERE credit_account_id = own.id AND credit_account_id >= 10000 AND id < ${below} ORDER BY credit_account_id, id DESC LIMIT ${limit})
    ) AS side LEFT JOIN purchase AS p
      ON p.id = CASE WHEN side.kind = 'subscription' AND side.reference ~ '^purchase:[0-9]{1,18}$' THEN substr(side.reference, 10)::bigint END
        AND p.account_id = ${accountId}
    ORDER BY side.transfer_id DESC LIMIT ${limit}`)
}

/** Returns the newest mining rewards of a holder. */
export async function rewardsOf(db: Db, accountId: number, limit: number): Promise<readonly HistoryRow[]> {
  return db.any(sql.prepared('ledger_rewards', historyRow)`
    WITH own AS (SELECT id FROM ledger_account WHERE holder_id = ${accountId} AND kind = 'user')
    SELECT t.id AS transfer_id, t.kind, t.amount, t.reference, t.created_at FROM own, ledger_transfer AS t
    WHERE t.credit_account_id = own.id AND t.credit_account_id >= 10000 AND t.kind = 'mining_reward' ORDER BY t.id DESC LIMIT ${limit}`)
}

const check = z.object({
  total: z.coerce.bigint(),
  unequal: z.number(),
  negative: z.number(),
  accounts: z.number(),
  /** Accounts whose set-aside Cherry differs from their open holds. */
  unheld: z.number(),
})
export type LedgerCheck = z.output<typeof check>

/**
 * Checks the whole ledger in one snapshot; all figures but `accounts` must be 0. Takes about two seconds for a million
 * accounts and transfers, so it has a longer time limit than statements of requests.
 */
export async function checkLedger(pool: Pool): Promise<LedgerCheck> {
  return pool.transaction(async (tx) => {
    await tx.query(sql.unsafe`SET LOCAL statement_timeout = '120s'`)
    return tx.one(sql.type(check)`
      SELECT total, unequal, negative, accounts, (
        SELECT count(*) FROM (SELECT holder_id, balance FROM ledger_account WHERE kind = 'hold') AS account
        FULL JOIN (SELECT account_id, sum(amount) AS amount FROM hold WHERE state = 'held' GROUP BY account_id) AS open
          ON open.account_id = account.holder_id
        WHERE coalesce(account.balance, 0) <> coalesce(open.amount, 0)
      ) AS unheld FROM ledger_check()`)
  })
}
