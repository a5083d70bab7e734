import { type Address, createPublicClient, type PublicClient, RpcRequestError } from 'viem'
import type { Deployment } from './deployment/file.ts'
import { RpcRefused } from './errors.ts'
import { rpcTransport, type RpcOptions } from './transport.ts'

/** The configured contracts; null if neither a setting nor the deployment file names one. */
export interface ChainAddresses {
  readonly factory: Address | null
  readonly factoryV2: Address | null
  readonly usdc: Address | null
  readonly legGateway: Address | null
  readonly testVenues: readonly Address[]
}

/** A chain to read, opened by `openChain`. No request is made before the first read. */
export interface Chain {
  readonly id: number
  /** viem's client with timeouts, bounded retries, errors without secrets, and a check of the chain id. */
  readonly client: PublicClient
  readonly confirmations: number
  /** Maximum blocks and addresses of one log call. */
  readonly logLimits: { readonly span: number; readonly addresses: number }
  readonly addresses: ChainAddresses
  /** The deployment file; null without one. */
  readonly deployment: Deployment | null
  /** Makes one JSON-RPC call. Rejects with `SettingError` (wrong chain), `RpcUnavailable` or `RpcRefused` (an error response). */
  request(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<unknown>
}

/** Options of `chainOf`. Defaults: 2 confirmations, 200 blocks and 20 addresses per log call, every address null. */
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

/** Opens a chain from plain values, for tools and tests; services use `openChain`. */
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
