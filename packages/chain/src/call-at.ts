import { type Address, type Hex, RpcRequestError } from 'viem'
import type { Chain } from './chain.ts'
import { RpcRefused } from './errors.ts'
import { type Revert, revertOf } from './reverts.ts'

/** A call to execute without sending it. */
export interface CallAt {
  readonly from?: Address | undefined
  /** Without it the data is creation code, which is executed without deploying it. */
  readonly to?: Address | undefined
  readonly data: Hex
  /** Wei; 0 if absent. */
  readonly value?: bigint | undefined
  readonly gas?: bigint | undefined
  /** State after this block; default: the newest block. */
  readonly blockNumber?: bigint | undefined
  readonly signal?: AbortSignal | undefined
}

/** Nodes' messages; anvil names the kind, such as MemoryOOG. */
const OUT_OF_GAS = /out ?of ?gas|OOG\b/i

/** The result of a call: its return data or its revert. */
export type CallResult =
  | { readonly ok: true; readonly data: Hex }
  | { readonly ok: false; readonly revert: Revert }
  /** The gas limit was too low, so the contract's own result is not known. */
  | { readonly ok: false; readonly revert: null }

/**
 * Executes a call on the state after a block with `eth_call`. A revert is a result, not an error. Rejects with
 * `RpcUnavailable`, or with `RpcRefused`, for example if the node no longer has that state.
 */
export async function callAt(chain: Chain, call: CallAt): Promise<CallResult> {
  const { from, to, data, value, gas, blockNumber, signal } = call
  const hex = (value: bigint): Hex => `0x${value.toString(16)}`
  const transaction = {
    data,
    ...(to && { to }),
    ...(from && { from }),
    ...(value !== undefined && { value: hex(value) }),
    ...(gas !== undefined && { gas: hex(gas) }),
  }
  try {
    const answer: unknown = await chain.client.request(
      { method: 'eth_call', params: [transaction, blockNumber === undefined ? 'latest' : hex(blockNumber)] },
      signal === undefined ? {} : { signal },
    )
    return { ok: true, data: String(answer) as Hex }
  } catch (error) {
    if (!(error instanceof RpcRequestError)) throw error
    const revert = revertOf(error)
    if (revert !== null) return { ok: false, revert }
    if (OUT_OF_GAS.test(error.details)) return { ok: false, revert: null }
    throw new RpcRefused('eth_call', error.code)
  }
}
