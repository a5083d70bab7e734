import { marginOf } from './margin.ts'
import { type Account, accountOf, dexAccount, type Dex, num, now, type State, text, touchAccount } from './state.ts'
import { hashOf } from './trade.ts'

/** What a new account's first payment costs its payer. */
const ACTIVATION_USDC = 1
export const USDC_TOKEN = 'USDC:0xeb62eee3685fc4c43992febcd9e75443'

/** Text of the venue's refusal; null when it was done. */
type Refusal = string | null

const unified = (account: Account) => account.mode === 'unifiedAccount' || account.mode === 'portfolioMargin'
const UNIFIED = 'Action disabled when unified account is active'
const amountFault = (amount: string): Refusal =>
  !/^\d+(\.\d{1,8})?$/.test(amount)
    ? 'Invalid decimal number'
    : num(amount).isZero()
      ? 'Send amount cannot be zero'
      : null

/** A place where USDC of an account lies: a dex, or `spot`. */
function free(state: State, account: Account, place: string) {
  if (place === 'spot') return num(account.spot)
  const dex = dexNamed(state, place)
  return dex === null ? num(0) : marginOf(account, dex).withdrawable
}
function add(account: Account, place: string, amount: string | number): void {
  if (place === 'spot') account.spot = text(num(account.spot).plus(amount))
  else {
    const own = dexAccount(account, place)
    own.raw = text(num(own.raw).plus(amount), 20)
  }
}
const dexNamed = (state: State, name: string): Dex | null => state.dexes.find((dex) => dex.name === name) ?? null
const placeExists = (state: State, place: string) => place === 'spot' || dexNamed(state, place) !== null

function note(state: State, address: string, delta: Record<string, unknown>, hash: string): void {
  touchAccount(state, address).ledger.push({ time: now(state), hash, delta })
}

/** Sends USDC from one account's main dex to another's; a new account costs its payer 1 USDC more. */
export function usdSend(
  state: State,
  user: string,
  action: { destination: string; amount: string; time: number },
): Refusal {
  const payer = accountOf(state, user)
  if (unified(payer)) return UNIFIED
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
  if (unified(account)) return UNIFIED
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
  if (unified(payer)) return UNIFIED
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
  if (num(action.amount).gt(free(state, account, ''))) return 'Insufficient balance for withdrawal.'
  add(account, '', text(num(action.amount).neg()))
  state.house.cash = text(num(state.house.cash).plus(action.amount), 20)
  const delta = { type: 'withdraw', usdc: text(num(action.amount).minus(1), 6), nonce: action.time, fee: '1.0' }
  note(state, user, delta, hashOf('withdraw', user, action.time))
  return null
}

/** Pays USDC into an account from outside, as a deposit of the bridge does. For the control plane. */
export function deposit(state: State, address: string, amount: string): void {
  add(touchAccount(state, address), '', amount)
  note(state, address, { type: 'deposit', usdc: text(amount, 6) }, hashOf('deposit', address, now(state), amount))
  state.house.cash = text(num(state.house.cash).minus(amount), 20)
}
