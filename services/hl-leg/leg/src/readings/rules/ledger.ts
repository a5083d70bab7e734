import { Decimal } from 'decimal.js'

/** An entry of the venue's ledger. */
export interface LedgerUpdate {
  readonly time: number
  readonly hash: string
  readonly delta: { readonly type: string; readonly [field: string]: unknown }
}

/** What an entry changes on the dexes that are read: decimal text, negative for money that leaves. */
export interface LedgerEffect {
  readonly effect: string
  /** False for a type that the table does not name. */
  readonly knownType: boolean
}

interface Scope {
  /** Owner of the account, lower case. */
  readonly owner: string
  /** Dexes that are read. */
  readonly dexes: readonly string[]
}

type Delta = LedgerUpdate['delta']

const amountOf = (value: unknown): Decimal | null =>
  typeof value === 'string' && /^-?\d{1,30}(?:\.\d{1,20})?$/.test(value) ? new Decimal(value) : null
const amount = (delta: Delta, ...fields: readonly string[]): Decimal => {
  for (const field of fields) {
    const found = amountOf(delta[field])
    if (found !== null) return found
  }
  return new Decimal(0)
}
const isAt = (value: unknown, address: string) => typeof value === 'string' && value.toLowerCase() === address
const usdc = (delta: Delta) => amount(delta, 'usdc', 'usdcValue', 'amount')
const nothing = () => new Decimal(0)
const paidIn = (delta: Delta) => usdc(delta)
const paidOut = (delta: Delta) => usdc(delta).plus(amount(delta, 'fee')).neg()

/** A payment between accounts: its payer pays the fee as well; a payment to oneself changes nothing. */
function between(delta: Delta, { owner }: Scope): Decimal {
  const isPayer = isAt(delta['user'], owner)
  if (isPayer && isAt(delta['destination'], owner)) return nothing()
  return isPayer ? paidOut(delta) : paidIn(delta)
}

/** A payment between dexes and spot, of one account or two: only what lies on a dex that is read counts. */
function sent(delta: Delta, { owner, dexes }: Scope): Decimal {
  if (delta['token'] !== undefined && delta['token'] !== 'USDC') return nothing()
  const isRead = (place: unknown) => typeof place === 'string' && dexes.includes(place)
  const leaves = isAt(delta['user'], owner) && isRead(delta['sourceDex'])
  const arrives = isAt(delta['destination'], owner) && isRead(delta['destinationDex'])
  const value = amount(delta, 'usdcValue', 'amount')
  const out = leaves ? value.plus(amount(delta, 'fee')) : nothing()
  return (arrives ? value : nothing()).minus(out)
}

/** A move between a dex and spot of one account; the main dex has an empty name. */
function classMove(delta: Delta, { dexes }: Scope): Decimal {
  const dex = typeof delta['dex'] === 'string' ? delta['dex'] : ''
  if (!dexes.includes(dex)) return nothing()
  return delta['toPerp'] === true ? usdc(delta) : usdc(delta).neg()
}

/** What each type of the venue's ledger changes on the dexes that are read. */
const EFFECTS: Readonly<Record<string, (delta: Delta, scope: Scope) => Decimal>> = {
  deposit: paidIn,
  withdraw: paidOut,
  internalTransfer: between,
  subAccountTransfer: between,
  send: sent,
  accountClassTransfer: classMove,
  perpDexClassTransfer: classMove,
  vaultCreate: paidOut,
  vaultDeposit: paidOut,
  vaultWithdraw: (delta) => amount(delta, 'netWithdrawnUsd', 'usdc'),
  vaultDistribution: paidIn,
  vaultLeaderCommission: paidIn,
  // A liquidation is a result of trading, and these happen in spot or in staking.
  liquidation: nothing,
  spotTransfer: nothing,
  spotGenesis: nothing,
  accountActivationGas: nothing,
  cStakingTransfer: nothing,
  deployGasAuction: nothing,
  rewardsClaim: nothing,
  borrowLend: nothing,
  // Collateral changes its dex within the account.
  activateDexAbstraction: nothing,
}

/**
 * Returns what an entry of the ledger changes on the dexes that are read. An unknown type counts the USDC that it states,
 * as a payment out if it names the owner as the payer of another account, and 0 if it states none.
 */
export function effectOf({ delta }: LedgerUpdate, scope: Scope): LedgerEffect {
  const rule = Object.hasOwn(EFFECTS, delta.type) ? EFFECTS[delta.type] : undefined
  if (rule !== undefined) return { effect: rule(delta, scope).toFixed(), knownType: true }
  const stated = amount(delta, 'usdc', 'usdcValue')
  const leaves = isAt(delta['user'], scope.owner) && typeof delta['destination'] === 'string'
  const isOwn = isAt(delta['destination'], scope.owner)
  const effect = leaves && !isOwn ? stated.neg() : stated
  return { effect: effect.toFixed(), knownType: false }
}
