import { dexNamed } from './markets.ts'
import { freeOn, isUnified } from './modes.ts'
import { type Account, accountOf, dexAccount, type Num, num, now, type State, text, touchAccount } from './state.ts'
import { hashOf } from './trade.ts'

/** What a new account's first payment costs its payer. */
const ACTIVATION_USDC = 1
const WITHDRAWAL_FEE_USDC = 1
export const USDC_TOKEN = 'USDC:0xeb62eee3685fc4c43992febcd9e75443'

/** Text of the venue's refusal; null when it was done. */
type Refusal = string | null

export const UNIFIED = 'Action disabled when unified account is active'
export const amountFault = (amount: string): Refusal =>
  !/^\d+(\.\d{1,8})?$/.test(amount)
    ? 'Invalid decimal number'
    : num(amount).isZero()
      ? 'Send amount cannot be zero'
      : null

/** USDC that may leave a place of an account: a dex, or `spot`. A unified account has all of it in spot. */
function free(state: State, account: Account, place: string): Num {
  const dex = dexNamed(state, place === 'spot' ? '' : place)
  if (dex === null) return num(0)
  if (place === 'spot' && !isUnified(account)) return num(account.spot)
  const left = freeOn(state, account, dex, 'tenth')
  const most = isUnified(account) && left.gt(account.spot) ? num(account.spot) : left
  return most.isNegative() ? num(0) : most
}

/** Adds USDC to a place of an account. */
export function add(account: Account, place: string, amount: string | number): void {
  if (place === 'spot' || isUnified(account)) account.spot = text(num(account.spot).plus(amount), 20)
  else {
    const own = dexAccount(account, place)
    own.raw = text(num(own.raw).plus(amount), 20)
  }
}
const placeExists = (state: State, place: string) => place === 'spot' || dexNamed(state, place) !== null

/** Adds a row to the ledger of an account. */
export function note(state: State, address: string, delta: Record<string, unknown>, hash: string): void {
  touchAccount(state, address).ledger.push({ time: now(state), hash, delta })
}

/** Sends USDC from one account's main dex to another's; a new account costs its payer 1 USDC more. */
export function usdSend(
  state: State,
  user: string,
  action: { destination: string; amount: string; time: number },
): Refusal {
  const payer = accountOf(state, user)
  if (isUnified(payer)) return UNIFIED
  const fault = amountFault(action.amount)
  if (fault !== null) return fault
  const isNew = state.accounts[action.destination] === undefined
  const fee = isNew ? ACTIVATION_USDC : 0
  if (
    num(action.amount)
      .plus(fee)
      .gt(free(state, payer, ''))
  )
    return 'Insufficient balance for withdrawal.'
  const payee = touchAccount(state, action.destination)
  add(payer, '', text(num(action.amount).plus(fee).neg()))
  add(payee, '', action.amount)
  state.house.cash = text(num(state.house.cash).plus(fee), 20)
  const delta = {
    type: 'internalTransfer',
    usdc: text(action.amount, 6),
    user,
    destination: action.destination,
    fee: text(fee),
  }
  const hash = hashOf('usdSend', user, action.time)
  note(state, user, delta, hash)
  if (action.destination !== user) note(state, action.destination, delta, hash)
  return null
}

/** Moves USDC between spot and the main dex of one account. */
export function usdClassTransfer(
  state: State,
  user: string,
  action: { amount: string; toPerp: boolean; nonce: number },
): Refusal {
  const account = accountOf(state, user)
  if (isUnified(account)) return UNIFIED
  const fault = amountFault(action.amount)
  if (fault !== null) return fault
  const [from, to] = action.toPerp ? ['spot', ''] : ['', 'spot']
  if (num(action.amount).gt(free(state, account, from as string))) return 'Insufficient balance for withdrawal.'
  add(account, from as string, text(num(action.amount).neg()))
  add(account, to as string, action.amount)
  const delta = { type: 'accountClassTransfer', usdc: text(action.amount, 6), toPerp: action.toPerp }
  note(state, user, delta, hashOf('usdClassTransfer', user, action.nonce))
  return null
}

