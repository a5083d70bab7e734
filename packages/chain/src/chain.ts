import { type Address, createPublicClient, type PublicClient, RpcRequestError } from 'viem'
import type { Deployment } from './deployment/file.ts'
import { RpcRefused } from './errors.ts'
import { rpcTransport, type RpcOptions } from './transport.ts'

/** Contracts that a service knows; null where neither a setting nor the deployment file names one. */
export interface ChainAddresses {
  readonly factory: Address | null
  readonly factoryV2: Address | null
  readonly usdc: Address | null
  readonly legGateway: Address | null
  readonly testVenues: readonly Address[]
}

/** A chain that can be read. Made by `openChain`; nothing of it is asked before the first read. */
export interface Chain {
  readonly id: number
  /** viem's client over the checked transport: timeouts, bounded repetitions, no secret in errors, the right chain. */
  readonly client: PublicClient
  readonly confirmations: number
  /** The most that one log call asks. */
  readonly logLimits: { readonly span: number; readonly addresses: number }
  readonly addresses: ChainAddresses
  /** What the deployment file says; null without one. */
  readonly deployment: Deployment | null
  /** One JSON-RPC call. Rejects with `SettingError` (wrong chain), `RpcUnavailable`, `RpcRefused` (an error answer). */
  request(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<unknown>
}

/** A chain in plain values. `confirmations` defaults to 2, `logLimits` to 200 blocks and 20 addresses, every address to null. */
export interface ChainOptions extends RpcOptions {
  readonly rpcUrl: string
  readonly id: number
  readonly confirmations?: number
  readonly logLimits?: Chain['logLimits']
  readonly addresses?: Partial<ChainAddresses>
  readonly deployment?: Deployment | null
}

type Request = (
  args: { method: string; params: readonly unknown[] },
  options: { signal?: AbortSignal },
) => Promise<unknown>

/** A chain from plain values, for tools and tests; services use `openChain`. Defaults are those of the settings. */
export function chainOf(options: ChainOptions): Chain {
  const { rpcUrl, id, confirmations = 2, logLimits = { span: 200, addresses: 20 }, addresses, deployment } = options
  const client = createPublicClient({ transport: rpcTransport(rpcUrl, id, options) })
  const ask = client.request as unknown as Request
  return {
    id,
    client,
    confirmations,
    logLimits,
    addresses: { factory: null, factoryV2: null, usdc: null, legGateway: null, testVenues: [], ...addresses },
    deployment: deployment ?? null,
    request: async (method, params, signal) => {
      try {
        return await ask({ method, params }, signal === undefined ? {} : { signal })
      } catch (error) {
        if (error instanceof RpcRequestError) throw new RpcRefused(method, error.code)
        throw error
      }
    },
  }
}
