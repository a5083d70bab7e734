import { heldOn, initialOf, marginOf } from './margin.ts'
import { type Account, type Dex, dexAccount, type Mode, type Num, num, type State, text } from './state.ts'

export const isUnified = ({ mode }: Account): boolean => mode === 'unifiedAccount' || mode === 'portfolioMargin'

/**
 * Changes the mode of an account. A unified account has its USDC in spot, the cash of all dexes included; a dex keeps
 * what its positions need. In the standard mode again, what came from the dexes lies on the main one, or stays in spot
 * until its owner moves it, as `staysInSpot` says.
 */
export function changeMode(state: State, account: Account, mode: Mode): void {
  const was = isUnified(account)
  account.mode = mode
  if (isUnified(account) === was) return
  if (was) return part(state, account)
  account.spotBefore = account.spot
  settleUnified(state, account)
}

/**
 * Lets each dex of a unified account hold the initial margin of its positions with their profit, and spot the rest.
 * Nothing happens to an account of another mode.
 */
export function settleUnified(state: State, account: Account): void {
  if (!isUnified(account)) return
  for (const dex of state.dexes) {
    const own = account.dexes[dex.name]
    if (own === undefined) continue
    const cross = heldOn(account, dex).filter((one) => one.rawUsd === null)
    const needed = cross.reduce((sum, one) => sum.plus(initialOf(one)).minus(one.size.times(one.entry)), num(0))
    const was = own.raw
    own.raw = text(needed, 20)
    account.spot = text(num(account.spot).plus(was).minus(own.raw), 20)
  }
}

function part(state: State, account: Account): void {
  if (state.staysInSpot === true) {
    delete account.spotBefore
    return
  }
  const before = num(account.spotBefore ?? '0')
  const kept = before.lt(account.spot) ? before : num(account.spot)
  const main = dexAccount(account, '')
  main.raw = text(num(main.raw).plus(account.spot).minus(kept), 20)
  account.spot = text(kept, 20)
  delete account.spotBefore
}

/**
 * USDC that an order on a dex may take as margin, or that may leave with `keeps`: what must stay is then at least a tenth
 * of the notional. A unified account has one amount for all dexes.
 */
export function freeOn(state: State, account: Account, dex: Dex, keeps: 'margin' | 'tenth' = 'margin'): Num {
  const dexes = isUnified(account) ? state.dexes : [dex]
  const parts = dexes.map((one) => marginOf(account, one).cross)
  const sum = (of: (cross: (typeof parts)[number]) => Num) => parts.reduce((total, one) => total.plus(of(one)), num(0))
  const used = sum((one) => one.used)
  const tenth = sum((one) => one.notional).div(10)
  const spot = isUnified(account) ? num(account.spot) : num(0)
  return spot.plus(sum((one) => one.accountValue)).minus(keeps === 'tenth' && tenth.gt(used) ? tenth : used)
}

/** USDC of a unified account without the profit of positions, and how much of it their margin holds. */
export function unifiedCash(state: State, account: Account): { readonly total: Num; readonly hold: Num } {
  let total = num(account.spot)
  let hold = num(0)
  for (const dex of state.dexes) {
    total = total.plus(account.dexes[dex.name]?.raw ?? 0)
    for (const one of heldOn(account, dex)) total = total.plus(one.rawUsd ?? 0).plus(one.size.times(one.entry))
    hold = hold.plus(marginOf(account, dex).used)
  }
  return { total, hold }
}
