import type { Standing } from '@svc/contracts/mandates/overview'
import type { Tx } from '@svc/postgres'
import { Outage } from '@svc/service'
import type { Address } from 'viem'
import type { Context, Settings } from '#context.ts'
import { queueTransaction } from '#transactions/store/transactions.ts'
import type { DripReading } from './drip-chain.ts'
import { decideDrip, type DripDecision, type DripLimits } from './rules/decide-drip.ts'
import { storeFundingLow } from './store/funding-alerts.ts'
import {
  countOtherWallets,
  deleteUnsent,
  grantsOf,
  insertGrant,
  lockDay,
  pendingOf,
  useOfDay,
  type Grant,
} from './store/grants.ts'

/** A transfer that ended so recently may still be in the balance that was read before. */
const SETTLING_MS = 60_000

/** A call for a drip, with what was read for it. */
export interface Asked {
  readonly accountId: number
  readonly address: Address
  readonly chainId: number
  readonly funder: Address
  readonly standing: Standing
  readonly reading: DripReading
  /** Its Idempotency-Key; null without one. */
  readonly key: string | null
}

type Nothing = DripDecision & { readonly status: Exclude<DripDecision['status'], 'grant'> }
/** What a call gets, and whether it is the first of its day that finds the funds low. */
export type Decided = { readonly low: boolean } & (
  | { readonly grantId: number }
  | { readonly nothing: Nothing; readonly last: Grant | null }
)

/** Returns the limits of drips that the settings state. */
export const limitsOf = (settings: Settings): DripLimits => ({
  amount: settings.dripEth,
  minBalance: settings.dripMinBalanceEth,
  dailyMax: settings.dripDailyMax,
  dailyAmountMax: settings.dripDailyEthMax,
  reserve: settings.dripReserveEth,
  alertBelow: settings.dripAlertEth,
})

/** Returns the UTC day of a time, as `2026-11-22`. */
export const utcDay = (time: Date): string => time.toISOString().slice(0, 10)

/**
 * Decides on a call under the lock of its UTC day and stores the drip with the transaction that pays it, which `send` signs.
 * Nothing has left before both are stored.
 */
export async function decideAndStore({ settings }: Context, tx: Tx, asked: Asked, now: Date): Promise<Decided> {
  const { accountId, address, chainId, funder, standing, reading } = asked
  const day = utcDay(now)
  await lockDay(tx, chainId, day)
  await deleteUnsent(tx, { chainId, address, accountId, day })
  const grants = await grantsOf(tx, chainId, address)
  const pending = await pendingOf(tx, chainId, funder, new Date(now.getTime() - SETTLING_MS))
  const facts = {
    standing,
    balance: reading.balance,
    grants: grants.map(({ n, granted_at: grantedAt }) => ({ n, grantedAt })),
    otherWallets: await countOtherWallets(tx, chainId, accountId, address),
    today: await useOfDay(tx, chainId, day),
    funder: { balance: reading.funderBalance, pending, feeMax: reading.feeMax },
  }
  const limits = limitsOf(settings)
  const decision = decideDrip(facts, limits, now)
  const capped = decision.reason === 'funding_low'
  const account = { chainId, address: funder }
  const low =
    decision.alert && (await storeFundingLow(tx, account, { day, balance: reading.funderBalance, capped, now }))
  const { status } = decision
  const last = grants.at(-1) ?? null
  // Decided by a call that was answered 503, because it could not be signed in time.
  if (status === 'already' && last?.tx_hash === null && last.account_id === accountId) return { low, grantId: last.id }
  if (status !== 'grant') return { low, nothing: { ...decision, status }, last }
  return { low, grantId: await storeGrant(tx, asked, { n: decision.n, amount: limits.amount, day, now }) }
}

async function storeGrant(
  tx: Tx,
  { accountId, address, chainId, funder, standing, reading, key }: Asked,
  { n, amount, day, now }: { readonly n: 1 | 2; readonly amount: bigint; readonly day: string; readonly now: Date },
): Promise<number> {
  if (standing === 'none') throw new Error('a drip needs a mandate')
  const decision = { kind: 'gas_drip', publicId: null, vault: address, data: '0x', value: amount } as const
  const transactionId = await queueTransaction(tx, { chainId, sender: funder }, decision, now)
  const grant = { chainId, address, n, accountId, standing, amount, balance: reading.balance, day, grantedAt: now }
  const id = transactionId === null ? null : await insertGrant(tx, { ...grant, idempotencyKey: key, transactionId })
  // Another day's lock let the same wallet in at the same moment: rolled back, and the next call finds that drip.
  if (id === null) throw new Outage('drip', 'another drip of this wallet is being decided')
  return id
}
