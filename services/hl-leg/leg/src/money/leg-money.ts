import type { Db } from '@svc/postgres'
import { z } from 'zod'
import type { LegAccount, LedgerPayment as Entry, LegMoney } from '#readings/leg-account.ts'
import { hasEnded } from './rules/lent.ts'
import { matchPayments, type LedgerPayment, type SignedTransfer } from './rules/match-ledger.ts'
import { unitsOf } from './rules/return-amount.ts'
import { debtsOf } from './store/debts.ts'
import { transfersOf, type Transfer } from './store/transfers.ts'

/** Transfers of leg money; a present that opens an account, and foreign money that goes back, are none. */
const LEG_MONEY: ReadonlySet<string> = new Set(['fund', 'return', 'payment'])

const lower = z.string().transform((text) => text.toLowerCase())
const between = z.object({
  type: z.literal('internalTransfer'),
  usdc: z.string().regex(/^\d{1,30}(?:\.\d{1,20})?$/),
  user: lower,
  destination: lower,
})

/** Returns what the rows of transfers know for readings: whose money is out, and which ledger entries are transfers. */
export function openLegMoney({ poolAddress }: { readonly poolAddress: string | null }): LegMoney {
  const pool = poolAddress?.toLowerCase() ?? null
  return {
    withMoneyOut: async (db, publicIds) => {
      const rows = await transfersOf(db, publicIds)
      const byMandate = Map.groupBy(rows, ({ public_id }) => public_id)
      return new Set([...byMandate].flatMap(([publicId, own]) => (isOut(own) ? [publicId] : [])))
    },
    debtOf: async (db, network, owner) => (await debtsOf(db, network, [owner])).get(owner) ?? 0n,
    ours: async (db, account, entries) => (pool === null ? new Set() : oursAmong(db, pool, account, entries)),
  }
}

/** Money is out from the decision on a funding until a transfer that ends the leg has arrived, or the funding came back. */
function isOut(rows: readonly Transfer[]): boolean {
  if (rows.some(({ open, state }) => open && state !== 'planned')) return true
  const isLent = rows.some(({ kind, state }) => kind === 'fund' && state !== 'cancelled' && state !== 'turned_back')
  return isLent && !hasEnded(rows.map((row) => ({ ...row, landed: row.venue === 'landed' })))
}

async function oursAmong(
  db: Db,
  pool: string,
  account: LegAccount,
  entries: readonly Entry[],
): Promise<ReadonlySet<string>> {
  const rows = (await transfersOf(db, [account.publicId])).filter(({ kind }) => LEG_MONEY.has(kind))
  const known = new Set(rows.flatMap(({ venue_hash }) => venue_hash ?? []))
  const signed = rows.filter(({ venue }) => venue === 'signed').map((row) => signedView(row, pool))
  const payments = entries.flatMap(({ key, at, hash, delta }) => {
    const parsed = between.safeParse(delta)
    if (!parsed.success) return []
    const { usdc, user, destination } = parsed.data
    return [{ key, payment: { hash, at: at.getTime(), payer: user, payee: destination, amount: unitsOf(usdc) } }]
  })
  const matched = matchPayments(
    signed,
    payments.map(({ payment }): LedgerPayment => payment),
    known,
  )
  const hashes = new Set([...known, ...[...matched.values()].map(({ hash }) => hash)])
  return new Set(payments.flatMap(({ key, payment }) => (hashes.has(payment.hash) ? [key] : [])))
}

function signedView({ transfer_id, kind, owner_address, amount, nonce }: Transfer, pool: string): SignedTransfer {
  const fromOwner = kind === 'return'
  return {
    transferId: transfer_id,
    payer: fromOwner ? owner_address : pool,
    payee: fromOwner ? pool : owner_address,
    amount,
    nonce: nonce ?? 0,
  }
}
