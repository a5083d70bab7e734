import type { Research } from '@svc/contracts/research-reports/research'
import type { TargetHistory } from '@svc/contracts/market-data/research'

export type Contract = NonNullable<TargetHistory['contract']>

/** What the chain says about a contract address in one block, or why that is unknown. */
export type OnchainRead =
  | {
      readonly state: 'read'
      /** Base units; null if the contract does not report it. */
      readonly totalSupply: bigint | null
      readonly decimals: number | null
      readonly codePresent: boolean
      /** Time of the block. */
      readonly readAt: string
    }
  | { readonly state: 'not_indexed' | 'chain_unavailable' }

/** EIP-155 ids of the chains that an approved `blockchain` may name (chainid.network). */
const CHAIN_IDS: ReadonlyMap<string, number> = new Map([
  ['ethereum', 1],
  ['optimism', 10],
  ['cronos', 25],
  ['bsc', 56],
  ['gnosis', 100],
  ['unichain', 130],
  ['polygon', 137],
  ['sonic', 146],
  ['opbnb', 204],
  ['fantom', 250],
  ['zksync', 324],
  ['hyperevm', 999],
  ['moonbeam', 1284],
  ['ronin', 2020],
  ['mantle', 5000],
  ['base', 8453],
  ['arbitrum', 42161],
  ['celo', 42220],
  ['avalanche', 43114],
  ['linea', 59144],
  ['berachain', 80094],
  ['blast', 81457],
  ['scroll', 534352],
])

/** Returns true if an approved address is a contract on the chain with this id. */
export const isOnChain = ({ chain, address }: Contract, chainId: number): boolean =>
  CHAIN_IDS.get(chain) === chainId && /^0x[0-9a-fA-F]{40}$/.test(address)

/** Calls whose answers `readOf` reads. */
export const CALLS = { totalSupply: '0x18160ddd', decimals: '0x313ce567' } as const

/**
 * Returns creation code that returns the size of an address's code: PUSH20 address, EXTCODESIZE, return the word. A plain
 * call does not distinguish an address without code from a contract that returns nothing.
 */
export const codeSizeCall = (address: string): string => `0x73${address.slice(2).toLowerCase()}3b60005260206000f3`

/** The result of a call as chain-indexer returns it; null if the call reverted. */
type Answer = string | null

const WORD = /^0x[0-9a-f]{64}$/i
const numberOf = (answer: Answer): bigint | null => (answer !== null && WORD.test(answer) ? BigInt(answer) : null)

/** Parses the three results. A result that is not a valid whole number counts as unknown. */
export function readOf(answers: {
  readonly codeSize: Answer
  readonly totalSupply: Answer
  readonly decimals: Answer
  readonly readAt: string
}): OnchainRead {
  const size = numberOf(answers.codeSize)
  if (size === null) return { state: 'chain_unavailable' }
  const decimals = numberOf(answers.decimals)
  return {
    state: 'read',
    totalSupply: numberOf(answers.totalSupply),
    decimals: decimals === null || decimals > 255n ? null : Number(decimals),
    codePresent: size > 0n,
    readAt: answers.readAt,
  }
}

/** Returns the section on-chain of research: the approved address and what its chain says. */
export function onchainOf(contract: Contract | null, read: OnchainRead | null): Research['onchain'] {
  if (contract === null) return { reason: 'no_approved_address', value: null }
  const known = read?.state === 'read' ? read : null
  return {
    reason: known === null ? (read?.state === 'chain_unavailable' ? 'chain_unavailable' : 'not_indexed') : null,
    value: {
      blockchain: contract.chain,
      contract_address: contract.address,
      total_supply: known?.totalSupply?.toString() ?? null,
      decimals: known?.decimals ?? null,
      code_present: known?.codePresent ?? null,
      read_at: known?.readAt ?? null,
    },
  }
}