export interface AssetMove {
  readonly destination: string
  readonly sourceDex: string
  readonly destinationDex: string
  readonly token: string
  readonly amount: string
  readonly nonce: number
}

/** Moves USDC between dexes and spot, of one account or to another. An agent may move within its user's account only. */
export function sendAsset(state: State, user: string, action: AssetMove, byAgent: boolean): Refusal {
  const payer = accountOf(state, user)
  if (byAgent && action.destination !== user) return 'Agent can only send asset to same user or their sub-accounts.'
  // Spot is the one place that a unified account has.
  if (isUnified(payer) && action.sourceDex !== 'spot')
    return 'Unified account only supports sending assets through spot'
  if (action.token !== USDC_TOKEN) return 'Invalid send'
  if (!placeExists(state, action.sourceDex) || !placeExists(state, action.destinationDex)) return 'Invalid send'
  const fault = amountFault(action.amount)
  if (fault !== null) return fault
  if (num(action.amount).decimalPlaces() > 6) return 'Invalid send'
  const isNew = state.accounts[action.destination] === undefined
  const fee = isNew ? ACTIVATION_USDC : 0
  if (
    num(action.amount)
      .plus(fee)
      .gt(free(state, payer, action.sourceDex))
  )
    return 'Insufficient balance for token transfer'
  const payee = touchAccount(state, action.destination)
  add(payer, action.sourceDex, text(num(action.amount).plus(fee).neg()))
  add(payee, action.destinationDex, action.amount)
  state.house.cash = text(num(state.house.cash).plus(fee), 20)
  const delta = {
    type: 'send',
    user,
    destination: action.destination,
    sourceDex: action.sourceDex,
    destinationDex: action.destinationDex,
    token: 'USDC',
    amount: text(action.amount),
    usdcValue: text(action.amount),
    fee: text(fee),
    nativeTokenFee: '0.0',
    nonce: action.nonce,
    feeToken: 'USDC',
  }
  const hash = hashOf('sendAsset', user, action.nonce)
  note(state, user, delta, hash)
  if (action.destination !== user) note(state, action.destination, delta, hash)
  return null
}

/** Takes USDC out of the venue; what leaves lies with the house in this network. */
export function withdraw(state: State, user: string, action: { amount: string; time: number }): Refusal {
  const account = accountOf(state, user)
  const fault = amountFault(action.amount)
  if (fault !== null) return fault
  if (num(action.amount).lte(WITHDRAWAL_FEE_USDC)) return 'Withdrawal amount must be greater than the fee of 1 USDC.'
  if (num(action.amount).gt(free(state, account, ''))) return 'Insufficient balance for withdrawal.'
  add(account, '', text(num(action.amount).neg()))
  state.house.cash = text(num(state.house.cash).plus(action.amount), 20)
  const delta = {
    type: 'withdraw',
    usdc: text(num(action.amount).minus(WITHDRAWAL_FEE_USDC), 6),
    nonce: action.time,
    fee: '1.0',
  }
  note(state, user, delta, hashOf('withdraw', user, action.time))
  return null
}

/** Who pays in where no deposit of the bridge arrives. */
const BENEFACTOR = `0x${'9'.repeat(40)}`

/**
 * Pays USDC into an account from outside: on the main dex as a deposit of the bridge does, elsewhere as a payment of
 * somebody. For the control plane.
 */
export function deposit(state: State, address: string, amount: string, place = ''): void {
  if (!placeExists(state, place)) throw new Error(`no dex ${place}`)
  add(touchAccount(state, address), place, amount)
  state.house.cash = text(num(state.house.cash).minus(amount), 20)
  const hash = hashOf('deposit', address, now(state), amount, ...(place === '' ? [] : [place]))
  if (place === '') return note(state, address, { type: 'deposit', usdc: text(amount, 6) }, hash)
  const delta = {
    type: 'send',
    user: BENEFACTOR,
    destination: address,
    sourceDex: place,
    destinationDex: place,
    token: 'USDC',
    amount: text(amount),
    usdcValue: text(amount),
    fee: '0',
    nativeTokenFee: '0.0',
    nonce: now(state),
    feeToken: 'USDC',
  }
  note(state, address, delta, hash)
}
