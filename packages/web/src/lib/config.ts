import { useQuery } from '@tanstack/react-query'
import { readDocument } from './api.ts'
import { queries } from './reads.ts'
import type { Problem } from './problem.ts'

export type Address = `0x${string}`

/**
 * What the gateway itself knows of the chain, from its own settings: the source of addresses that does not come from the
 * service whose answers pages check.
 */
export interface WebConfig {
  readonly web_base: string
  readonly chain: {
    readonly id: number
    readonly name: string
    readonly explorer: string | null
    /** True on a chain that is known to have no money of value. */
    readonly test: boolean
  }
  readonly factory: Address | null
  readonly factory_v2: Address | null
  readonly usdc: Address | null
  readonly leg_gateway: Address | null
  readonly test_venues: readonly Address[]
  /** Whether this deployment answers for the wallets of a local chain. */
  readonly demo_wallet: boolean
  readonly version: string
}

/** Pause until facts that could not be read are asked for again. */
const AGAIN_MS = 15_000

const config = {
  queryKey: ['config'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
    (await readDocument('/ui/config.json', { signal })) as WebConfig,
  staleTime: Infinity,
  refetchInterval: ({ state }: { readonly state: { readonly error: unknown } }) =>
    state.error === null ? (false as const) : AGAIN_MS,
}

/** Reads the gateway's own facts, once. */
export const useConfig = () => useQuery<WebConfig, Problem>(config)

/** Returns the gateway's own facts outside of a component. Throws `Problem`. */
export const readConfig = (): Promise<WebConfig> => queries.fetchQuery(config)
