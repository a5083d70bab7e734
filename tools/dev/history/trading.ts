import { inParallel, prepare, read, type PreparedCall } from '@svc/chain'
import { stringToHex, type Address, type LocalAccount } from 'viem'
import type { LocalChain } from '../chain.ts'
import type { Batches } from './batches.ts'
import { capOf } from './onboarding.ts'
import type { Act, MandatePlan } from './plan.ts'

/** A vault of the history, with those who act for it. */
export interface HistoryVault {
  readonly plan: MandatePlan
  readonly publicId: string
  readonly address: Address
  readonly owner: LocalAccount
  readonly agent: LocalAccount
}

export const marketId = (name: string) => stringToHex(name, { size: 32 })

/** Phases of a vault in which its agent may act, in which positions must be sold, and in which the owner withdraws. */
const WORKING = 0
const SETTLED = 4
const BPS = 10_000n
/** A smaller position is kept: its proceeds round to nothing. */
const UNITS_MIN = 100n
const BUY_MIN = 1_000_000n

/** Moves the prices of the test venue to those of a day. */
export async function setPrices(
  local: LocalChain,
  batches: Batches,
  prices: readonly { readonly name: string; readonly price: bigint }[],
): Promise<void> {
  const venue = prepare(local.chain.id).venue(local.deployment.contracts.venue.address)
  for (const { name, price } of prices)
    await batches.send(local.wallets.admin, venue.setPrice({ m: marketId(name), price }))
}

/** Sends what happens to a vault on a day: the agent's acts, or the steps of its closing. */
export async function liveDay(local: LocalChain, batches: Batches, vault: HistoryVault, day: number): Promise<void> {
  const { plan, address, owner } = vault
  const calls = prepare(local.chain.id).vault(address)
  const views = read(local.chain).vault(address)
  const phase = Number(await views.phase())
  if (phase === SETTLED) {
    if ((await views.accounted()) > 0n) await batches.send(owner, calls.withdrawAll())
    return
  }
  if (phase !== WORKING) return sellEverything(local, batches, vault)
  if (plan.stopDay === day) await batches.send(owner, calls.stop())
  else await trade(local, batches, vault, plan.acts[day] ?? [])
}

async function trade(local: LocalChain, batches: Batches, vault: HistoryVault, acts: readonly Act[]): Promise<void> {
  let money = await read(local.chain).vault(vault.address).accounted()
  for (const act of acts) {
    const call = act.kind === 'sell' ? await selling(local, vault, act) : buying(local, vault, act, money)
    if (call === null) continue
    await batches.send(vault.agent, call.call)
    if (act.kind === 'buy') money -= call.amount
  }
}

interface Trade {
  readonly call: PreparedCall
  readonly amount: bigint
}

/** Returns a purchase within the cap and the money of the vault, or one above the cap; null if too little is left. */
function buying(
  { chain, deployment }: LocalChain,
  { plan, address }: HistoryVault,
  act: Exclude<Act, { kind: 'sell' }>,
  money: bigint,
): Trade | null {
  const target = deployment.contracts.venue.address
  const wanted = act.kind === 'buy' ? (capOf(plan) * act.shareOfCapBps) / BPS : capOf(plan) + BUY_MIN
  const amount = act.kind === 'buy' && wanted > money ? money : wanted
  if (amount < BUY_MIN) return null
  const { data } = prepare(chain.id)
    .venue(target)
    .buy({ m: marketId(act.market), usdcIn: amount, minUnits: 1n })
  return { call: prepare(chain.id).vault(address).execute({ target, data, approveAmount: amount }), amount }
}

async function selling(
  { chain, deployment }: LocalChain,
  { address }: HistoryVault,
  act: Extract<Act, { kind: 'sell' }>,
): Promise<Trade | null> {
  const target = deployment.contracts.venue.address
  const m = marketId(act.market)
  const held = await read(chain).venue(target).units({ arg0: address, arg1: m })
  const n = (held * act.shareOfUnitsBps) / BPS
  if (n < UNITS_MIN) return null
  const { data } = prepare(chain.id).venue(target).sell({ m, n, minOut: 1n })
  return { call: prepare(chain.id).vault(address).execute({ target, data, approveAmount: 0n }), amount: 0n }
}

/** Sends the sale of every position of a closed vault; the keeper settles it afterwards. */
async function sellEverything(
  { chain, deployment }: LocalChain,
  batches: Batches,
  { address, owner }: HistoryVault,
): Promise<void> {
  const target = deployment.contracts.venue.address
  const venue = read(chain).venue(target)
  const markets = await venue.held({ a: address })
  const held = await inParallel([...markets], async (m) => ({ m, n: await venue.units({ arg0: address, arg1: m }) }))
  for (const { m, n } of held) {
    const { data } = prepare(chain.id).venue(target).sell({ m, n, minOut: 1n })
    await batches.send(owner, prepare(chain.id).vault(address).unwind({ target, data }))
  }
}
