import type { Address } from '../src/index.ts'

const party = (digits: string): Address => `0x${digits.padStart(40, '0')}`

/** Wallets of the scripts. No wallet is a contract or an account of the node. */
export const parties = {
  owner: party('a11ce'),
  agent: party('a9e47'),
  secondAgent: party('a9e472'),
  keeper: party('4ee9e4'),
  operator: party('09e4a704'),
  stranger: party('57a49e4'),
} as const

/** Contracts that the scripts use. */
export interface Contracts {
  readonly usdc: Address
  /** A token other than the USDC of the vaults. */
  readonly otherToken: Address
  readonly venue: Address
  readonly script: Address
  readonly gateway: Address
  readonly implementation: { readonly 1: Address; readonly 2: Address }
  readonly factory: { readonly 1: Address; readonly 2: Address }
}

/** Market of the venue, and its first price: USDC base units for 1e6 units. */
export const market = `0x${'6d'.repeat(32)}` as const
export const firstPrice = 1_250_000n
/** Balance of the owner and of each contract when a script begins. */
export const richly = 10n ** 30n
/** UTC day on which scripts begin; each script chooses its second of the day. */
export const firstDay = 25_000n
