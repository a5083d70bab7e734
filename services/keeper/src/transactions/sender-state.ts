import { headNumber, RpcUnavailable, type Chain } from '@svc/chain'
import type { Address } from 'viem'
import type { Fees } from './rules/fees.ts'

/** State of the sending account on the chain. */
export interface SenderState {
  /** Number of its transactions in blocks: the next nonce. */
  readonly nonce: number
  /** Number of its transactions in blocks that are HUB_CONFIRMATIONS deep. */
  readonly finalNonce: number
  /** Wei. */
  readonly balance: bigint
  readonly fees: Fees
}

/**
 * Reads the state of the account. Rejects with an outage, also if the RPC serves another chain by now: nonces of that chain
 * would end our transactions wrongly.
 */
export async function readSender(chain: Chain, address: Address, signal: AbortSignal): Promise<SenderState> {
  const head = await headNumber(chain, signal)
  const deep = head > BigInt(chain.confirmations) ? head - BigInt(chain.confirmations) : 0n
  const countAt = async (block: string) =>
    Number(await chain.request('eth_getTransactionCount', [address, block], signal))
  const [served, nonce, finalNonce, balance, fees] = await Promise.all([
    chain.request('eth_chainId', [], signal),
    countAt('latest'),
    countAt(`0x${deep.toString(16)}`),
    chain.request('eth_getBalance', [address, 'latest'], signal),
    chain.client.estimateFeesPerGas({ type: 'eip1559', chain: null }),
  ])
  if (Number(served) !== chain.id)
    throw new RpcUnavailable(`the RPC serves chain ${Number(served)}, and chain ${chain.id} is expected`)
  return {
    nonce,
    finalNonce,
    balance: BigInt(String(balance)),
    fees: { feeMax: fees.maxFeePerGas, tipMax: fees.maxPriorityFeePerGas },
  }
}
