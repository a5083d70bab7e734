import { type Address, type Hex, RpcRequestError } from 'viem'
import type { Chain } from './chain.ts'
import { RpcRefused } from './errors.ts'
import { type Revert, revertOf } from './reverts.ts'

/** A call that is not sent. */
export interface CallAt {
  readonly from?: Address | undefined
  /** Left out: the data is creation code, run without deploying it. */
  readonly to?: Address | undefined
  readonly data: Hex
  readonly gas?: bigint | undefined
  /** State after this block; default the newest. */
  readonly blockNumber?: bigint | undefined
  readonly signal?: AbortSignal | undefined
}

/** As nodes put it; anvil names which kind it was, such as MemoryOOG. */
const OUT_OF_GAS = /out ?of ?gas|OOG\b/i

/** What a call did: its data, or its revert. */
export type CallResult =
  | { readonly ok: true; readonly data: Hex }
  | { readonly ok: false; readonly revert: Revert }
  /** The gas limit was too low: what the contract thinks of the call is not known. */
  | { readonly ok: false; readonly revert: null }

/**
 * What a call would do on the state after a block, by `eth_call`. A revert is an answer, not an error. Rejects with
 * `RpcUnavailable`, or `RpcRefused`, for example when the node has that state no more.
 */
export async function callAt(chain: Chain, call: CallAt): Promise<CallResult> {
  const { from, to, data, gas, blockNumber, signal } = call
  const hex = (value: bigint): Hex => `0x${value.toString(16)}`
  const transaction = { data, ...(to && { to }), ...(from && { from }), ...(gas !== undefined && { gas: hex(gas) }) }
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
