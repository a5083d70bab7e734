import { api } from '../../lib/api.ts'
import { callData, checkedCall, ForeignCall, selectors, type PreparedCall } from '../../lib/chain.ts'
import { Problem } from '../../lib/problem.ts'
import type { TxPlan } from '../../lib/tx.ts'
import { sameAccount, type Address, type CheckedCall, type Hex } from '../../lib/wallet.ts'

/** A transaction as the page describes it; wallet and network are found by the flow. */
export type TxOrder = Omit<TxPlan, 'signer' | 'network'>

/** What an act of the owner is about: the vault of the page, on the chain that the gateway names. */
export interface ActPlace {
  readonly publicId: string
  readonly vault: Address
  readonly agent: Address
  readonly chainId: number
  /** Contract of the money, as the gateway names it. */
  readonly usdc: Address | null
}

export type Steering = 'pause' | 'resume' | 'stop' | 'withdraw'

const routes = {
  pause: 'GET /hub/mandates/{public_id}/pause-call',
  resume: 'GET /hub/mandates/{public_id}/resume-call',
  stop: 'GET /hub/mandates/{public_id}/stop-call',
  withdraw: 'GET /hub/mandates/{public_id}/withdraw-call',
} as const satisfies Readonly<Record<Steering, string>>

const dataOf = (act: Steering, agent: Address): Hex =>
  ({ pause: callData.pause, resume: () => callData.resume(agent), stop: callData.stop, withdraw: callData.withdraw })[
    act
  ]()

/** The service prepares no call now; its reason is shown like every other refusal. */
const noCall = (reason: string | null, detail: string | null): Problem =>
  new Problem(409, { code: reason ?? 'no_call', title: detail ?? reason ?? '' }, null)

type Kind = 'stop' | 'pause' | 'resume' | 'withdraw' | 'unwind' | 'deposit'

/** Answers after which the service is asked again: it does not see the transaction, or not deep enough. */
const NOT_YET = new Set(['hub_transaction_unconfirmed', 'hub_transaction_unknown'])

/** Tells the service of a mined transaction; `told` hears the amount that it moved, USDC. */
async function recordTx(
  publicId: string,
  kind: Kind,
  hash: Hex,
  told?: (amount: string | null) => void,
): Promise<'recorded' | 'wait'> {
  try {
    const { amount_usdc } = await api('POST /hub/mandates/{public_id}/vault-tx', {
      public_id: publicId,
      kind,
      tx_hash: hash,
    })
    told?.(amount_usdc)
    return 'recorded'
  } catch (error) {
    if (error instanceof Problem && NOT_YET.has(error.code)) return 'wait'
    throw error
  }
}

type State = 'working' | 'paused' | 'stopped' | 'ended' | 'closed' | 'signed' | 'draft'
/** States in which an act has had its effect. */
const done: Readonly<Record<Steering, readonly State[]>> = {
  pause: ['paused'],
  resume: ['working'],
  stop: ['stopped', 'closed'],
  withdraw: ['closed'],
}

/**
 * Returns the transaction that pauses, resumes or stops the agent, or withdraws everything; `told` hears the amount that it
 * moved, USDC.
 */
export function steeringOrder(act: Steering, place: ActPlace, told?: (amount: string | null) => void): TxOrder {
  const { publicId, vault, agent, chainId } = place
  return {
    key: `${publicId}/${act}`,
    prepare: async () => {
      const { call, reason, detail } = await api(routes[act], { public_id: publicId })
      if (call === null) throw noCall(reason, detail)
      return checkedCall(call, { to: vault, data: dataOf(act, agent), chainId })
    },
    record: (hash) => recordTx(publicId, act, hash, told),
    happened: async () => {
      const { state, chain_state } = await api('GET /hub/mandates/{public_id}', { public_id: publicId })
      // A stop in the record alone is not the stop of the vault.
      return done[act].includes(state) && chain_state?.open_until_stopped !== true
    },
  }
}

async function fundingCalls(publicId: string, amount: string) {
  const { calls } = await api('GET /hub/mandates/{public_id}/fund', { public_id: publicId, amount_usdc: amount })
  if (calls === null) throw noCall(null, null)
  return calls
}

/** Returns the transactions that pay an amount in: the vault may take it, then it takes it. */
export function fundingOrders(units: bigint, amount: string, place: ActPlace): readonly [allow: TxOrder, pay: TxOrder] {
  const { publicId, vault, chainId, usdc } = place
  const allow: TxOrder = {
    key: `${publicId}/allow/${amount}`,
    prepare: async () => {
      if (usdc === null) throw noCall('usdc_unknown', null)
      const { approve } = await fundingCalls(publicId, amount)
      return checkedCall(approve, { to: usdc, data: callData.approve(vault, units), chainId })
    },
    record: async () => 'recorded',
    happened: async () => false,
  }
  const pay: TxOrder = {
    key: `${publicId}/deposit`,
    prepare: async () => {
      const { deposit } = await fundingCalls(publicId, amount)
      return checkedCall(deposit, { to: vault, data: callData.deposit(units), chainId })
    },
    record: (hash) => recordTx(publicId, 'deposit', hash),
    happened: async () => false,
  }
  return [allow, pay]
}

/**
 * Returns the transaction of a step of closing. The page cannot write the call of a venue itself, so of an `unwind` it
 * checks the vault, the function and that the venue is one of the signed terms.
 */
export function closingOrder(
  step: { readonly n: number; readonly action: string; readonly call: PreparedCall | null },
  targets: readonly string[],
  place: ActPlace,
): TxOrder | null {
  if (step.action === 'stop' || step.action === 'withdraw') return steeringOrder(step.action, place)
  const { call } = step
  if (step.action !== 'unwind' || call === null) return null
  const { publicId } = place
  return {
    key: `${publicId}/unwind/${call.data.slice(0, 74)}`,
    prepare: async () => checkedUnwind(call, targets, place),
    record: (hash) => recordTx(publicId, 'unwind', hash),
    happened: async () => false,
  }
}

/** Returns a prepared `unwind` that calls a venue of the terms. Throws `ForeignCall` for any other call. */
export function checkedUnwind(call: PreparedCall, targets: readonly string[], place: ActPlace): CheckedCall {
  const data = call.data.toLowerCase()
  const target = `0x${data.slice(34, 74)}`
  const inner = unwound(data)
  const wanted = callData.unwind(target as Address, inner)
  const own = { to: place.vault, data: wanted, chainId: place.chainId }
  const checked = checkedCall({ ...call, data }, own)
  if (!data.startsWith(selectors.unwind) || !targets.some((one) => sameAccount(one, target)))
    throw new ForeignCall([{ part: 'arguments', here: targets.join(', '), sent: target }])
  return checked
}

/** Returns the call of the venue inside an `unwind`; nothing if it is cut short. */
function unwound(data: string): Hex {
  const length = Number.parseInt(data.slice(138, 202), 16)
  const inner = Number.isSafeInteger(length) ? data.slice(202, 202 + length * 2) : ''
  return `0x${inner.length % 2 === 0 ? inner : ''}`
}
