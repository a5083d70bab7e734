import { RpcUnavailable, type Chain } from '@svc/chain'
import { SettingError } from '@svc/contract'
import { MAIN_CHAIN_IDS, mayDripOn } from '@svc/contracts/common/drip-settings'
import type { Address } from 'viem'
import type { Context } from '#context.ts'

/** Returns the chain on which drips are sent now; null while they are off, and on any but a configured test chain. */
export function dripChain({ settings, chain }: Pick<Context, 'settings' | 'chain'>): Chain | null {
  return settings.dripEnabled && chain !== null && mayDripOn(chain.id, settings.dripTestChains) ? chain : null
}

/** What a drip needs to know of the chain; amounts in wei. */
export interface DripReading {
  /** Balance of the wallet. */
  readonly balance: bigint
  readonly funderBalance: bigint
  /** Highest price per unit of gas. */
  readonly feeMax: bigint
}

/**
 * Reads the balances of wallet and funder. Asks the RPC for its chain each time: null if it serves a main network. Rejects with
 * an outage, also if it serves any other chain than the configured one.
 */
export async function readDripChain(
  chain: Chain,
  { wallet, funder }: { readonly wallet: Address; readonly funder: Address },
  signal: AbortSignal,
): Promise<DripReading | null> {
  const served = await servedChain(chain, signal)
  if (MAIN_CHAIN_IDS.has(served)) return null
  if (served !== chain.id) throw new RpcUnavailable(`the RPC serves chain ${served}, and chain ${chain.id} is expected`)
  const balanceOf = async (address: Address) =>
    BigInt(String(await chain.request('eth_getBalance', [address, 'latest'], signal)))
  const [balance, funderBalance, fees] = await Promise.all([
    balanceOf(wallet),
    balanceOf(funder),
    chain.client.estimateFeesPerGas({ type: 'eip1559', chain: null }),
  ])
  return { balance, funderBalance, feeMax: fees.maxFeePerGas }
}

async function servedChain(chain: Chain, signal: AbortSignal): Promise<number> {
  try {
    return Number(await chain.request('eth_chainId', [], signal))
  } catch (error) {
    // The first answer since the start: to the caller a wrong RPC is one that is unavailable.
    if (error instanceof SettingError) throw new RpcUnavailable(error.message)
    throw error
  }
}
